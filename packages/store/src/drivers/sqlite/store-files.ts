import { type BigIntStats, lstatSync, realpathSync, statSync } from 'node:fs';
import { explainFile } from './failure.ts';

/** The files of a store: the database, its log and the index of the log, by which it is locked. */
export interface StoreFiles {
  /** Without links: SQLite names the log and its index after it. */
  readonly real: string;
  readonly database: BigIntStats | undefined;
  readonly log: BigIntStats | undefined;
  readonly index: BigIntStats | undefined;
}

/** What is found under the store's name now. */
export function findFiles(file: string): StoreFiles {
  const real = realPath(file);
  return {
    real,
    database: lookAt(real),
    log: lookAt(`${real}-wal`),
    index: lookAt(`${real}-shm`),
  };
}

export interface FoundFiles {
  readonly database: BigIntStats | undefined;
  readonly log: BigIntStats | undefined;
}

/**
 * The database and its log as they are now, if a process that opens the store now uses the very
 * files that we use. If not, what we write is lost, or damages what others write.
 */
export function findUnmoved(file: string, ours: StoreFiles): FoundFiles | undefined {
  const { real } = ours;
  const database = lookAt(real);
  const log = lookAt(`${real}-wal`);
  const isUnmoved =
    isSameFile(database, ours.database) &&
    isSameFile(log, ours.log) &&
    isSameFile(lookAt(`${real}-shm`), ours.index) &&
    isLinkUnmoved(file, real, ours.database);
  return isUnmoved ? { database, log } : undefined;
}

/** A link on the way to it may lead somewhere else by now. */
export function isLinkUnmoved(
  file: string,
  real: string,
  database: BigIntStats | undefined,
): boolean {
  return real === file || isSameFile(follow(file), database);
}

export function isSameFile(one: BigIntStats | undefined, other: BigIntStats | undefined): boolean {
  return one?.ino === other?.ino && one?.dev === other?.dev;
}

export function realPath(file: string): string {
  try {
    return realpathSync.native(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return file;
    throw explainFile(error, file);
  }
}

export function lookAt(file: string): BigIntStats | undefined {
  try {
    return lstatSync(file, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    throw explainFile(error, file);
  }
}

function follow(file: string): BigIntStats | undefined {
  try {
    return statSync(file, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    throw explainFile(error, file);
  }
}
