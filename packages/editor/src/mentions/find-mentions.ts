import { type Lines, lineEnd, linesOf, offsetAt, positionAt } from '../edits/apply-edits.ts';
import type { Range } from '../edits/text-edit.ts';
import { codeRegions } from './code-regions.ts';
import { cutAround } from './cut-around.ts';
import { leadsElsewhere } from './leads-elsewhere.ts';
import type { Mention } from './mention.ts';
import { type Place, placesOf } from './places.ts';
import { mergedSpans, OrderedSpans } from './spans.ts';

const LONGEST_TEXT = 120;
const CODE = /\.[cm]?[jt]sx?$/i;

type Where = Mention['where'];

/**
 * Where a text speaks of one of the words, at most once in a line. In code, only comments and
 * strings speak of something; the same name elsewhere is another symbol. `except` is edited anyway.
 */
export function findMentions(
  text: string,
  file: string,
  words: readonly string[],
  except: readonly Range[],
): Mention[] {
  const present = words.filter((word) => word !== '' && text.includes(word));
  if (present.length === 0) return [];
  const lines = linesOf(text);
  const isEdited = coverOf(lines, except);
  const whereOf = CODE.test(file) ? placesInCode(text, file, words) : (): Where => 'text';
  const mentions: Mention[] = [];
  let lastLine = -1;
  for (const place of placesOf(text, present)) {
    if (isEdited(place)) continue;
    const where = whereOf(place);
    const { line } = positionAt(lines, place.start);
    if (where === undefined || line === lastLine) continue;
    lastLine = line;
    mentions.push({ line: line + 1, text: lineText(lines, line, place), where });
  }
  return mentions;
}

function coverOf(lines: Lines, ranges: readonly Range[]): (place: Place) => boolean {
  const spans = ranges.map(({ start, end }) => ({
    start: offsetAt(lines, start),
    end: offsetAt(lines, end),
  }));
  const ordered = new OrderedSpans(mergedSpans(spans));
  return ({ start, end }) => (ordered.endingAfter(start)?.start ?? end) < end;
}

function placesInCode(
  text: string,
  file: string,
  words: readonly string[],
): (place: Place) => Where | undefined {
  const regions = new OrderedSpans(codeRegions(text));
  return ({ start, end, word }) => {
    const region = regions.endingAfter(start);
    if (!region || region.start > start || region.end < end) return undefined;
    if (region.where === 'comment') return 'comment';
    const string = text.slice(region.start, region.end);
    return leadsElsewhere(string, file, word, words) ? undefined : 'string';
  };
}

function lineText(lines: Lines, line: number, { start }: Place): string {
  const lineStart = lines.starts[line] as number;
  const whole = lines.text.slice(lineStart, lineEnd(lines, line)).trimEnd();
  const trimmed = whole.trimStart();
  return cutAround(trimmed, start - lineStart - (whole.length - trimmed.length), LONGEST_TEXT);
}
