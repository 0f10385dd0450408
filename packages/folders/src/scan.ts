import { type Dirent, lstatSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { type FileProblem, sentenceOf } from './file-problem.ts';
import { type FileStamp, stampOf } from './file-stamp.ts';
import { leadsOutOf } from './leads-out.ts';
import type { Turns } from './turns.ts';

export interface Scan {
  /** Path in the folder, with slashes, of each file that is wanted. */
  readonly files: ReadonlyMap<string, FileStamp>;
  /** Folders in it, itself as the empty path. */
  readonly folders: readonly string[];
  readonly problems: readonly FolderProblem[];
}

/** Something in a folder that is left out. */
export interface FolderProblem {
  /** Its path in the folder, with slashes. */
  readonly file: string;
  readonly message: string;
}

export interface ScanOptions {
  now(): number;
  readonly turns: Turns;
  /** Whether files of a name are looked for. */
  isWanted(name: string): boolean;
  /** Which names that begin with a point are looked at; by default none. */
  isHiddenWanted?(name: string, isFolder: boolean): boolean;
  /** What is larger is left out. */
  readonly maxBytes: number;
  /** What to do about a link that leads out of the folder, as a sentence. */
  readonly linkHint?: string;
  /** Called before a folder is looked at. */
  entering?(folder: string): void;
  /** Only what is in this folder of it. */
  readonly below?: string;
}

/** Names that are no UTF-8 come with replacement characters. */
const UNUSABLE_NAME = /[^ -~\xa0-\ufffc\uffff]/;
const PASSED_OVER = new Set(['node_modules']);
const MOST_FILES = 50_000;
const MOST_FOLDERS = 10_000;
const DEEPEST = 32;

/** All wanted files of a folder. Links are not followed: what they lead to is here, or not ours. */
export async function scanFolder(root: string, options: ScanOptions): Promise<Scan> {
  const scan = new Scanning(root, options);
  const { below = '' } = options;
  await scan.walk(below, below === '' ? 0 : below.split('/').length);
  return scan;
}

class Scanning implements Scan {
  readonly files = new Map<string, FileStamp>();
  readonly folders: string[] = [];
  readonly problems: FolderProblem[] = [];
  readonly #root: string;
  readonly #options: ScanOptions;
  #isFull = false;

  constructor(root: string, options: ScanOptions) {
    this.#root = root;
    this.#options = options;
  }

  async walk(folder: string, depth: number): Promise<void> {
    if (depth > DEEPEST) {
      this.#report(folder, `This is nested more than ${DEEPEST} folders deep.`);
      return;
    }
    if (this.folders.length >= MOST_FOLDERS) {
      this.#reportFull(folder, `There are more than ${MOST_FOLDERS} folders`);
      return;
    }
    this.#options.entering?.(folder);
    const entries = this.#entriesOf(folder);
    if (!entries) return;
    this.folders.push(folder);
    const { turns } = this.#options;
    for (const entry of entries) {
      if (this.#isPassedOver(entry)) continue;
      const file = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (UNUSABLE_NAME.test(entry.name)) this.#report(file, nameProblem(entry.name));
      else if (entry.isDirectory()) await this.walk(file, depth + 1);
      else this.#visit(entry, file);
      if (turns.isOver) await turns.next();
    }
  }

  #isPassedOver(entry: Dirent): boolean {
    if (!entry.name.startsWith('.')) return PASSED_OVER.has(entry.name);
    return !this.#options.isHiddenWanted?.(entry.name, entry.isDirectory());
  }

  #entriesOf(folder: string): Dirent[] | undefined {
    try {
      return readdirSync(path.join(this.#root, folder), { withFileTypes: true });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (folder !== '') this.#report(folder, `This cannot be read (${code}).`);
      return undefined;
    }
  }

  #visit(entry: Dirent, file: string): void {
    if (entry.isSymbolicLink()) this.#visitLink(file);
    else if (!this.#options.isWanted(entry.name)) return;
    else if (entry.isFile()) this.#visitFile(file);
    else this.#reportFile(file, { problem: 'irregular' });
  }

  #visitFile(file: string): void {
    if (this.files.size >= MOST_FILES) {
      this.#reportFull(file, `There are more than ${MOST_FILES} files`);
      return;
    }
    const stat = lstatSync(`${this.#root}/${file}`, { throwIfNoEntry: false });
    if (!stat?.isFile()) return; // It has been replaced meanwhile.
    if (stat.size > this.#options.maxBytes) this.#reportFile(file, { problem: 'large' });
    else this.files.set(file, stampOf(stat, this.#options.now()));
  }

  #visitLink(file: string): void {
    if (!leadsOut(this.#root, file)) return;
    const { linkHint } = this.#options;
    const message = 'This is a link that leads out of the folder.';
    this.#report(file, linkHint ? `${message} ${linkHint}` : message);
  }

  #reportFull(file: string, message: string): void {
    if (!this.#isFull) this.#report(file, `${message}: this and more are left out.`);
    this.#isFull = true;
  }

  #reportFile(file: string, problem: FileProblem): void {
    this.#report(file, sentenceOf(problem, this.#options.maxBytes));
  }

  #report(file: string, message: string): void {
    this.problems.push({ file, message });
  }
}

function nameProblem(name: string): string {
  return name.includes('\ufffd') ? 'Its name is not UTF-8.' : 'Its name holds control characters.';
}

function leadsOut(root: string, file: string): boolean {
  try {
    return leadsOutOf(root, realpathSync(path.join(root, file)));
  } catch {
    return true; // It leads to nothing.
  }
}
