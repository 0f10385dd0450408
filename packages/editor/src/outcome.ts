import { compactDiff } from './edits/diff.ts';
import { textOf } from './edits/text-file.ts';
import type { EditedFile } from './language/language.ts';
import type { LeftAlone } from './left-alone.ts';

/** Keeps answers below what clients cut off. */
const DIFF_ROOM = 5000;
const MOST_FILES = 40;

/** What became of files, as every tool that edits them tells it. */
export interface EditOutcome {
  readonly isApplied: boolean;
  /** How many places were edited. */
  readonly edits: number;
  readonly fileCount: number;
  readonly files: readonly { readonly file: string; readonly edits: number }[];
  /** Takes it back. */
  readonly undo?: string;
  /** Files that a person was editing: they are changed in the editor only. */
  readonly unsaved?: readonly string[];
  readonly diff?: string;
  readonly leftAlone?: LeftAlone;
}

export interface Outlook {
  readonly edited: readonly EditedFile[];
  readonly leftAlone?: LeftAlone | undefined;
  readonly undo?: string | undefined;
  readonly unsaved?: readonly string[] | undefined;
  /** Where files are afterwards. */
  pathAfter(file: string): string;
}

export function outcomeOf(
  { edited, leftAlone, undo, unsaved = [], pathAfter }: Outlook,
  isApplied: boolean,
): EditOutcome {
  // Servers tell them in any order.
  const changed = edited
    .filter(({ edits }) => edits.length > 0)
    .sort((a, b) => (a.file < b.file ? -1 : 1));
  const files = changed
    .map(({ file, edits }) => ({ file: pathAfter(file), edits: edits.length }))
    .sort((a, b) => (a.file < b.file ? -1 : 1));
  return {
    isApplied,
    edits: files.reduce((sum, { edits }) => sum + edits, 0),
    fileCount: files.length,
    files: files.slice(0, MOST_FILES),
    ...(undo !== undefined && { undo }),
    ...(unsaved.length > 0 && { unsaved: unsaved.slice(0, MOST_FILES) }),
    ...(!isApplied && { diff: diffOf(changed, pathAfter) }),
    ...(leftAlone && leftAlone.count + (leftAlone.moreFiles ?? 0) > 0 && { leftAlone }),
  };
}

function diffOf(edited: readonly EditedFile[], pathAfter: (file: string) => string): string {
  const files = edited.map(({ file, contents, edits }) => {
    const to = pathAfter(file);
    const before = textOf(file, contents).text;
    return { file, before, edits, ...(to !== file && { to }) };
  });
  return compactDiff(files, DIFF_ROOM).text;
}
