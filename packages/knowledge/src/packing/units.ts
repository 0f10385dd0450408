import { blankLinesBefore, Fences, outline } from '../reading/outline.ts';

/** A stretch of a text that can stand without the rest of it. */
export interface Unit {
  readonly start: number;
  readonly end: number;
}

/** What stands for what was left out. */
export const GAP = '[…]';

export function sectionsOf(text: string): Unit[] {
  return outline(text);
}

/** Where a text can be cut: behind paragraphs, lists and code blocks. */
export function blockEnds(text: string): number[] {
  return endsOf(text, (next, isCode) => !isCode && next.trim() === '');
}

/** Behind every line that is not blank. */
export function lineEnds(text: string): number[] {
  return endsOf(text, () => true);
}

function endsOf(text: string, isEnd: (next: string, isCode: boolean) => boolean): number[] {
  const ends: number[] = [];
  const fences = new Fences();
  const lines = text.split('\n');
  let at = 0;
  for (const [index, line] of lines.entries()) {
    fences.read(line);
    at += line.length;
    const isCode = fences.open !== undefined;
    if (line.trim() !== '' && isEnd(lines[index + 1] ?? '', isCode)) ends.push(at);
    at += 1;
  }
  return ends;
}

/** Longer than this is no word, but a line without blanks: some languages have none. */
const LONGEST_WORD = 60;
const MOST_MARKS = 16;

/** The last place up to `length` where a word ends, unless that is far away; never within a character. */
export function wordEnd(text: string, length: number): number {
  if (length >= text.length) return text.length;
  const begun = text.slice(0, length);
  if (/\s/.test(text.charAt(length))) return begun.trimEnd().length;
  const near = begun.slice(-LONGEST_WORD).search(/\s\S*$/);
  if (near < 0) return characterEnd(text, length);
  return begun.slice(0, Math.max(0, length - LONGEST_WORD) + near).trimEnd().length;
}

function characterEnd(text: string, length: number): number {
  let end = length;
  // Half of a pair is no character, and a mark belongs to the letter before it.
  const isWithin = () => /^[\udc00-\udfff\p{M}]/u.test(text.slice(end, end + 2));
  while (end > Math.max(0, length - MOST_MARKS) && isWithin()) end -= 1;
  return end;
}

/** Units in the order of the text, with marks where something is missing. */
export function assemble(text: string, units: readonly Unit[]): string {
  let assembled = '';
  let end = 0;
  for (const unit of units.toSorted((a, b) => a.start - b.start)) {
    const start = unit.start + blankLinesBefore(text.slice(unit.start, unit.end));
    const part = text.slice(start, unit.end).trimEnd();
    assembled += between(text.slice(end, start), assembled === '') + part + closingOf(part);
    end = start + part.length;
  }
  const rest = text.slice(end);
  if (rest.trim() === '') return assembled;
  return `${assembled}${isWithinLine(rest) ? ' ' : '\n\n'}${GAP}`;
}

function between(leftOut: string, isFirst: boolean): string {
  const isMissing = leftOut.trim() !== '';
  if (isFirst) return isMissing ? `${GAP}\n\n` : '';
  if (isMissing) return `\n\n${GAP}\n\n`;
  return leftOut.split('\n').length > 2 ? '\n\n' : '\n';
}

/** What ends a code block that a text leaves open: it would swallow all that follows. */
export function closingOf(part: string): string {
  const fences = new Fences();
  for (const line of part.split('\n')) fences.read(line);
  return fences.open === undefined ? '' : `\n${fences.open}`;
}

function isWithinLine(rest: string): boolean {
  return !/^[ \t]*\r?\n/.test(rest);
}
