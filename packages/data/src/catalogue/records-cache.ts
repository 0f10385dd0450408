import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { BatonError, type Clock, describeError, type Log } from '@baton/core';
import { CacheFolder, removeIfPossible } from '@baton/folders';
import { EngineError } from '../engine/engine.ts';
import type { Loaded, ReadingRules } from '../loading/load.ts';

/** What is stored is read anew when this is another: how values are read has changed. */
const CACHE_FORMAT = 4;

const RULES = {
  isKept: (name: string) => /^[0-9a-f]{32}\.(?:parquet|json)$/.test(name),
  days: 7,
};

/** What is known of records, and how large their file is. */
interface Kept {
  readonly bytes: number;
  readonly loaded: Loaded;
}

/** At the end of every Parquet file. */
const LAST_BYTES = Buffer.from('PAR1');

/** Codes of the system for a folder that cannot be written to. */
const UNWRITABLE = new Set([
  'EACCES',
  'EDQUOT',
  'EEXIST',
  'EIO',
  'ENOSPC',
  'ENOTDIR',
  'EPERM',
  'EROFS',
]);

/** Records with their types, as Parquet, named after what they were read from. None is ever changed. */
export class RecordsCache {
  readonly #folder: CacheFolder;
  readonly #log: Log;
  readonly #loaded = new Map<string, Kept>();

  constructor(folder: string, clock: Clock, log: Log) {
    this.#folder = new CacheFolder(folder, clock, RULES);
    this.#log = log;
  }

  /** Makes the folder, and removes what nobody uses any more. */
  prepare(): void {
    try {
      this.#folder.make();
    } catch (error) {
      throw this.troubleOf(error);
    }
    this.#folder.tidy();
  }

  /** The name of records that are read from these bytes by these rules. */
  keyOf(hash: string, { csv, types, secret }: ReadingRules, format: string): string {
    const rules = [csv.delimiter, csv.header, [...types].sort(), [...secret].sort(), format];
    return createHash('sha256')
      .update(JSON.stringify([CACHE_FORMAT, hash, rules]))
      .digest('hex')
      .slice(0, 32);
  }

  fileOf(key: string): string {
    return path.join(this.#folder.path, `${key}.parquet`);
  }

  /** A file for what is not finished yet. */
  newFile(): string {
    return this.#folder.newFile();
  }

  load(key: string): Loaded | undefined {
    try {
      const known = this.#loaded.get(key) ?? this.#read(key);
      if (!known || !isWhole(this.fileOf(key), known.bytes)) return undefined;
      this.#loaded.set(key, known);
      return known.loaded;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.#warn(error);
      return undefined;
    }
  }

  /** After its Parquet file is there. */
  save(key: string, loaded: Loaded): void {
    const kept: Kept = { bytes: statSync(this.fileOf(key)).size, loaded };
    this.#write(this.#factsOf(key), JSON.stringify(kept));
  }

  /** Removes the files of records that are named in what the engine says about them. */
  remove(said: string): void {
    for (const key of this.#loaded.keys()) {
      if (!said.includes(key)) continue;
      this.#loaded.delete(key);
      removeIfPossible(this.fileOf(key));
    }
  }

  #read(key: string): Kept | undefined {
    const kept = JSON.parse(readFileSync(this.#factsOf(key), 'utf8')) as Partial<Kept> | null;
    if (!kept?.loaded || kept.bytes === undefined) return undefined;
    this.#folder.markAsUsed(this.fileOf(key));
    this.#folder.markAsUsed(this.#factsOf(key));
    return { bytes: kept.bytes, loaded: kept.loaded };
  }

  /** What was found out before, as JSON. */
  loadNote(name: string): unknown {
    const file = this.#noteOf(name);
    try {
      const note = JSON.parse(readFileSync(file, 'utf8'));
      this.#folder.markAsUsed(file);
      return note;
    } catch {
      return undefined; // Whatever it said is found out again.
    }
  }

  saveNote(name: string, note: unknown): void {
    this.#write(this.#noteOf(name), JSON.stringify(note));
  }

  /** What somebody is told if nothing can be written; other errors stay as they are. */
  troubleOf(error: unknown): unknown {
    const { code } = error as NodeJS.ErrnoException;
    const isOurs = error instanceof EngineError && error.failure === 'disk';
    if (!isOurs && !(error instanceof Error && UNWRITABLE.has(code ?? ''))) return error;
    const why = isOurs ? 'the disk is full or fails' : code;
    return new BatonError(
      'data_cache_unusable',
      `Records cannot be kept in ${this.#folder.path}: ${why}.`,
      'A person makes room there, or names another folder in BATON_STATE; then call again.',
      { cause: error },
    );
  }

  #write(file: string, text: string): void {
    try {
      this.#folder.write(file, text);
    } catch (error) {
      this.#warn(error);
    }
  }

  #factsOf(key: string): string {
    return path.join(this.#folder.path, `${key}.json`);
  }

  #noteOf(name: string): string {
    const key = createHash('sha256').update(`${CACHE_FORMAT}\n${name}`).digest('hex');
    return path.join(this.#folder.path, `${key.slice(0, 32)}.json`);
  }

  #warn(error: unknown): void {
    this.#log.write('warn', `the cache of records cannot be used: ${describeError(error)}`);
  }
}

/** Whether nothing of it is missing. */
function isWhole(file: string, bytes: number): boolean {
  const opened = openSync(file, 'r');
  try {
    const last = Buffer.alloc(LAST_BYTES.length);
    if (fstatSync(opened).size !== bytes) return false;
    readSync(opened, last, 0, last.length, bytes - last.length);
    return last.equals(LAST_BYTES);
  } finally {
    closeSync(opened);
  }
}
