import {
  accessSync,
  constants,
  existsSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { BatonError } from '@baton/core';
import type { Facts } from '../../driver.ts';
import type { Binding } from './binding.ts';
import type { Connection } from './connection.ts';
import { isBusy, isDamage } from './failure.ts';
import { fileSystemOf, look, readMountTable } from './place.ts';

/** What `pragma integrity_check` says at most. */
const MAX_FINDINGS = 20;
/** Pages given back at a time: some milliseconds of work. */
const PAGES_AT_A_TIME = 256;

interface OpenConnections {
  readonly reader: Connection;
  readonly isWritable: boolean;
}

export function facts(
  { reader, isWritable }: OpenConnections,
  binding: Binding,
  file: string,
): Facts {
  const folder = path.dirname(path.resolve(file));
  const { bavail, bsize } = statfsSync(folder);
  return {
    place: file,
    driver: binding.name,
    engine: `SQLite ${binding.version}`,
    journal: String(reader.value('pragma journal_mode')),
    fileSystem: fileSystemOf(folder, readMountTable()) || 'unknown',
    isWritable: isWritable && canBeWritten(file) && canBeWritten(folder),
    bytes: (look(file)?.size ?? 0) + (look(`${file}-wal`)?.size ?? 0),
    freeBytes: bavail * bsize,
  };
}

function canBeWritten(place: string): boolean {
  try {
    accessSync(place, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

export function check(connection: Connection): readonly string[] {
  const structure = connection
    .query(`pragma integrity_check(${MAX_FINDINGS})`)
    .rows.flatMap((row) => String(Object.values(row)[0]).split('\n'))
    .filter((line) => line !== 'ok');
  const references = connection
    .query('pragma foreign_key_check')
    .rows.map(({ table, rowid, parent }) => `row ${rowid} of ${table} has no ${parent}`);
  return [...structure, ...references].slice(0, MAX_FINDINGS);
}

/** A copy of one moment, complete or not there at all. */
export function backup(connection: Connection, target: string): void {
  if (existsSync(target)) {
    throw new BatonError(
      'backup_exists',
      `${target} exists already.`,
      'Name a file that does not exist yet.',
    );
  }
  const unfinished = `${target}.${process.pid}.new`;
  try {
    rmSync(unfinished, { force: true });
    // Private from its first byte on.
    writeFileSync(unfinished, '', { mode: 0o600, flag: 'wx' });
    connection.query('vacuum into ?', [unfinished]);
    renameSync(unfinished, target);
  } catch (error) {
    throw isBusy(error) || isDamage(error) ? error : backupFailed(target, error);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

function backupFailed(target: string, cause: unknown): BatonError {
  return new BatonError(
    'backup_failed',
    `The backup ${target} was not made: ${(cause as Error).message}. The store itself is as it was.`,
    'See that its folder exists, can be written and has room, then try again.',
    { cause },
  );
}

export function shrink(connection: Connection, how: 'a little' | 'all'): void {
  if (how === 'a little') {
    connection.query(`pragma incremental_vacuum(${PAGES_AT_A_TIME})`);
    return;
  }
  connection.exec('vacuum');
  connection.query('pragma wal_checkpoint(truncate)');
}
