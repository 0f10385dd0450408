import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Clock, describeError, type Log } from '@baton/core';
import { CacheFolder } from '@baton/folders';
import type { Segment } from '../index/segment.ts';
import { decodeSegment, encodeSegment, FORMAT } from '../index/segment-file.ts';

/** An index that nobody has used for so long is of a folder, or of a version, that is gone. */
const RULES = { isKept: (name: string) => name.endsWith('.index'), days: 30 };

/** Indexes of folders on disk, so that a process need not make them. Whoever loads one checks it against the files. */
export class SegmentCache {
  readonly #folder: CacheFolder;
  readonly #version: string;
  readonly #log: Log;

  /** Indexes of another `version` are not for us. */
  constructor(folder: string, version: string, clock: Clock, log: Log) {
    this.#folder = new CacheFolder(folder, clock, RULES);
    this.#version = version;
    this.#log = log;
  }

  load(source: string): Segment | undefined {
    const file = this.#fileOf(source);
    try {
      const segment = decodeSegment(readFileSync(file));
      this.#folder.markAsUsed(file);
      return segment;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.#warn(source, 'read', error);
      return undefined;
    }
  }

  save(source: string, segment: Segment): void {
    try {
      this.#folder.make();
      this.#folder.write(this.#fileOf(source), encodeSegment(segment));
      this.#folder.tidy();
    } catch (error) {
      this.#warn(source, 'written', error);
    }
  }

  #fileOf(source: string): string {
    const name = createHash('sha256')
      .update(`${FORMAT}\n${this.#version}\n${source}`)
      .digest('hex');
    return path.join(this.#folder.path, `${name.slice(0, 32)}.index`);
  }

  #warn(source: string, what: string, error: unknown): void {
    this.#log.write('warn', `the index of ${source} could not be ${what}: ${describeError(error)}`);
  }
}
