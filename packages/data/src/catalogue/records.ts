import type { FileStamp } from '@baton/folders';
import { type Engine, EngineError } from '../engine/engine.ts';
import { copyIn, removeCopy } from '../loading/copy-in.ts';
import { type Format, formatOf } from '../loading/formats.ts';
import { type Loaded, load, type ReadingRules } from '../loading/load.ts';
import { Unusable } from '../loading/staged.ts';
import type { RecordsCache } from './records-cache.ts';

/** Records that can be queried. */
export interface Records extends Loaded {
  /** Its name in the cache. */
  readonly key: string;
}

export interface NoRecords {
  readonly problem: string;
  readonly line: number;
}

const ENDS: Readonly<Record<string, string>> = {
  crash: 'The engine crashes when it reads this.',
  memory: 'Its records take more memory than there is for them.',
};

/** A file whose bytes are known, as long as it has this stamp. */
interface Known {
  readonly stamp: FileStamp;
  readonly hash: string;
}

/** The records of the files of one folder. Those of files that have not changed are known. */
export class FolderRecords {
  readonly #root: string;
  readonly #cache: RecordsCache;
  readonly #now: () => number;
  readonly #known: Map<string, Known>;
  /** Files that could not be read as they are. */
  readonly #refused = new Map<string, Known & { readonly answer: NoRecords }>();
  #hasNews = false;

  constructor(root: string, cache: RecordsCache, now: () => number) {
    this.#root = root;
    this.#cache = cache;
    this.#now = now;
    const stored = cache.loadNote(root);
    this.#known = new Map(Array.isArray(stored) ? stored : []);
  }

  async read(
    file: string,
    seen: FileStamp,
    rules: ReadingRules,
    engine: Engine,
    signal?: AbortSignal,
  ): Promise<Records | NoRecords> {
    const format = formatOf(file);
    if (!format) return { problem: 'Its ending is none that is known.', line: 1 };
    const known = this.#known.get(file);
    if (known && isSame(known.stamp, seen)) {
      const key = this.#cache.keyOf(known.hash, rules, format);
      const refused = this.#refused.get(file);
      if (refused?.hash === key) return refused.answer;
      const loaded = this.#cache.load(key);
      if (loaded) return { ...loaded, key };
    }
    return this.#readAnew(file, format, rules, engine, signal);
  }

  /** Keeps what is known of files for the next process. */
  settle(files: ReadonlySet<string>): void {
    for (const file of this.#known.keys()) {
      if (!files.has(file)) this.#hasNews = this.#known.delete(file);
    }
    if (this.#hasNews) this.#cache.saveNote(this.#root, [...this.#known]);
    this.#hasNews = false;
  }

  async #readAnew(
    file: string,
    format: Format,
    rules: ReadingRules,
    engine: Engine,
    signal: AbortSignal | undefined,
  ): Promise<Records | NoRecords> {
    const copy = this.#cache.newFile();
    try {
      const copied = await copyIn(this.#root, file, copy, { format, now: this.#now, signal });
      if ('problem' in copied) {
        this.#known.delete(file);
        return copied;
      }
      const { hash, stamp } = copied;
      this.#known.set(file, { stamp, hash });
      this.#hasNews = true;
      const key = this.#cache.keyOf(hash, rules, format);
      const loaded = this.#cache.load(key);
      if (loaded) return { ...loaded, key };
      const refused = this.#refused.get(file);
      if (refused?.hash === key) return refused.answer;
      return await this.#load(file, copy, { format, rules, key, copied }, engine, signal);
    } catch (error) {
      throw this.#cache.troubleOf(error);
    } finally {
      removeCopy(copy);
    }
  }

  async #load(
    file: string,
    copy: string,
    given: {
      format: Format;
      rules: ReadingRules;
      key: string;
      copied: Parameters<typeof load>[2]['copied'];
    },
    engine: Engine,
    signal: AbortSignal | undefined,
  ): Promise<Records | NoRecords> {
    const { key, copied, format, rules } = given;
    const stoppable: Engine = {
      run: (sql, options) => engine.run(sql, { ...(signal && { signal }), ...options }),
    };
    try {
      const to = this.#cache.fileOf(key);
      const attempt = () => load(stoppable, copy, { format, copied, rules, to });
      const loaded = await attempt().catch((error: unknown) => {
        // Somebody may have ended the engine, or taken its memory. If it ends again, the file is to blame.
        if (!hasEnded(error)) throw error;
        return attempt();
      });
      this.#cache.save(key, loaded);
      return { ...loaded, key };
    } catch (error) {
      if (!(error instanceof Unusable) && !hasEnded(error)) throw error;
      const answer =
        error instanceof Unusable
          ? { problem: error.message, line: error.line }
          : { problem: ENDS[(error as EngineError).failure] ?? '', line: 1 };
      // The same bytes would fail in the same way, and may take long to do so.
      this.#refused.set(file, { stamp: copied.stamp, hash: key, answer });
      return answer;
    }
  }
}

function hasEnded(error: unknown): boolean {
  return error instanceof EngineError && error.failure in ENDS;
}

function isSame(a: FileStamp, b: FileStamp): boolean {
  return a.size === b.size && a.changed === b.changed && a.changed !== 0;
}
