import { type Dirent, lstatSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { Problem } from '../reading/piece.ts';
import { leadsOutOf } from './leads-out.ts';
import { type FileStamp, MAX_FILE_BYTES, stampOf } from './safe-file.ts';
import type { Turns } from './turns.ts';

export interface Scan {
  /** Path in the folder, with slashes, of each Markdown file. */
  readonly files: ReadonlyMap<string, FileStamp>;
  /** Folders in it, itself as the empty path. */
  readonly folders: readonly string[];
  readonly problems: readonly Problem[];
}

/** Names that are no UTF-8 come with replacement characters. */
const UNUSABLE_NAME = /[^ -~\xa0-\ufffc\uffff]/;
const MARKDOWN = /\.(?:md|markdown|mdx)$/i;
const PASSED_OVER = new Set(['node_modules']);
const MOST_FILES = 50_000;
const MOST_FOLDERS = 10_000;
const DEEPEST = 32;

/** All Markdown files of a folder. Links are not followed: what they lead to is here, or not ours. */
export async function scanFolder(
  root: string,
  now: () => number,
  turns: Turns,
  entering: (folder: string) => void = () => {},
): Promise<Scan> {
  const scan = new Scanning(root, now, turns, entering);
  await scan.walk('', 0);
  return scan;
}

class Scanning implements Scan {
  readonly files = new Map<string, FileStamp>();
  readonly folders: string[] = [];
  readonly problems: Problem[] = [];
  readonly #root: string;
  readonly #now: () => number;
  readonly #turns: Turns;
  readonly #entering: (folder: string) => void;
  #isFull = false;

  constructor(root: string, now: () => number, turns: Turns, entering: (folder: string) => void) {
    this.#entering = entering;
    this.#root = root;
    this.#now = now;
    this.#turns = turns;
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
    this.#entering(folder);
    const entries = this.#entriesOf(folder);
    if (!entries) return;
    this.folders.push(folder);
    for (const entry of entries) {
      if (entry.name.startsWith('.') || PASSED_OVER.has(entry.name)) continue;
      const file = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (UNUSABLE_NAME.test(entry.name)) this.#report(file, nameProblem(entry.name));
      else if (entry.isDirectory()) await this.walk(file, depth + 1);
      else this.#visit(entry, file);
      if (this.#turns.isOver) await this.#turns.next();
    }
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
    else if (!MARKDOWN.test(entry.name)) return;
    else if (entry.isFile()) this.#visitFile(file);
    else this.#report(file, 'This is not a regular file.');
  }

  #visitFile(file: string): void {
    if (this.files.size >= MOST_FILES) {
      this.#reportFull(file, `There are more than ${MOST_FILES} files`);
      return;
    }
    const stat = lstatSync(`${this.#root}/${file}`, { throwIfNoEntry: false });
    if (!stat?.isFile()) return; // It has been replaced meanwhile.
    if (stat.size > MAX_FILE_BYTES) this.#report(file, 'This is larger than 1 MiB: split it.');
    else this.files.set(file, stampOf(stat, this.#now()));
  }

  #visitLink(file: string): void {
    if (!leadsOut(this.#root, file)) return;
    this.#report(
      file,
      'This is a link that leads out of the folder. Name its target in the setting `knowledge` instead.',
    );
  }

  #reportFull(file: string, message: string): void {
    if (!this.#isFull) this.#report(file, `${message}: this and more are left out.`);
    this.#isFull = true;
  }

  #report(file: string, message: string): void {
    this.problems.push({ file, line: 1, column: 1, severity: 'error', message });
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
