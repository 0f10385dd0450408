import { type BigIntStats, closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { endianness, uptime } from 'node:os';
import { BatonError } from '@baton/core';
import { lookAt } from './store-files.ts';

/** SQLite's header of a log's index: two copies, then how much of the log is in the database. */
const COPY = 48;
const VERSION = 3_007_000;
const IS_INITIALIZED_AT = 12;
const FRAMES_AT = 16;
const CHECKPOINTED_AT = 96;
const HEADER = 100;

/** To close a file ends the locks that this process has on it: so an index in use is not opened. */
const inUse = new Map<string, number>();

/** Keeps the index of a log that SQLite has open in this process from being read here. */
export function holdIndex(index: BigIntStats | undefined): () => void {
  const id = idOf(index);
  inUse.set(id, (inUse.get(id) ?? 0) + 1);
  return () => inUse.set(id, (inUse.get(id) ?? 1) - 1);
}

/**
 * Refuses a store whose log was removed although it held changes that the database does not have,
 * which the index of the log still counts. SQLite would go on without a word.
 */
export function refuseLostLog(file: string, real: string): void {
  const before = readHeader(`${real}-shm`);
  if (!before || (lookAt(`${real}-wal`)?.size ?? 0n) > 0n) return;
  const missing = missingFrames(before);
  if (missing === 0) return;
  // Somebody may just have emptied the log, or begun to write it.
  if (!readHeader(`${real}-shm`)?.equals(before)) return;
  if ((lookAt(`${real}-wal`)?.size ?? 0n) > 0n) return;
  throw new BatonError(
    'store_corrupt',
    `The store ${file} is damaged: its log ${real}-wal is gone, and with it ${missing} changed pages that were acknowledged. It was left as it is.`,
    `If a Baton process still uses the store, call a tool of it or end it: it saves what it holds. Otherwise put a backup in place, or remove ${real}-shm to go on without these changes.`,
  );
}

/** The header as it was left by a process; what is older than the last start of the machine is not known to be written as it was. */
function readHeader(index: string): Buffer | undefined {
  const found = lookAt(index);
  if (!found?.isFile() || (inUse.get(idOf(found)) ?? 0) > 0) return undefined;
  let descriptor: number | undefined;
  try {
    descriptor = openSync(index, 'r');
    const header = Buffer.alloc(HEADER);
    if (Date.now() - fstatSync(descriptor).mtimeMs > uptime() * 1000) return undefined;
    return readSync(descriptor, header, 0, HEADER, 0) === HEADER ? header : undefined;
  } catch {
    return undefined; // SQLite will say what is wrong with it.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function missingFrames(header: Buffer): number {
  const isWhole = header.subarray(0, COPY).equals(header.subarray(COPY, 2 * COPY));
  const numberAt = (offset: number) =>
    endianness() === 'LE' ? header.readUInt32LE(offset) : header.readUInt32BE(offset);
  if (!isWhole || numberAt(0) !== VERSION || header[IS_INITIALIZED_AT] !== 1) return 0;
  return Math.max(numberAt(FRAMES_AT) - numberAt(CHECKPOINTED_AT), 0);
}

function idOf(file: BigIntStats | undefined): string {
  return `${file?.dev}:${file?.ino}`;
}
