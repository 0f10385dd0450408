import { statfsSync } from 'node:fs';
import path from 'node:path';
import { BatonError } from '@baton/core';
import { findLockHolder } from './lock-holder.ts';

/** SQLite's primary result codes that are told apart. */
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;
const PERM = 3;
/** The extended codes of a commit that is written but perhaps not on the disk. */
const UNSURE = [1034, 1290];
/** Where the system does not tell which process has a lock. */
const UNKNOWN_HOLDER =
  process.platform === 'win32'
    ? 'end the Baton processes that the Task Manager shows, one after the other'
    : '`lsof` with the name of the file names those that have it open; continue or end them';
/** The files beside a store need this much to be opened at all. */
const LEAST_ROOM = 64 * 1024;

/** @photostructure/sqlite leaves the code out where rows are read. SQLite's words are fixed. */
const WORDS: readonly (readonly [RegExp, number])[] = [
  [/^database (schema )?is locked/, BUSY],
  [/^database table is locked/, LOCKED],
  [/^attempt to write a readonly database/, READONLY],
  [/^disk I\/O error/, IOERR],
  [/^(database disk image is malformed|malformed database schema)/, CORRUPT],
  [/^database or disk is full/, FULL],
  [/^unable to open database file/, CANTOPEN],
  [/^file is not a database/, NOTADB],
];

/**
 * Our SQL suits our tables, and our numbers suit JavaScript: if they do not, the description of
 * the tables or a row is damaged, or we have made a mistake.
 */
const UNLIKE_OURS =
  /^no such (table|column): |^foreign key mismatch|^(table|index) .* already exists|has no column named|too large to be represented as a JavaScript number/;

interface SqliteError extends Error {
  readonly errcode?: number;
}

export function isSqliteError(error: unknown): error is SqliteError {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === 'ERR_SQLITE_ERROR';
}

function primary(error: unknown): number | undefined {
  if (!isSqliteError(error)) return undefined;
  if (error.errcode !== undefined) return error.errcode & 0xff;
  return WORDS.find(([words]) => words.test(error.message))?.[1];
}

export function isBusy(error: unknown): boolean {
  const code = primary(error);
  return code === BUSY || code === LOCKED;
}

/** The connection may have been opened while the file could not be written. */
export function isReadOnly(error: unknown): boolean {
  return primary(error) === READONLY;
}

export function isDamage(error: unknown): boolean {
  const code = primary(error);
  return code === CORRUPT || code === NOTADB;
}

/** What a person can do about an error of SQLite. Errors of whoever called stay what they are. */
export function explain(error: unknown, file: string): unknown {
  const code = primary(error);
  const detail = isSqliteError(error) ? `${error.message}, code ${error.errcode ?? code}` : '';
  const fail = (name: string, message: string, next: string) =>
    new BatonError(name, `${message} (${detail}).`, next, { cause: error });
  switch (code) {
    case BUSY:
    case LOCKED:
      return storeBusy(file, error);
    case FULL:
      return storeFull(file, detail, error);
    case IOERR:
      return storeIo(file, detail, error as SqliteError);
    case READONLY:
    case PERM:
      return storeReadOnly(file, error);
    case CANTOPEN:
      return fail(
        'store_unreadable',
        `The store ${file} cannot be opened; nothing was changed`,
        'Make the file and its folder readable and writable (SQLite puts two files beside it, even to read), or name another folder with BATON_STATE.',
      );
    case CORRUPT:
    case NOTADB:
      return storeCorrupt(file, detail, error);
    default:
      return isUnlikeOurs(error) ? storeUnexpected(file, error) : error;
  }
}

function storeUnexpected(file: string, error: Error): BatonError {
  return new BatonError(
    'store_unexpected',
    `The store ${file} does not hold what Baton has put there (${error.message}); nothing was changed.`,
    'Run `baton store check`. If it finds damage, put a backup in place; if not, this is a fault of Baton: report it with the log that `baton doctor` names.',
    { cause: error },
  );
}

function isUnlikeOurs(error: unknown): error is Error {
  const { code, message } = error as NodeJS.ErrnoException;
  const isOfLibrary = code === 'ERR_SQLITE_ERROR' || code === 'ERR_OUT_OF_RANGE';
  return isOfLibrary && UNLIKE_OURS.test(message);
}

/** The same for an error of the file system, such as ENOSPC or EACCES. */
export function explainFile(error: unknown, file: string): unknown {
  const { code, message, syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return error;
  if (code === 'ENOSPC' || code === 'EDQUOT') return storeFull(file, message, error);
  if (code === 'EROFS') return storeReadOnly(file, error);
  if (code === 'EIO') return diskFailed(file, message, error);
  return new BatonError(
    'store_unreadable',
    `The store ${file} cannot be reached; nothing was changed (${message}).`,
    'Make the file and its folder readable and writable, or name another folder with BATON_STATE.',
    { cause: error },
  );
}

function storeFull(file: string, detail: string, cause: unknown): BatonError {
  return new BatonError(
    'store_full',
    `There is no room to write the store ${file}; nothing was changed (${detail}).`,
    'Free some disk space and try again.',
    { cause },
  );
}

function storeIo(file: string, detail: string, error: SqliteError): BatonError {
  if (UNSURE.includes(error.errcode ?? 0)) {
    return new BatonError(
      'store_io',
      `The disk failed while the store ${file} was written: it is not certain that the last change is not kept (${detail}).`,
      'Check the disk, then look whether the change was made before you try again.',
      { cause: error },
    );
  }
  return hasNoRoom(file) ? storeFull(file, detail, error) : diskFailed(file, detail, error);
}

function diskFailed(file: string, detail: string, cause: unknown): BatonError {
  return new BatonError(
    'store_io',
    `The disk failed while the store ${file} was used; nothing was changed (${detail}).`,
    'Check the disk and its free space, then try again.',
    { cause },
  );
}

/** SQLite calls it a failure of the disk too if there is no room for its shared memory. */
function hasNoRoom(file: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path.dirname(path.resolve(file)));
    return bavail * bsize < LEAST_ROOM;
  } catch {
    return false;
  }
}

function storeBusy(file: string, cause?: unknown): BatonError {
  const holder = findLockHolder(file);
  const who = holder && `process ${holder.pid} (${holder.program})`;
  if (holder?.isStopped) {
    return new BatonError(
      'store_busy',
      `The store ${file} is held by ${who}, which is stopped; nothing was changed.`,
      `Let it go on with \`kill -CONT ${holder.pid}\`, or end it with \`kill -KILL ${holder.pid}\`: what it has not finished is undone. Then try again.`,
      { cause },
    );
  }
  return new BatonError(
    'store_busy',
    `The store ${file} was in use by others all the time${who ? `, now by ${who}` : ''}; nothing was changed.`,
    `Try again. If it goes on, a process hangs while it writes: ${holder ? `end process ${holder.pid}` : UNKNOWN_HOLDER}.`,
    { cause },
  );
}

function storeReadOnly(file: string, cause?: unknown): BatonError {
  return new BatonError(
    'store_read_only',
    `The store ${file} cannot be written; nothing was changed.`,
    'Make the file and its folder writable, or name another folder with BATON_STATE.',
    { cause },
  );
}

export function storeCorrupt(file: string, detail: string, cause?: unknown): BatonError {
  return new BatonError(
    'store_corrupt',
    `The store ${file} is damaged: ${detail}. It was left as it is.`,
    'Stop all Baton processes and run `baton store check`. Then move the file away, with its -wal and -shm, and put a backup in its place, or begin anew without.',
    { cause },
  );
}
