import { createHash, randomUUID } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { type Clock, describeError, type Log } from '@baton/core';
import type { Segment } from '../index/segment.ts';
import { decodeSegment, encodeSegment, FORMAT } from '../index/segment-file.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** An index that nobody has used for so long is removed: its folder is gone, or its version is. */
const KEPT_MS = 30 * DAY_MS;
/** What takes longer to be written was not finished. */
const UNFINISHED_MS = DAY_MS / 24;

/**
 * Indexes of folders on disk, so that a process need not make them. Any process may replace one at
 * any time, in one step; whoever loads one checks it against the files. Nothing is lost with it.
 */
export class SegmentCache {
  readonly #folder: string;
  readonly #version: string;
  readonly #clock: Clock;
  readonly #log: Log;

  /** Indexes of another `version` are not for us. */
  constructor(folder: string, version: string, clock: Clock, log: Log) {
    this.#folder = folder;
    this.#version = version;
    this.#clock = clock;
    this.#log = log;
  }

  load(source: string): Segment | undefined {
    const file = this.#fileOf(source);
    try {
      const segment = decodeSegment(readFileSync(file));
      this.#markAsUsed(file);
      return segment;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.#warn(source, 'read', error);
      return undefined;
    }
  }

  save(source: string, segment: Segment): void {
    const file = this.#fileOf(source);
    const unfinished = `${file}.${randomUUID()}`;
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      writeFileSync(unfinished, encodeSegment(segment), { mode: 0o600 });
      renameSync(unfinished, file);
      this.#removeUnused();
    } catch (error) {
      this.#warn(source, 'written', error);
      removeIfThere(unfinished);
    }
  }

  #fileOf(source: string): string {
    const name = createHash('sha256')
      .update(`${FORMAT}\n${this.#version}\n${source}`)
      .digest('hex');
    return path.join(this.#folder, `${name.slice(0, 32)}.index`);
  }

  #markAsUsed(file: string): void {
    const now = this.#clock.now();
    if (now - statSync(file).mtimeMs > DAY_MS) utimesSync(file, now / 1000, now / 1000);
  }

  #removeUnused(): void {
    const now = this.#clock.now();
    for (const name of readdirSync(this.#folder)) {
      const file = path.join(this.#folder, name);
      const age = now - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now);
      const isUnused = age > (name.endsWith('.index') ? KEPT_MS : UNFINISHED_MS);
      if (isUnused) rmSync(file, { force: true });
    }
  }

  #warn(source: string, what: string, error: unknown): void {
    this.#log.write('warn', `the index of ${source} could not be ${what}: ${describeError(error)}`);
  }
}

function removeIfThere(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Whatever is wrong with the folder was told already.
  }
}
