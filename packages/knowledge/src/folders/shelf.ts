import { realpathSync, statSync } from 'node:fs';
import type { Part } from '../index/segment.ts';
import type { Problem } from '../reading/piece.ts';
import { FolderIndex, type FolderIndexPorts } from './folder-index.ts';
import { leadsOutOf } from './leads-out.ts';
import type { Source } from './source.ts';
import { Turns } from './turns.ts';
import { FolderWatch } from './watch.ts';

/** A folder that cannot be watched is looked at again after so long, when somebody asks. */
const UNWATCHED_MS = 500;

/** The pieces of one source, as its files are now. */
export class Shelf {
  readonly source: Source;
  readonly #ports: FolderIndexPorts;
  readonly #watch: FolderWatch;
  #index: FolderIndex | undefined;
  #problems: readonly Problem[] = [];
  #hasChanged = true;
  #lookedAt = 0;
  #identity: string | undefined;

  /** `changed` is called when the folder may have changed; somebody has to ask then. */
  constructor(source: Source, ports: FolderIndexPorts, changed: () => void) {
    this.source = source;
    this.#ports = ports;
    this.#watch = new FolderWatch(() => {
      this.#hasChanged = true;
      changed();
    });
  }

  /** The real path, if the folder is there. */
  get root(): string | undefined {
    return this.#index?.root;
  }

  get parts(): readonly Part[] {
    return this.#index?.parts ?? [];
  }

  get problems(): readonly Problem[] {
    return this.#problems;
  }

  /** Whether it may be out of date. */
  get isStale(): boolean {
    if (this.#hasChanged) return true;
    // A folder above may have been moved, or a link led elsewhere: no watch tells that.
    if (identityOf(this.source.path) !== this.#identity) return true;
    const age = this.#ports.clock.monotonic() - this.#lookedAt;
    return !this.#watch.isComplete && this.#index !== undefined && age > UNWATCHED_MS;
  }

  /** Takes up what has changed; whether anything has. */
  async refresh(): Promise<boolean> {
    this.#hasChanged = false;
    this.#lookedAt = this.#ports.clock.monotonic();
    this.#identity = identityOf(this.source.path);
    const { path: root, problem } = rootOf(this.source);
    if (root === undefined) return this.#clear(problem);
    try {
      return await this.#read(root);
    } catch (error) {
      this.#hasChanged = true; // Whoever asks next tries again.
      throw error;
    }
  }

  async #read(root: string): Promise<boolean> {
    const isNew = this.#index?.root !== root;
    const { kind, name } = this.source;
    if (isNew) this.#index = new FolderIndex(root, this.#ports, kind);
    if (isNew) this.#watch.follow(root, []);
    const refreshed = await this.#index?.refresh(new Turns(this.#ports.clock.monotonic), (folder) =>
      this.#watch.include(root, folder),
    );
    if (!refreshed) return false;
    const { scan, hasChanged } = refreshed;
    this.#watch.follow(root, scan.folders);
    this.#problems = scan.problems.map((one) => ({ ...one, file: `${name}/${one.file}` }));
    return hasChanged || isNew;
  }

  #clear(problem: string | undefined): boolean {
    const { path: folder, name, isNamed } = this.source;
    this.#watch.awaitFolder(folder);
    const had = this.#index !== undefined;
    this.#index = undefined;
    const message = problem ?? (isNamed && 'There is no such folder.');
    this.#problems = message
      ? [{ file: name, line: 1, column: 1, severity: 'error', message }]
      : [];
    return had;
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

function rootOf({ path: folder, within }: Source): { path?: string; problem?: string } {
  let real: string;
  try {
    real = realpathSync(folder);
    if (!statSync(real).isDirectory()) return { problem: 'This is not a folder.' };
    if (within === undefined) return { path: real };
    const isOutside = leadsOutOf(realpathSync(within), real);
    return isOutside ? { problem: 'This leads out of the workspace.' } : { path: real };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? {} : { problem: `This cannot be read (${code}).` };
  }
}
