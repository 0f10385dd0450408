import type { Move } from '../edits/changing.ts';
import { moved, stepsTo } from './paths.ts';
import { Stopped } from './stopped.ts';
import type { WorkspaceFiles } from './workspace-files.ts';

type Kind = 'file' | 'folder' | 'irregular' | 'missing';

/** What would be where after the steps so far, while nothing has been done yet. */
export class Names {
  readonly #files: WorkspaceFiles;
  readonly #moves: Move[] = [];
  /** Files and folders by their path at this step. */
  #made = new Map<string, 'file' | 'folder'>();
  /** By their path on disk. */
  readonly #removed = new Set<string>();
  /** Folders that were found, by their path on disk: there are often many files in one. */
  readonly #found = new Set<string>(['']);

  constructor(files: WorkspaceFiles) {
    this.#files = files;
  }

  make(file: string): void {
    this.#made.set(file, 'file');
  }

  remove(file: string): void {
    this.#removed.add(file);
  }

  move(move: Move): void {
    this.#moves.push(move);
    this.#made = new Map([...this.#made].map(([name, kind]) => [moved(name, move) ?? name, kind]));
  }

  kindOf(file: string): Kind {
    const made = this.#made.get(file);
    if (made) return made;
    const origin = this.originOf(file);
    const stat = origin === undefined ? undefined : this.#files.look(origin);
    if (!stat || this.#removed.has(origin ?? '')) return 'missing';
    if (stat.isFile()) return 'file';
    return stat.isDirectory() ? 'folder' : 'irregular';
  }

  /** Whether nothing is there and nothing was: else it could not be taken back. */
  isFree(file: string): boolean {
    return this.kindOf(file) === 'missing' && !this.#removed.has(this.originOf(file) ?? '');
  }

  /** Where it is on disk; `undefined` if it was moved away. */
  originOf(file: string): string | undefined {
    let origin = file;
    for (let index = this.#moves.length - 1; index >= 0; index--) {
      const { from, to } = this.#moves[index] as Move;
      const before = moved(origin, { from: to, to: from });
      if (before === undefined && moved(origin, { from, to }) !== undefined) return undefined;
      origin = before ?? origin;
    }
    return origin;
  }

  /** Folders that are missing on the way to a folder, which are there from now on. */
  makeFolders(folder: string): string[] {
    const missing = stepsTo(folder).filter((step) => !this.#isFolder(step));
    for (const step of missing) this.#made.set(step, 'folder');
    return missing;
  }

  /** Whether there is a folder on disk. A link to one in the workspace is one too. */
  isFound(folder: string): boolean {
    if (this.#found.has(folder)) return true;
    const isFolder = this.#files.isFolder(folder);
    if (isFolder) this.#found.add(folder);
    return isFolder;
  }

  #isFolder(folder: string): boolean {
    if (this.#made.get(folder) === 'folder') return true;
    const origin = this.originOf(folder);
    if (origin !== undefined && this.isFound(origin)) return true;
    if (this.kindOf(folder) === 'missing') return false;
    throw new Stopped([folder], { code: 'ENOTDIR' });
  }
}
