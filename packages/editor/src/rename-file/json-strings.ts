import { type JSONPath, visit } from 'jsonc-parser';
import { type Lines, linesOf, positionAt } from '../edits/apply-edits.ts';
import type { TextEdit } from '../edits/text-edit.ts';
import { textOf } from '../edits/text-file.ts';
import type { EditedFile, Texts } from '../language/language.ts';

/** The edits of a JSON file in which some texts become others; `undefined` leaves one as it is. */
export async function editStrings(
  texts: Texts,
  file: string,
  newText: (value: string, path: JSONPath) => string | undefined,
): Promise<EditedFile> {
  const contents = await texts.read(file);
  const lines = linesOf(textOf(file, contents).text);
  return { file, contents, edits: editsIn(lines, newText) };
}

function editsIn(
  lines: Lines,
  newText: (value: string, path: JSONPath) => string | undefined,
): TextEdit[] {
  const edits: TextEdit[] = [];
  const onLiteralValue = (
    value: unknown,
    offset: number,
    length: number,
    _line: number,
    _character: number,
    pathOf: () => JSONPath,
  ) => {
    const changed = typeof value === 'string' ? newText(value, pathOf()) : undefined;
    if (changed === undefined || changed === value) return;
    const range = { start: positionAt(lines, offset), end: positionAt(lines, offset + length) };
    edits.push({ range, newText: JSON.stringify(changed) });
  };
  try {
    visit(lines.text, { onLiteralValue }, { allowTrailingComma: true });
  } catch (error) {
    // Nested deeper than anything that a package manager or a compiler would read.
    if (!(error instanceof RangeError)) throw error;
    return [];
  }
  return edits;
}
