import { type FSWatcher, statSync, watch } from 'node:fs';
import path from 'node:path';

/** Elsewhere a watch of a folder does not reach below it. */
const REACHES_BELOW = process.platform === 'darwin' || process.platform === 'win32';

interface Watched {
  readonly watcher: FSWatcher;
  /** Of the folder: another may take its place. */
  readonly inode: number | undefined;
}

/** Tells when something in a folder may have changed. */
export class FolderWatch {
  readonly #changed: (file?: string) => void;
  readonly #watched = new Map<string, Watched>();
  #isComplete = true;

  /** `changed` is told the full path of what has changed, if that is known. */
  constructor(changed: (file?: string) => void) {
    this.#changed = changed;
  }

  /** Whether no change can go unnoticed. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Watches a folder, too: before it is looked at, or what changes in between goes unnoticed. */
  include(root: string, folder: string): void {
    if (REACHES_BELOW && folder !== '') return;
    const full = path.join(root, folder);
    const inode = inodeOf(full);
    const known = this.#watched.get(full);
    if (known?.inode === inode) return;
    known?.watcher.close();
    this.#open(full, inode, REACHES_BELOW);
  }

  /** Watches just these folders. */
  follow(root: string, folders: readonly string[]): void {
    this.#watch((REACHES_BELOW ? [''] : folders).map((folder) => path.join(root, folder)));
  }

  /** Waits for a folder to be made, by watching what is there of the way to it. */
  awaitFolder(root: string): void {
    let folder = path.dirname(root);
    while (inodeOf(folder) === undefined && folder !== path.dirname(folder)) {
      folder = path.dirname(folder);
    }
    this.#watch([folder], false);
  }

  close(): void {
    this.#watch([]);
  }

  #watch(folders: readonly string[], recursive = REACHES_BELOW): void {
    const wanted = new Map(folders.map((folder) => [folder, inodeOf(folder)]));
    for (const [folder, { watcher, inode }] of this.#watched) {
      if (wanted.has(folder) && wanted.get(folder) === inode) continue;
      watcher.close();
      this.#watched.delete(folder);
    }
    this.#isComplete = true;
    for (const [folder, inode] of wanted) {
      if (!this.#watched.has(folder)) this.#open(folder, inode, recursive);
    }
  }

  #open(folder: string, inode: number | undefined, recursive: boolean): void {
    try {
      const watcher = watch(folder, { persistent: false, recursive }, (event, name) => {
        // Its own name tells that the folder itself is gone; one in its place may look the same.
        if (event === 'rename' && name === path.basename(folder)) this.#drop(folder, watcher);
        else this.#changed(name === null ? undefined : path.join(folder, name));
      });
      watcher.on('error', () => this.#drop(folder, watcher));
      this.#watched.set(folder, { watcher, inode });
    } catch {
      this.#isComplete = false; // Too many watches, or a file system without them.
    }
  }

  #drop(folder: string, watcher: FSWatcher): void {
    watcher.close();
    if (this.#watched.get(folder)?.watcher === watcher) this.#watched.delete(folder);
    this.#isComplete = false;
    this.#changed();
  }
}

function inodeOf(folder: string): number | undefined {
  return statSync(folder, { throwIfNoEntry: false })?.ino;
}
