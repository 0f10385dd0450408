import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
} from 'node:fs';
import path from 'node:path';
import { BatonError } from '@baton/core';

const MAX_BYTES = 1024 * 1024;
const MAX_LINKS = 40;
/** No system opens a longer one. */
const MAX_PATH = 32 * 1024;
// A pipe would be waited for, and a link that has just been put there followed. Windows has neither.
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

export interface WorkspaceFile {
  /** Its path in the workspace, with slashes. */
  readonly source: string;
  readonly text: string;
}

/** A text file of the workspace, by its real path: links and `..` lead nowhere else. */
export function readWorkspaceFile(workspace: string, file: string): WorkspaceFile {
  const source = sourceOf(workspace, path.resolve(workspace, file));
  return { source, text: readText(file, path.join(workspace, source)) };
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

/** Where a path leads, also by links to nothing; what is missing counts as written. */
function whereLeads(file: string, links = 0): string {
  if (file.length > MAX_PATH) return file;
  try {
    return realpathSync(file);
  } catch {
    const folder = path.dirname(file);
    if (folder === file) return file;
    const parent = whereLeads(folder, links);
    const here = path.join(parent, path.basename(file));
    const target = links < MAX_LINKS ? targetOf(here) : undefined;
    return target === undefined ? here : whereLeads(path.resolve(parent, target), links + 1);
  }
}

function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined; // Not a link.
  }
}

/** A path as it stands in approvals, unless it leads out of the workspace. */
export function sourceName(workspace: string, file: string): string | undefined {
  const relative = path.relative(workspace, file);
  const isOutside =
    relative === '' || relative.split(path.sep)[0] === '..' || path.isAbsolute(relative);
  return isOutside ? undefined : relative.split(path.sep).join('/');
}

function realFile(file: string): string {
  try {
    return realpathSync(file);
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

function readText(file: string, real: string): string {
  const bytes = readBytes(file, real);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw unusable(file, 'is not a text in UTF-8', 'Write it in UTF-8.', cause);
  }
}

function readBytes(file: string, real: string): Buffer {
  let opened: number | undefined;
  try {
    opened = openSync(real, OPEN_FLAGS);
    if (!fstatSync(opened).isFile()) {
      throw unusable(file, 'is not a regular file', 'Name a file with commands.');
    }
    // One byte more than is allowed, whatever size the file claims to have.
    const buffer = Buffer.alloc(MAX_BYTES + 1);
    let length = 0;
    for (;;) {
      const read = readSync(opened, buffer, length, buffer.length - length, null);
      length += read;
      if (length > MAX_BYTES) {
        throw unusable(file, 'is larger than 1 MiB', 'Split it into smaller files.');
      }
      if (read === 0) return buffer.subarray(0, length);
    }
  } catch (cause) {
    throw cause instanceof BatonError ? cause : unreadable(file, cause);
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}

function unreadable(file: string, cause: unknown): BatonError {
  const { code } = cause as NodeJS.ErrnoException;
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
