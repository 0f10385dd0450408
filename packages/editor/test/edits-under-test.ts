export { applyEdits, linesOf, offsetAt, positionAt, textIn } from '../src/edits/apply-edits.ts';
export { type ChangedFile, compactDiff } from '../src/edits/diff.ts';
export type { Position, TextEdit } from '../src/edits/text-edit.ts';
