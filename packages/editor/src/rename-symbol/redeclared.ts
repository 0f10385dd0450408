import { type Lines, linesOf, offsetAt, positionAt } from '../edits/apply-edits.ts';
import type { TextEdit } from '../edits/text-edit.ts';
import { textOf } from '../edits/text-file.ts';
import { countWord } from '../edits/words.ts';
import type { EditedFile, Language, Place } from '../language/language.ts';
import { isTypeScriptFile } from '../lsp/typescript-server.ts';
import { codeRegions } from '../mentions/code-regions.ts';

const EXPORT_LIST = /\bexport\s+(?:type\s+)?\{([^}]*)\}/g;
const EXPORTED = /(?:^|[\s,])([\p{ID_Continue}$]+)\s*$/u;

/**
 * Where a file would declare the new name twice although no reference could tell: members of an
 * enum, and names of a list of exports.
 */
export async function redeclared(
  language: Language,
  edited: readonly EditedFile[],
  newName: string,
): Promise<readonly Place[]> {
  const places: Place[] = [];
  for (const { file, contents, edits } of edited.filter((one) => isTypeScriptFile(one.file))) {
    const lines = linesOf(textOf(file, contents).text);
    if (countWord(lines.text, newName) === 0) continue;
    const isEdited = (offset: number) =>
      edits.some(({ range }) => offsetAt(lines, range.start) === offset);
    const found = [
      ...(await enumMembers(language, file, edits, newName)),
      ...exportsOf(lines, isEdited, newName).map((range) => ({ file, range })),
    ];
    places.push(...found);
  }
  return places;
}

async function enumMembers(
  language: Language,
  file: string,
  edits: readonly TextEdit[],
  newName: string,
): Promise<Place[]> {
  const members = (await language.declarations(file)).filter(({ kind }) => kind === 'enum member');
  const isEdited = ({ range }: (typeof members)[number]) =>
    edits.some(
      (edit) =>
        edit.range.start.line === range.start.line &&
        edit.range.start.character === range.start.character,
    );
  const renamed = new Set(members.filter(isEdited).map(({ container }) => container));
  return members
    .filter((one) => one.name === newName && renamed.has(one.container) && !isEdited(one))
    .map(({ range }) => ({ file, range }));
}

/** Entries that have the new name already, if another one gets it. */
function exportsOf(lines: Lines, isEdited: (offset: number) => boolean, newName: string) {
  const { text } = lines;
  const regions = codeRegions(text);
  const entries = [...text.matchAll(EXPORT_LIST)]
    .filter(({ index }) => !regions.some(({ start, end }) => start <= index && index < end))
    .flatMap(({ 0: whole, 1: list = '', index }) =>
      entriesOf(list, index + whole.indexOf('{') + 1),
    );
  if (!entries.some(({ at }) => isEdited(at))) return [];
  return entries
    .filter(({ at, name }) => name === newName && !isEdited(at))
    .map(({ at }) => ({
      start: positionAt(lines, at),
      end: positionAt(lines, at + newName.length),
    }));
}

function entriesOf(list: string, start: number) {
  let at = start;
  return list.split(',').flatMap((entry) => {
    const begun = at;
    at += entry.length + 1;
    const [, name] = EXPORTED.exec(entry) ?? [];
    return name === undefined ? [] : [{ name, at: begun + entry.lastIndexOf(name) }];
  });
}
