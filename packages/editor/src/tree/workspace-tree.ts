import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '@baton/core';
import {
  type FileStamp,
  FollowedFolder,
  readBytesWithin,
  type Scan,
  scanFolder,
  Turns,
} from '@baton/folders';
import { type Files, filesAfter, MOST_BYTES } from './files-after.ts';
import { isHiddenWanted } from './hidden-names.ts';
import { sharedBytes, WordBytes } from './word-bytes.ts';

/** Of contents that are kept in memory, for all files together. */
const MOST_KEPT = 96 * 1024 * 1024;
const SEARCH_TURN_MS = 1;
const BINARY = Buffer.alloc(0);
const NONE: Promise<readonly string[]> = Promise.resolve([]);

/** Paths in the workspace, with slashes. */
export interface TreeChanges {
  readonly created: readonly string[];
  readonly changed: readonly string[];
  readonly deleted: readonly string[];
}

/** The files of the workspace as they are now, without installed packages and most hidden folders. */
export class WorkspaceTree {
  readonly root: string;
  readonly #folder: FollowedFolder;
  readonly #clock: Clock;
  /** Hears what is different each time somebody looks, but for the first time. */
  onChanges: (changes: TreeChanges) => void = () => {};
  readonly #contents = new Map<string, { readonly stamp: FileStamp; readonly bytes: Buffer }>();
  #kept = 0;
  /** By word, in the files as they were when they were searched. */
  readonly #searches = new Map<string, Promise<readonly string[]>>();
  #searched: Files | undefined;
  #files: Files | undefined;
  #looking: Promise<Files> | undefined;

  constructor(root: string, clock: Clock) {
    this.root = root;
    this.#clock = clock;
    this.#folder = new FollowedFolder({ name: '.', path: root }, clock, () => {});
  }

  /** Whatever was written before the call is in it. */
  async look(): Promise<Files> {
    // Notices of changes that have happened arrive in this turn.
    await nextTurn();
    // What has changed since a look began makes the folder stale again.
    await this.#looking?.catch(() => {});
    if (this.#files && !this.#folder.isStale) return this.#files;
    this.#looking ??= this.#read().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** Files in which one of these words stands somewhere, not as a part of a longer one. */
  async filesWith(words: readonly string[]): Promise<string[]> {
    const files = await this.look();
    if (this.#searched !== files) this.#searches.clear();
    this.#searched = files;
    // Several ask for the same words, each for a reason of its own.
    const unknown = words.filter((word) => !this.#searches.has(word));
    const search = unknown.length > 0 ? this.#search(unknown, files) : undefined;
    for (const word of unknown)
      this.#searches.set(word, search?.then((found) => found.get(word) ?? []) ?? NONE);
    const found = await Promise.all(words.map((word) => this.#searches.get(word) ?? NONE));
    return [...new Set(found.flat())];
  }

  async #search(words: readonly string[], files: Files): Promise<Map<string, string[]>> {
    const wanted = words.map((word) => ({ word: new WordBytes(word), found: [] as string[] }));
    const shared = sharedBytes(words);
    // A language server is asked at the same time, which must not wait for this.
    const turns = new Turns(() => this.#clock.monotonic(), SEARCH_TURN_MS);
    for (const [file, stamp] of files) {
      const bytes = this.#contentsOf(file, stamp);
      if (bytes?.includes(shared))
        for (const { word, found } of wanted) if (word.isIn(bytes)) found.push(file);
      if (turns.isOver) await turns.next();
    }
    return new Map(words.map((word, index) => [word, wanted[index]?.found ?? []]));
  }

  /** `undefined` if it is no text, or not there. */
  contents(file: string): Buffer | undefined {
    const bytes = this.#contentsOf(file, this.#files?.get(file));
    return bytes === BINARY ? undefined : bytes;
  }

  async #read(): Promise<Files> {
    const before = this.#files;
    const changed = before && this.#folder.takeChanged();
    const files = (changed && (await this.#filesAfter(before, changed))) ?? (await this.#scan());
    this.#files = files;
    if (before && before !== files) {
      const changes = difference(before, files);
      for (const file of [...changes.changed, ...changes.deleted]) this.#forget(file);
      if (changes.created.length + changes.changed.length + changes.deleted.length > 0)
        this.onChanges(changes);
    }
    return files;
  }

  #filesAfter(before: Files, changed: readonly string[]): Promise<Files | undefined> {
    const scan = async (folder: string) => (await this.#scanFolder(this.root, folder)).files;
    const surroundings = { clock: this.#clock, scan };
    // What goes wrong in a part is met again, and told, when all is looked at.
    return filesAfter(this.root, before, changed, surroundings).catch(() => undefined);
  }

  #scan(): Promise<Files> {
    return this.#folder.refresh<Files>({
      read: async ({ root }) => {
        const { folders, files } = await this.#scanFolder(root);
        return { folders, result: files };
      },
      clear: () => new Map(),
    });
  }

  #scanFolder(root: string, below?: string): Promise<Scan> {
    return scanFolder(root, {
      now: () => this.#clock.now(),
      turns: new Turns(() => this.#clock.monotonic()),
      isWanted: () => true,
      isHiddenWanted,
      maxBytes: MOST_BYTES,
      entering: (folder) => this.#folder.enter(folder),
      ...(below !== undefined && { below }),
    });
  }

  #contentsOf(file: string, stamp: FileStamp | undefined): Buffer | undefined {
    const known = this.#contents.get(file);
    if (known && known.stamp === stamp) return known.bytes;
    const read = readBytesWithin(this.root, file, { maxBytes: MOST_BYTES, isReal: true });
    if ('problem' in read) return undefined;
    const bytes = read.bytes.subarray(0, 8192).includes(0) ? BINARY : read.bytes;
    if (stamp && this.#kept + bytes.length <= MOST_KEPT) {
      this.#forget(file);
      this.#contents.set(file, { stamp, bytes });
      this.#kept += bytes.length;
    }
    return bytes;
  }

  #forget(file: string): void {
    this.#kept -= this.#contents.get(file)?.bytes.length ?? 0;
    this.#contents.delete(file);
  }
}

function difference(before: Files, after: Files): TreeChanges {
  const created: string[] = [];
  const changed: string[] = [];
  for (const [file, stamp] of after) {
    const known = before.get(file);
    if (known === stamp) continue; // Nobody has told that it has changed.
    if (!known) created.push(file);
    else if (stamp.changed === 0 || known.changed !== stamp.changed || known.size !== stamp.size)
      changed.push(file);
    else (after as Map<string, FileStamp>).set(file, known);
  }
  return { created, changed, deleted: [...before.keys()].filter((file) => !after.has(file)) };
}
