import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { type FileProblem, problemOf } from './file-problem.ts';
import { type FileStamp, stampOf } from './file-stamp.ts';
import { leadsOutOf } from './leads-out.ts';

// A pipe would be waited for. Windows has no such flags.
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
const NO_LINK = constants.O_NOFOLLOW ?? 0;

export interface Opening {
  /** Whether its path was real when it was last looked at: a link there now is not followed. */
  readonly isReal?: true;
}

export interface Reading extends Opening {
  /** What is larger is not read. All of it is held in memory. */
  readonly maxBytes: number;
}

/** Opens a regular file below a real folder, unless a link leads out of it. The caller closes it. */
export function openWithin(
  folder: string,
  file: string,
  { isReal }: Opening = {},
): { readonly opened: number; readonly stat: Stats } | FileProblem {
  const full = path.join(folder, file);
  let opened: number | undefined;
  let isKept = false;
  try {
    opened = openSync(full, isReal ? OPEN_FLAGS | NO_LINK : OPEN_FLAGS);
    const stat = fstatSync(opened);
    if (!stat.isFile()) return { problem: 'irregular' };
    // After it was opened, and of what was opened: it may be replaced at any moment.
    if (!isWithin(folder, full, opened)) return { problem: 'outside' };
    isKept = true;
    return { opened, stat };
  } catch (error) {
    return problemOf(error);
  } finally {
    if (opened !== undefined && !isKept) closeSync(opened);
  }
}

export function readBytesWithin(
  folder: string,
  file: string,
  { maxBytes, ...opening }: Reading,
): { readonly bytes: Buffer; readonly stat: Stats } | FileProblem {
  const found = openWithin(folder, file, opening);
  if ('problem' in found) return found;
  const { opened, stat } = found;
  try {
    const bytes = stat.size > maxBytes ? undefined : readBytes(opened, stat.size, maxBytes);
    return bytes ? { bytes, stat } : { problem: 'large' };
  } catch (error) {
    return problemOf(error);
  } finally {
    closeSync(opened);
  }
}

/** A text file below a real folder; what a link has led out of it is not read. */
export function readFileWithin(
  folder: string,
  file: string,
  { now, ...reading }: Reading & { readonly now: () => number },
): { readonly text: string; readonly stamp: FileStamp } | FileProblem {
  const read = readBytesWithin(folder, file, reading);
  if ('problem' in read) return read;
  const decoded = textOf(read.bytes);
  return 'problem' in decoded ? decoded : { ...decoded, stamp: stampOf(read.stat, now()) };
}

function isWithin(folder: string, full: string, opened: number): boolean {
  const linked = linkedPath(opened);
  if (linked !== undefined) return isBelow(folder, linked);
  // Elsewhere the path is looked at again; it may be swapped meanwhile, but hardly three times.
  const { dev, ino } = fstatSync(opened);
  const isSame = () => {
    const real = realpathSync(full);
    const stat = statSync(real);
    return isBelow(folder, real) && stat.dev === dev && stat.ino === ino;
  };
  return isSame() && isSame() && isSame();
}

/** Where an opened file really is; only Linux tells. */
function linkedPath(opened: number): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${opened}`);
  } catch {
    return undefined;
  }
}

function isBelow(folder: string, file: string): boolean {
  return file !== folder && !leadsOutOf(folder, file);
}

/** `undefined` if there is more than is allowed, whatever size the file claims to have. */
function readBytes(opened: number, size: number, maxBytes: number): Buffer | undefined {
  let buffer = Buffer.allocUnsafe(size + 1);
  let length = 0;
  for (;;) {
    const read = readSync(opened, buffer, length, buffer.length - length, null);
    length += read;
    if (read === 0) return buffer.subarray(0, length);
    if (length > maxBytes) return undefined;
    // It has grown since its size was looked at.
    if (length === buffer.length) {
      buffer = Buffer.concat([buffer], Math.min(length * 2, maxBytes) + 1);
    }
  }
}

function textOf(bytes: Buffer): { readonly text: string } | FileProblem {
  const nul = bytes.indexOf(0);
  if (nul >= 0) return { problem: 'binary', line: lineAt(bytes, nul) };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { problem: 'not-utf8' };
  }
}

function lineAt(bytes: Buffer, offset: number): number {
  let line = 1;
  for (let at = 0; at < offset; at++) if (bytes[at] === 10) line += 1;
  return line;
}
