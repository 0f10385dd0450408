import { BatonError } from '@baton/core';
import { linesOf, positionAt } from '../edits/apply-edits.ts';
import { textOf } from '../edits/text-file.ts';
import { placesOfWord } from '../edits/words.ts';
import type { EditedFile, Language, Place } from '../language/language.ts';
import { isTypeScriptFile } from '../lsp/typescript-server.ts';

const MOST_LOOKED_AT = 200;

/**
 * Throws for references that TypeScript 7 overlooks: those before a character that is not ASCII,
 * such as a blank that does not break, of which it takes the first byte for a letter.
 */
export async function checkOverlooked(
  language: Language,
  edited: readonly EditedFile[],
  name: string,
  mentioning: readonly string[],
): Promise<void> {
  const known = new Set(
    edited.flatMap(({ file, edits }) => edits.map(({ range }) => keyOf({ file, range }))),
  );
  let left = MOST_LOOKED_AT;
  for (const file of mentioning.filter(isTypeScriptFile)) {
    for (const place of await placesBeforeOthers(language, file, name)) {
      if (known.has(keyOf(place)) || left-- <= 0) continue;
      const definitions = await language.definitions(place);
      if (definitions.some((one) => known.has(keyOf(one)))) throw overlooked(name, place);
    }
  }
}

async function placesBeforeOthers(
  language: Language,
  file: string,
  name: string,
): Promise<readonly Place[]> {
  const contents = await language.read(file);
  // Most files have no such place; to decode all of them would take its time.
  const bytes = Buffer.from(name, 'utf8');
  let isWorth = false;
  for (let at = contents.indexOf(bytes); at >= 0 && !isWorth; at = contents.indexOf(bytes, at + 1))
    isWorth = (contents[at + bytes.length] ?? 0) > 127;
  if (!isWorth) return [];
  const text = readable(file, contents);
  const lines = linesOf(text);
  return [...placesOfWord(text, name)]
    .filter((at) => text.charCodeAt(at + name.length) > 127)
    .map((at) => {
      const range = { start: positionAt(lines, at), end: positionAt(lines, at + name.length) };
      return { file, range };
    });
}

function readable(file: string, contents: Buffer): string {
  try {
    return textOf(file, contents).text;
  } catch {
    return ''; // Not in UTF-8: nobody could edit it.
  }
}

function keyOf({ file, range: { start } }: Place): string {
  return `${file}:${start.line}:${start.character}`;
}

function overlooked(name: string, { file, range }: Place): BatonError {
  return new BatonError(
    'cannot_rename',
    `${name} cannot be renamed: at ${file}:${range.start.line + 1} it stands right before a character that the language server stumbles over. Nothing was changed.`,
    'Put a plain blank after it there, and try again.',
  );
}
