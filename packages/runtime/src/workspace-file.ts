import { realpathSync } from 'node:fs';
import path from 'node:path';
import { BatonError, requireUnprotected, type Workspace } from '@baton/core';
import {
  type FileProblem,
  leadsOutOf,
  readBytesWithin,
  requireUnprotectedIn,
  whereLeads,
} from '@baton/folders/files';

const MAX_BYTES = 1024 * 1024;

export interface WorkspaceFile {
  /** Its path in the workspace, with slashes. */
  readonly source: string;
  readonly text: string;
}

/** A text file of the workspace, by its real path: links and `..` lead nowhere else. */
export function readWorkspaceFile(workspace: string, file: string): WorkspaceFile {
  const source = sourceOf(workspace, path.resolve(workspace, file));
  return { source, text: readText(file, workspace, source) };
}

/** The path in the workspace of a file that exists there. */
export function sourceOf(workspace: string, file: string): string {
  // First of all: what is there and what is not outside of the workspace is nobody's business.
  if (sourceName(workspace, whereLeads(file)) === undefined) throw outside(workspace, file);
  const source = sourceName(workspace, realFile(file));
  if (source === undefined) throw outside(workspace, file); // It was replaced meanwhile.
  return source;
}

function outside(workspace: string, file: string): BatonError {
  return unusable(file, 'is outside of the workspace', `Name a file in ${workspace}.`);
}

/** A path as it stands in approvals, unless it leads out of the workspace. */
export function sourceName(workspace: string, file: string): string | undefined {
  const relative = path.relative(workspace, file);
  if (relative === '' || leadsOutOf(workspace, file)) return undefined;
  return relative.split(path.sep).join('/');
}

/**
 * Throws if files must not be written into a folder. Within a checkout only the names below its
 * top count: some agents keep their worktrees in a folder of their own.
 */
export function requireUnprotectedFolder(
  { path: workspace, checkout = workspace }: Pick<Workspace, 'path' | 'checkout'>,
  folder: string,
): void {
  // Of a file in it: what a link leads to below the folder stays as it is.
  for (const place of [folder, whereLeads(folder)].map((one) => path.join(one, 'file'))) {
    const top = [checkout, workspace].find((one) => !leadsOutOf(one, place));
    if (top === undefined) requireUnprotected(place);
    else requireUnprotectedIn(top, [path.relative(top, place).split(path.sep).join('/')]);
  }
}

function realFile(file: string): string {
  try {
    return realpathSync(file);
  } catch (cause) {
    throw unreadable(file, (cause as NodeJS.ErrnoException).code, cause);
  }
}

function readText(file: string, workspace: string, source: string): string {
  const read = readBytesWithin(workspace, source, { maxBytes: MAX_BYTES, isReal: true });
  if ('problem' in read) throw refusal(workspace, file, read);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(read.bytes);
  } catch (cause) {
    throw unusable(file, 'is not a text in UTF-8', 'Write it in UTF-8.', cause);
  }
}

function refusal(workspace: string, file: string, found: FileProblem): BatonError {
  switch (found.problem) {
    case 'irregular':
      return unusable(file, 'is not a regular file', 'Name a file with commands.');
    case 'large':
      return unusable(file, 'is larger than 1 MiB', 'Split it into smaller files.');
    case 'outside':
      return outside(workspace, file); // It was replaced meanwhile.
    default:
      return unreadable(file, 'code' in found ? found.code : 'ENOENT');
  }
}

function unreadable(file: string, code: string | undefined, cause?: unknown): BatonError {
  const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
  return unusable(
    file,
    isMissing ? 'does not exist' : `cannot be read (${code})`,
    isMissing ? 'Name a file that exists.' : 'Make it readable, or name another file.',
    cause,
  );
}

export function unusable(file: string, what: string, next: string, cause?: unknown): BatonError {
  return new BatonError('file_unusable', `${file} ${what}.`, next, { cause });
}
