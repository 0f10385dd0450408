import { BatonError, type ToolContext } from '@baton/core';
import { pathAfter } from '../edits/path-after.ts';
import type { EditOutcome } from '../outcome.ts';
import type { Call, EditorService } from '../service.ts';

const MOST_FILES = 40;

export function callOf(context: ToolContext, dryRun: boolean): Call {
  return { asking: context, signal: context.signal, dryRun };
}

/** What an earlier call has done, the other way round. */
export async function undone(service: EditorService, id: string) {
  const { title, writes, moves } = await service.undo(id);
  const files = new Map(moves.map(({ to }) => [to, 0]));
  for (const { file } of writes) files.set(pathAfter(moves, file), 0);
  const sorted = [...files].map(([file, edits]) => ({ file, edits })).sort(byFile);
  return {
    isApplied: true,
    edits: 0,
    fileCount: sorted.length,
    files: sorted.slice(0, MOST_FILES),
    undone: title.replace(/^undo /, ''),
  };
}

/** What is optional only because `undo` stands alone. */
export function needed<Value>(value: Value | undefined, name: string): Value {
  if (value !== undefined) return value;
  throw new BatonError(
    'invalid_input',
    `${name} is missing.`,
    'Give it, or an undo id of an earlier result alone.',
  );
}

interface Told extends Omit<EditOutcome, 'leftAlone' | 'unsaved'> {
  readonly undone?: string | undefined;
  readonly leftAlone?: EditOutcome['leftAlone'] | undefined;
  readonly unsaved?: readonly string[] | undefined;
}

/** The same facts in few words; `what` is the first line. */
export function renderEdits(what: string, data: Told): string {
  const lines = [data.undone === undefined ? what : `Taken back: ${data.undone}.`];
  if (data.fileCount > 0) lines.push(filesText(data));
  if (data.unsaved)
    lines.push(`Edited but not saved, as there were unsaved changes: ${data.unsaved.join(', ')}`);
  if (data.diff) lines.push('', data.diff);
  if (data.leftAlone) {
    const { count, places, moreFiles } = data.leftAlone;
    lines.push(
      '',
      `Mentioned in ${countOf(count, 'line')} that ${count === 1 ? 'was' : 'were'} left alone:`,
    );
    for (const { file, line, where, text } of places)
      lines.push(`${file}:${line} (${where}) ${text}`);
    if (count > places.length) lines.push(`… ${count - places.length} more`);
    if (moreFiles) lines.push(`${countOf(moreFiles, 'further file')} with the name: not looked at`);
  }
  if (data.undo) lines.push('', `undo: ${data.undo}`);
  return lines.join('\n');
}

function filesText({ files, fileCount }: Told): string {
  const names = files.map(({ file, edits }) => (edits > 0 ? `${file} (${edits})` : file));
  const more = fileCount > files.length ? ` and ${fileCount - files.length} more` : '';
  return `Files: ${names.join(', ')}${more}`;
}

/** 1 file, 2 files. */
export function countOf(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

function byFile(a: { readonly file: string }, b: { readonly file: string }): number {
  return a.file < b.file ? -1 : 1;
}
