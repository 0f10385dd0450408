import { realpathSync, statSync } from 'node:fs';
import type { Clock } from '@baton/core';
import { leadsOutOf } from './leads-out.ts';
import type { FolderSource } from './source.ts';
import { FolderWatch } from './watch.ts';

/** A folder that cannot be watched is looked at again after so long, when somebody asks. */
const UNWATCHED_MS = 500;
/** If more has changed, all is read again. */
const MOST_CHANGED = 500;

/** A folder that is read now. */
export interface Visit {
  /** The real path. */
  readonly root: string;
  /** Must be told of each folder in it before it is looked at. */
  entering(folder: string): void;
}

export interface FolderReader<Result> {
  /** `folders` are those that were looked at: they are watched from now on. */
  read(visit: Visit): Promise<{ readonly folders: readonly string[]; readonly result: Result }>;
  /** There is nothing to read; `problem` says why, if that is a mistake. */
  clear(problem: string | undefined): Result;
}

/** Knows when the folder of a source has to be read again. */
export class FollowedFolder {
  readonly source: FolderSource;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #watch: FolderWatch;
  #root: string | undefined;
  #hasChanged = true;
  /** What has changed since it was read; anything, if it is not known. */
  #changed: Set<string> | undefined;
  #lookedAt = 0;
  #identity: string | undefined;

  /** `changed` is called when the folder may have changed; somebody has to ask then. */
  constructor(source: FolderSource, clock: Pick<Clock, 'monotonic'>, changed: () => void) {
    this.source = source;
    this.#clock = clock;
    this.#watch = new FolderWatch((file) => {
      this.#hasChanged = true;
      if (file === undefined || this.#changed?.size === MOST_CHANGED) this.#changed = undefined;
      else this.#changed?.add(file);
      changed();
    });
  }

  /** The real path, if the folder is there. */
  get root(): string | undefined {
    return this.#root;
  }

  /** Whether it may have changed since it was read. */
  get isStale(): boolean {
    if (this.#hasChanged) return true;
    // A folder above may have been moved, or a link led elsewhere: no watch tells that.
    if (identityOf(this.source.path) !== this.#identity) return true;
    const age = this.#clock.monotonic() - this.#lookedAt;
    return !this.#watch.isComplete && this.#root !== undefined && age > UNWATCHED_MS;
  }

  /**
   * The full paths of what may have changed, if nothing else has. Whoever is given them looks at
   * them now: they are not told again.
   */
  takeChanged(): readonly string[] | undefined {
    const isKnown = this.#watch.isComplete && identityOf(this.source.path) === this.#identity;
    if (!isKnown || !this.#changed || this.#root === undefined) return undefined;
    const changed = [...this.#changed];
    this.#changed.clear();
    this.#hasChanged = false;
    return changed;
  }

  /** Watches a folder in it, too; before it is looked at. */
  enter(folder: string): void {
    if (this.#root !== undefined) this.#watch.include(this.#root, folder);
  }

  /** Has the folder read as it is now. */
  async refresh<Result>(reader: FolderReader<Result>): Promise<Result> {
    this.#hasChanged = false;
    this.#changed = new Set();
    this.#lookedAt = this.#clock.monotonic();
    this.#identity = identityOf(this.source.path);
    const { path: root, problem } = rootOf(this.source);
    if (root === undefined) {
      this.#root = undefined;
      this.#watch.awaitFolder(this.source.path);
      return reader.clear(problem);
    }
    try {
      return await this.#read(root, reader);
    } catch (error) {
      this.#hasChanged = true; // Whoever asks next tries again.
      this.#changed = undefined;
      throw error;
    }
  }

  async #read<Result>(root: string, reader: FolderReader<Result>): Promise<Result> {
    if (this.#root !== root) this.#watch.follow(root, []);
    this.#root = root;
    const entering = (folder: string) => this.enter(folder);
    const { folders, result } = await reader.read({ root, entering });
    this.#watch.follow(root, folders);
    return result;
  }
}

/** What stands at a path now; another if it was replaced. */
function identityOf(folder: string): string | undefined {
  try {
    const { dev, ino } = statSync(folder);
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

function rootOf(source: FolderSource): { readonly path?: string; readonly problem?: string } {
  const { path: folder, within, isNamed } = source;
  try {
    const real = realpathSync(folder);
    if (!statSync(real).isDirectory()) return { problem: 'This is not a folder.' };
    if (within === undefined) return { path: real };
    const isOutside = leadsOutOf(realpathSync(within), real);
    return isOutside ? { problem: 'This leads out of the workspace.' } : { path: real };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') return { problem: `This cannot be read (${code}).` };
    return isNamed ? { problem: 'There is no such folder.' } : {};
  }
}
