import { FollowedFolder, Turns, type Visit } from '@baton/folders';
import type { Part } from '../index/segment.ts';
import type { Problem } from '../reading/piece.ts';
import { FolderIndex, type FolderIndexPorts } from './folder-index.ts';
import { errorIn } from './markdown-files.ts';
import type { Source } from './source.ts';

/** The pieces of one source, as its files are now. */
export class Shelf {
  readonly source: Source;
  readonly #ports: FolderIndexPorts;
  readonly #folder: FollowedFolder;
  #index: FolderIndex | undefined;
  #problems: readonly Problem[] = [];

  /** `changed` is called when the folder may have changed; somebody has to ask then. */
  constructor(source: Source, ports: FolderIndexPorts, changed: () => void) {
    this.source = source;
    this.#ports = ports;
    this.#folder = new FollowedFolder(source, ports.clock, changed);
  }

  /** The real path, if the folder is there. */
  get root(): string | undefined {
    return this.#folder.root;
  }

  get parts(): readonly Part[] {
    return this.#index?.parts ?? [];
  }

  get problems(): readonly Problem[] {
    return this.#problems;
  }

  /** Whether it may be out of date. */
  get isStale(): boolean {
    return this.#folder.isStale;
  }

  /** Takes up what has changed; whether anything has. */
  refresh(): Promise<boolean> {
    return this.#folder.refresh({
      read: (visit) => this.#read(visit),
      clear: (problem) => this.#clear(problem),
    });
  }

  async #read({ root, entering }: Visit) {
    const { kind, name } = this.source;
    const known = this.#index?.root === root ? this.#index : undefined;
    const index = known ?? new FolderIndex(root, this.#ports, kind);
    this.#index = index;
    const turns = new Turns(this.#ports.clock.monotonic);
    const { scan, hasChanged } = await index.refresh(turns, entering);
    this.#problems = scan.problems.map((one) => ({ ...one, file: `${name}/${one.file}` }));
    return { folders: scan.folders, result: hasChanged || !known };
  }

  #clear(problem: string | undefined): boolean {
    const had = this.#index !== undefined;
    this.#index = undefined;
    this.#problems = problem ? [errorIn(this.source.name, problem)] : [];
    return had;
  }
}
