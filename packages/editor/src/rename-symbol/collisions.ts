import { BatonError } from '@baton/core';
import { applyEdits, linesOf, offsetAt, positionAt, textIn } from '../edits/apply-edits.ts';
import type { EditsByFile, Range, TextEdit } from '../edits/text-edit.ts';
import { textOf } from '../edits/text-file.ts';
import { placesOfWord } from '../edits/words.ts';
import type { EditedFile, Language, Place } from '../language/language.ts';
import { redeclared } from './redeclared.ts';

const MOST_PLACES = 5;

/**
 * Throws if after the renaming a name would mean something else than before: a place that is
 * renamed would mean another symbol that has the new name, or one that has the new name already
 * would mean the renamed symbol.
 */
export async function checkCollisions(
  language: Language,
  edited: readonly EditedFile[],
  symbol: Place,
  newName: string,
): Promise<void> {
  const texts = new Map(
    edited.map(({ file, contents, edits }) => [file, renamedText(file, contents, edits, newName)]),
  );
  const edits: EditsByFile = new Map(edited.map((one) => [one.file, one.edits]));
  const declared = texts.get(symbol.file)?.after(symbol.range);
  if (!declared) return;
  const known = new Set((await language.referencesAfter(new Map(), symbol)).map(keyOf));
  const after = await language.referencesAfter(edits, { file: symbol.file, range: declared });
  const found = new Set(after.map(keyOf));
  const captured = [...texts].flatMap(([file, { renamed }]) =>
    renamed
      .filter(({ before, now }) => {
        return known.has(keyOf({ file, range: before })) && !found.has(keyOf({ file, range: now }));
      })
      .map(({ before }) => ({ file, range: before })),
  );
  const merged: Place[] = [];
  for (const place of after) {
    const text = texts.get(place.file);
    if (text?.renamed.some(({ now }) => isSameStart(now, place.range))) continue;
    const before = text ? text.before(place.range) : place.range;
    if (known.has(keyOf({ file: place.file, range: before }))) continue;
    const here = text?.text ?? textOf(place.file, await language.read(place.file)).text;
    if (textIn(here, place.range) === newName) merged.push({ file: place.file, range: before });
  }
  const places = [...captured, ...merged, ...(await redeclared(language, edited, newName))];
  if (places.length > 0) throw collision(newName, places);
}

interface RenamedText {
  readonly text: string;
  /** Where the new name stands, before and after. */
  readonly renamed: readonly { readonly before: Range; readonly now: Range }[];
  after(range: Range): Range | undefined;
  before(range: Range): Range;
}

function renamedText(
  file: string,
  contents: Buffer,
  edits: readonly TextEdit[],
  newName: string,
): RenamedText {
  const { text: old } = textOf(file, contents);
  const text = applyEdits(old, edits);
  const oldLines = linesOf(old);
  const lines = linesOf(text);
  let shift = 0;
  const steps = edits
    .map((edit) => ({
      edit,
      start: offsetAt(oldLines, edit.range.start),
      end: offsetAt(oldLines, edit.range.end),
    }))
    .sort((a, b) => a.start - b.start)
    .map(({ edit, start, end }) => {
      const [inText = 0] = placesOfWord(edit.newText, newName);
      const at = start + shift + inText;
      const now = {
        start: positionAt(lines, at),
        end: positionAt(lines, at + newName.length),
      };
      shift += edit.newText.length - (end - start);
      return { before: edit.range, now, end, shift };
    });
  return {
    text,
    renamed: steps,
    after: (range) => steps.find(({ before }) => isSameStart(before, range))?.now,
    before({ start, end }) {
      const back = (offset: number) => {
        const last = steps.findLast((step) => step.end + step.shift <= offset);
        return positionAt(oldLines, offset - (last?.shift ?? 0));
      };
      return { start: back(offsetAt(lines, start)), end: back(offsetAt(lines, end)) };
    },
  };
}

function isSameStart(a: Range, b: Range): boolean {
  return a.start.line === b.start.line && a.start.character === b.start.character;
}

function keyOf({ file, range: { start } }: Place): string {
  return `${file}:${start.line}:${start.character}`;
}

function collision(newName: string, places: readonly Place[]): BatonError {
  const texts = places
    .slice(0, MOST_PLACES)
    .map(({ file, range }) => `${file}:${range.start.line + 1}`);
  const more = places.length > texts.length ? ` and ${places.length - texts.length} more` : '';
  return new BatonError(
    'name_collision',
    `${newName} means something else already at ${texts.join(', ')}${more}. Nothing was changed.`,
    'Choose another name, or rename what has it first.',
  );
}
