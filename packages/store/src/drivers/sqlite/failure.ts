import { BatonError } from '@baton/core';

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

/** SQLite's own words for them: @photostructure/sqlite gives no code when rows are read. */
const CODES_BY_TEXT: readonly (readonly [text: string, code: number])[] = [
  ['database is locked', BUSY],
  ['database table is locked', LOCKED],
  ['database schema is locked', LOCKED],
  ['attempt to write a readonly database', READONLY],
  ['disk I/O error', IOERR],
  ['database disk image is malformed', CORRUPT],
  ['malformed database schema', CORRUPT],
  ['database or disk is full', FULL],
  ['unable to open database file', CANTOPEN],
  ['file is not a database', NOTADB],
  ['access permission denied', PERM],
];

interface SqliteError extends Error {
  readonly errcode?: number;
}

export function isSqliteError(error: unknown): error is SqliteError {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === 'ERR_SQLITE_ERROR';
}

function primary(error: unknown): number | undefined {
  if (!isSqliteError(error)) return undefined;
  if (error.errcode !== undefined) return error.errcode & 0xff;
  return CODES_BY_TEXT.find(([text]) => error.message.startsWith(text))?.[1];
}

export function isBusy(error: unknown): boolean {
  const code = primary(error);
  return code === BUSY || code === LOCKED;
}

/** The connection may have been opened while the file could not be written. */
export function isReadOnly(error: unknown): boolean {
  return primary(error) === READONLY;
}

/** What a person can do about an error of SQLite. Errors in our own SQL stay what they are. */
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
      return fail(
        'store_full',
        `There is no room to write the store ${file}; nothing was changed`,
        'Free some disk space and try again.',
      );
    case IOERR:
      return fail(
        'store_io',
        `The disk failed while the store ${file} was used; what was being written is not kept`,
        'Free some disk space or check the disk, then try again.',
      );
    case READONLY:
    case PERM:
      return storeReadOnly(file, error);
    case CANTOPEN:
      return fail(
        'store_unreadable',
        `The store ${file} cannot be opened`,
        'Make the file and its folder readable and writable, or name another folder with BATON_STATE.',
      );
    case CORRUPT:
    case NOTADB:
      return storeCorrupt(file, detail, error);
    default:
      return error;
  }
}

export function storeBusy(file: string, cause?: unknown): BatonError {
  return new BatonError(
    'store_busy',
    `The store ${file} was in use by others all the time; nothing was changed.`,
    'Try again. If it goes on, a process hangs while it writes: `baton store info` names those that hold leases.',
    { cause },
  );
}

export function storeReadOnly(file: string, cause?: unknown): BatonError {
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
    'Stop all Baton processes, run `baton store check`, then put a backup in its place, or move the file (with its -wal and -shm) away to begin anew.',
    { cause },
  );
}
