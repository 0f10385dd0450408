import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FolderIndexPorts } from './folders/folder-index.ts';
import { Shelf } from './folders/shelf.ts';
import type { Source } from './folders/source.ts';
import type { Collection } from './matching/collection.ts';
import type { PieceRecord } from './reading/entry-of.ts';
import { KINDS, type Kind, type Problem } from './reading/piece.ts';
import { type Shelved, shelve } from './shelving.ts';

/** A piece that can be found. */
export interface FoundPiece extends PieceRecord {
  /** `kind/id`. */
  readonly key: string;
  /** Its file, with the name of its source. */
  readonly from: string;
  readonly root: string;
  readonly file: string;
}

/** All pieces of all sources, as their files are now. */
export class Library {
  readonly #shelves: readonly Shelf[];
  #shelved: Shelved;
  #refreshing: Promise<void> | undefined;

  /** `changed` is called when a folder may have changed; somebody has to ask then. */
  constructor(sources: readonly Source[], ports: FolderIndexPorts, changed: () => void) {
    this.#shelves = sources.map((source) => new Shelf(source, ports, changed));
    this.#shelved = shelve(this.#shelves);
  }

  /**
   * The pieces as they are now: what was written before this is in them. Whoever asks for one of
   * them by its number does so before anything else is awaited.
   */
  async current(): Promise<Collection> {
    // Notices of changes that have happened already are delivered first.
    await nextTurn();
    // A look that began before this may have missed something; one that begins now has not. What
    // changes all the time is not waited for.
    await this.#refreshing;
    if (this.#shelves.some(({ isStale }) => isStale)) {
      this.#refreshing ??= this.#refresh().finally(() => {
        this.#refreshing = undefined;
      });
      await this.#refreshing;
    }
    return this.#shelved.collection;
  }

  /** By `kind/id`, or by an id that only one piece has. */
  async find(name: string): Promise<FoundPiece | undefined> {
    await this.current();
    const entry = this.entryNamed(name);
    return entry === undefined ? undefined : this.piece(entry);
  }

  /** Keys of all pieces, in order. */
  async keys(): Promise<readonly string[]> {
    await this.current();
    return [...this.#shelved.places.keys()].sort();
  }

  async ofKind(kind: Kind): Promise<FoundPiece[]> {
    const collection = await this.current();
    const entries: number[] = [];
    collection.eachPosting(`@${kind}`, (entry) => entries.push(entry));
    return entries.map((entry) => this.piece(entry));
  }

  async all(): Promise<FoundPiece[]> {
    await this.current();
    return [...this.#shelved.places.values()].map((entry) => this.piece(entry));
  }

  async problems(): Promise<readonly Problem[]> {
    await this.current();
    return [...this.#shelves.flatMap(({ problems }) => problems), ...this.#shelved.duplicates];
  }

  /** Of the collection that was last returned. */
  get isEmpty(): boolean {
    return this.#shelved.collection.count === 0;
  }

  /** All sources, with the real path of those that are there. */
  shelves(): { readonly source: Source; readonly root: string | undefined }[] {
    return this.#shelves.map(({ source, root }) => ({ source, root }));
  }

  /** By `kind/id`, or by an id that only one piece has; of the collection that was last returned. */
  entryNamed(name: string): number | undefined {
    const { places } = this.#shelved;
    const exact = places.get(name);
    if (exact !== undefined) return exact;
    const found = KINDS.flatMap((kind) => places.get(`${kind}/${name}`) ?? []);
    return found.length === 1 ? found[0] : undefined;
  }

  /** An entry of the collection that was last returned. */
  piece(entry: number): FoundPiece {
    const { collection, shelfOf } = this.#shelved;
    const {
      part: { segment },
      local,
    } = collection.place(entry);
    const shelf = shelfOf.get(segment);
    const file = segment.paths[local] ?? '';
    return {
      ...(segment.record(local) as PieceRecord),
      key: segment.keys[local] ?? '',
      from: `${shelf?.source.name ?? ''}/${file}`,
      root: shelf?.root ?? '',
      file,
    };
  }

  async #refresh(): Promise<void> {
    let hasChanged = false;
    try {
      for (const shelf of this.#shelves) {
        if (shelf.isStale && (await shelf.refresh())) hasChanged = true;
      }
    } finally {
      if (hasChanged) this.#shelved = shelve(this.#shelves);
    }
  }
}
