import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { leadsOutOf } from './leads-out.ts';

/** Larger files are no knowledge that an agent could be given. */
export const MAX_FILE_BYTES = 1024 * 1024;

// A pipe would be waited for. Windows has no such flag.
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

export interface FileStamp {
  readonly size: number;
  /** When its contents or its name changed last; 0 if it may change unnoticed. */
  readonly changed: number;
}

export type ReadFile =
  | { readonly text: string; readonly stamp: FileStamp }
  /** A problem that passes may be over the next time. */
  | { readonly problem: string; readonly line?: number; readonly isPassing?: true };

/** A file whose clock has not ticked since it changed may change again without a new time. */
const CLOCK_TICK_MS = 50;

export function stampOf(
  stat: { readonly size: number; readonly ctimeMs: number },
  now: number,
): FileStamp {
  const isSettled = Math.abs(now - stat.ctimeMs) > CLOCK_TICK_MS;
  return { size: stat.size, changed: isSettled ? stat.ctimeMs : 0 };
}

/** A text file below a real folder; what a link has led out of it is not read. */
export function readFileWithin(folder: string, file: string, now: () => number): ReadFile {
  const full = path.join(folder, file);
  let opened: number | undefined;
  try {
    opened = openSync(full, OPEN_FLAGS);
    const stat = fstatSync(opened);
    if (!stat.isFile()) return { problem: 'This is not a regular file.' };
    // After it was opened, and of what was opened: it may be replaced at any moment.
    if (!isWithin(folder, full, opened)) return { problem: 'This leads out of the folder.' };
    if (stat.size > MAX_FILE_BYTES) return { problem: 'This is larger than 1 MiB: split it.' };
    const bytes = readBytes(opened, stat.size);
    if (!bytes) return { problem: 'This is larger than 1 MiB: split it.' };
    return { ...textOf(bytes), stamp: stampOf(stat, now()) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!code) throw error;
    const isGone = code === 'ENOENT' || code === 'ENOTDIR';
    const problem = isGone ? 'This does not exist.' : `This cannot be read (${code}).`;
    return { problem, isPassing: true };
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
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
function readBytes(opened: number, size: number): Buffer | undefined {
  const buffer = Buffer.allocUnsafe(Math.min(size, MAX_FILE_BYTES) + 1);
  let length = 0;
  for (;;) {
    const read = readSync(opened, buffer, length, buffer.length - length, null);
    length += read;
    if (read === 0) return buffer.subarray(0, length);
    if (length === buffer.length)
      return length > MAX_FILE_BYTES ? undefined : readGrown(opened, buffer);
  }
}

/** It has grown since its size was looked at. */
function readGrown(opened: number, begun: Buffer): Buffer | undefined {
  const buffer = Buffer.alloc(MAX_FILE_BYTES + 1);
  let length = begun.copy(buffer);
  for (;;) {
    const read = readSync(opened, buffer, length, buffer.length - length, null);
    length += read;
    if (length > MAX_FILE_BYTES) return undefined;
    if (read === 0) return buffer.subarray(0, length);
  }
}

function textOf(bytes: Buffer): { text: string } | { problem: string; line?: number } {
  const nul = bytes.indexOf(0);
  if (nul >= 0)
    return { problem: 'This is not a text: it holds a NUL byte.', line: lineAt(bytes, nul) };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { problem: 'This is not a text in UTF-8.' };
  }
}

function lineAt(bytes: Buffer, offset: number): number {
  let line = 1;
  for (let at = 0; at < offset; at++) if (bytes[at] === 10) line += 1;
  return line;
}
