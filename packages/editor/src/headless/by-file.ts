import { linesOf, placedEdits } from '../edits/apply-edits.ts';
import type { TextEdit } from '../edits/text-edit.ts';
import { textOf } from '../edits/text-file.ts';
import { changedMeanwhile } from '../failures.ts';
import type { EditedFile } from '../language/language.ts';

/** A server may know a file by several paths, or in several projects: it is edited once. */
export function byFile(edited: readonly EditedFile[]): EditedFile[] {
  const files = new Map<string, EditedFile>();
  for (const one of edited) {
    const known = files.get(one.file) ?? { ...one, edits: [] };
    files.set(one.file, { ...known, edits: merged(known, one.edits) });
  }
  return [...files.values()];
}

function merged({ file, contents, edits }: EditedFile, more: readonly TextEdit[]): TextEdit[] {
  const all = new Map([...edits, ...more].map((edit) => [JSON.stringify(edit), edit]));
  const unique = [...all.values()];
  try {
    placedEdits(linesOf(textOf(file, contents).text), unique);
  } catch (error) {
    // The paths are no longer one file, or were not when the other answer was computed.
    if (error instanceof TypeError) throw changedMeanwhile([file]);
    throw error;
  }
  return unique;
}
