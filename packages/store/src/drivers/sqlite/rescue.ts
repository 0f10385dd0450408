import { rmSync, statSync } from 'node:fs';
import { BatonError } from '@baton/core';
import type { Binding } from './binding.ts';
import { Connection } from './connection.ts';
import { isSqliteError } from './failure.ts';
import { backup, check } from './maintenance.ts';
import { findFiles, isSameFile, type StoreFiles } from './store-files.ts';

const MAX_WAIT_MS = 1000;

/** What becomes of changes that are only in files which nobody else finds any more. */
export type Rescue =
  | { readonly kept: 'in the store' }
  | { readonly kept: 'in a copy'; readonly copy: string }
  | { readonly kept: 'elsewhere' }
  | { readonly kept: 'not' };

interface Lost {
  readonly binding: Binding;
  readonly file: string;
  readonly files: StoreFiles;
  readonly writer: Connection;
  readonly reader: Connection;
  /** When the store was opened, as wall time. */
  readonly since: number;
  /** Whether the log belongs to the database that is there now, which no other program has written. */
  readonly isIntact: (now: StoreFiles) => boolean;
}

/** Saves what an open store holds whose files were moved, removed or replaced. Nobody reads it. */
export function rescue(lost: Lost): Rescue {
  const now = findFiles(lost.file);
  if (isSameFile(now.database, lost.files.database)) {
    // A backup was copied over it, for which our changes are not made.
    if (!lost.isIntact(now)) return copyOf(lost);
    // Nobody else can have written to the log, or everybody has the same log as we.
    if (canCheckpoint(lost.files, now)) {
      return checkpoint(lost.writer) ? { kept: 'in the store' } : copyOf(lost);
    }
    return isSameFile(now.log, lost.files.log) ? { kept: 'in the store' } : copyOf(lost);
  }
  // Somebody has removed the whole store, or moved it.
  if (!now.database && !isSameFile(now.log, lost.files.log)) return { kept: 'elsewhere' };
  const copied = copyOf(lost);
  // The log of the old database must not be taken for that of the new one.
  if (now.database && isSameFile(now.log, lost.files.log)) checkpoint(lost.writer);
  return copied;
}

/** For a commit that went to files which nobody finds: whether it is in the database after all. */
export function rescueInPlace(lost: Lost): boolean {
  const { file, files, writer } = lost;
  const now = findFiles(file);
  const isSame = isSameFile(now.database, files.database) && lost.isIntact(now);
  return isSame && canCheckpoint(files, now) && checkpoint(writer);
}

/**
 * The log may go into the database unless somebody has begun another one: a process that comes
 * later makes an index first, or uses ours; and an empty log was not written to.
 */
function canCheckpoint(ours: StoreFiles, now: StoreFiles): boolean {
  const isOursOrNone = !now.log || isSameFile(now.log, ours.log);
  if (!now.index) return isOursOrNone;
  return isSameFile(now.index, ours.index) && (isOursOrNone || now.log?.size === 0n);
}

function checkpoint(writer: Connection): boolean {
  try {
    // It is used for nothing else any more; the others let go of it in a moment.
    writer.exec(`pragma busy_timeout = ${MAX_WAIT_MS}`);
    writer.setDurability('durable');
    const [row] = writer.query('pragma wal_checkpoint(truncate)').rows;
    return row?.busy === 0;
  } catch (error) {
    if (isSqliteError(error)) return false;
    throw error;
  }
}

/** A copy beside the store. All processes that had it open hold the same: the first one makes it. */
function copyOf({ binding, file, files, reader, since }: Lost): Rescue {
  const name = `${file}.rescued-${files.log?.ino ?? 0}`;
  const found = statSync(name, { throwIfNoEntry: false });
  if (found && found.mtimeMs >= since) return { kept: 'in a copy', copy: name };
  const copy = found ? `${name}-${Date.now()}` : name;
  try {
    backup(reader, copy);
    const made = new Connection(binding, copy, { readOnly: true });
    try {
      if (check(made).length === 0) return { kept: 'in a copy', copy };
    } finally {
      made.close();
    }
    rmSync(copy);
    return { kept: 'not' };
  } catch (error) {
    if (error instanceof BatonError || isSqliteError(error)) return { kept: 'not' };
    throw error;
  }
}

export function storeReplaced(file: string, outcome: Rescue): BatonError {
  return new BatonError(
    'store_replaced',
    `The store ${file} or one of its files -wal and -shm was removed or replaced while it was in use; nothing was changed.${sentenceFor(outcome)}`,
    'Try again to go on with the store that is there now.',
  );
}

export function commitUnsure(file: string, outcome: Rescue): BatonError {
  return new BatonError(
    'store_replaced',
    `The store ${file} or one of its files -wal and -shm was removed or replaced while it was written: it is not certain that the last change is kept.${sentenceFor(outcome)}`,
    'Look whether the change was made before you try again.',
  );
}

/** The database was written by another program, and what it holds now is older. */
export function storeOverwritten(file: string): BatonError {
  return new BatonError(
    'store_replaced',
    `The store ${file} was overwritten with an older one while it was in use; nothing was changed.`,
    'Try again to go on with the store that is there now.',
  );
}

function sentenceFor(outcome: Rescue): string {
  switch (outcome.kept) {
    case 'in the store':
      return ' All that was acknowledged before is kept.';
    case 'in a copy':
      return ` What it held is kept in ${outcome.copy}.`;
    case 'elsewhere':
      return '';
    case 'not':
      return ' What was acknowledged last may be lost: it could not be copied.';
  }
}
