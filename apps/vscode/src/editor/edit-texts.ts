import type { TextEdit } from '@baton/editor/link';
import * as vscode from 'vscode';

export function toEditorEdit({ range, newText }: TextEdit): vscode.TextEdit {
  return new vscode.TextEdit(toEditorRange(range), newText);
}

function toEditorRange({ start, end }: TextEdit['range']): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

export function fromEditorRange({ start, end }: vscode.Range): TextEdit['range'] {
  return {
    start: { line: start.line, character: start.character },
    end: { line: end.line, character: end.character },
  };
}

export function fromEditorEdit({ range, newText }: vscode.TextEdit): TextEdit {
  return { range: fromEditorRange(range), newText };
}

/** One edit from the first difference to the last: cursors and folds elsewhere stay. */
export function differenceTo(document: vscode.TextDocument, wanted: string): vscode.TextEdit {
  const text = document.getText();
  const most = Math.min(text.length, wanted.length);
  let start = 0;
  while (start < most && text[start] === wanted[start]) start += 1;
  let same = 0;
  while (same < most - start && text.at(-1 - same) === wanted.at(-1 - same)) same += 1;
  // Not between the two characters of a line break.
  if (text[start - 1] === '\r') start -= 1;
  if (same > 0 && text.at(-same) === '\n') same -= 1;
  const range = new vscode.Range(
    document.positionAt(start),
    document.positionAt(text.length - same),
  );
  return new vscode.TextEdit(range, wanted.slice(start, wanted.length - same));
}
