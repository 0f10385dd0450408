import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import {
  type ProtectedPlace,
  protectedPlace,
  protectedPlaceError,
  requireUnprotected,
} from '@baton/core';
import { gitHooksFolder } from './git-hooks-folder.ts';
import { leadsOutOf } from './leads-out.ts';
import { whereLeads } from './where-leads.ts';

/** Links are looked for in hidden folders so deep: `.claude/skills`, `.git/hooks/pre-commit`. */
const MAX_DEPTH = 2;
/** Of hidden folders; those of git can hold a great many. */
const MAX_ENTRIES = 2000;

interface ProtectedName extends ProtectedPlace {
  /** Its path in the folder, by a link. */
  readonly name: string;
}

interface Link {
  readonly name: string;
  /** Where it leads. */
  readonly target: string;
}

/**
 * The protected names by which links lead to paths: with `.vscode` as a link to `tools/vscode`,
 * editors obey `tools/vscode/tasks.json`. What a link leads to below a path counts as well, as it
 * would be moved along. Links are looked for in the folders around a path, each of them once.
 */
export class ProtectedNames {
  readonly #root: string;
  readonly #links = new Map<string, readonly Link[]>();

  /** `root` is a real path. */
  constructor(root: string) {
    this.#root = root;
  }

  /** `file` is a real path in the folder, with slashes. */
  of(file: string): ProtectedName | undefined {
    const full = path.join(this.#root, file);
    for (const folder of foldersAround(file)) {
      // What is missing holds nothing, and nothing is below it.
      if (folder !== '' && !existsSync(path.join(this.#root, folder))) break;
      for (const link of this.#linksIn(folder)) {
        const name = nameBy(link, full);
        const place = name === undefined ? undefined : protectedPlace(name);
        if (name !== undefined && place) return { ...place, name };
      }
    }
    return undefined;
  }

  #linksIn(folder: string): readonly Link[] {
    const root = this.#root;
    const links =
      this.#links.get(folder) ??
      [...linksIn(root, folder), ...(folder === '' ? hooksLink(root) : [])]
        .map((link) => ({ ...link, target: whereLeads(link.target) }))
        // A link to everything, such as `.devcontainer/workspace`, protects nothing.
        .filter(({ target }) => leadsOutOf(target, root));
    this.#links.set(folder, links);
    return links;
  }
}

/** Throws for what is protected in a folder, by its own names or by those of links to it. */
export function requireUnprotectedIn(root: string, files: readonly string[]): void {
  const names = new ProtectedNames(root);
  for (const file of files) {
    requireUnprotected(file);
    const found = names.of(file);
    if (found) throw protectedPlaceError(`${file}, to which ${found.name} leads,`, found);
  }
}

function nameBy({ name, target }: Link, full: string): string | undefined {
  if (!leadsOutOf(full, target)) return name;
  if (leadsOutOf(target, full)) return undefined;
  return `${name}/${path.relative(target, full).split(path.sep).join('/')}`;
}

/** The folder itself as the empty path, and those on the way. */
function* foldersAround(file: string): Generator<string> {
  yield '';
  for (let end = file.indexOf('/'); end >= 0; end = file.indexOf('/', end + 1))
    yield file.slice(0, end);
}

/** What git runs instead of `.git/hooks` is as if that were a link to it. */
function hooksLink(root: string): Link[] {
  const target = gitHooksFolder(root);
  return target === undefined ? [] : [{ name: '.git/hooks', target }];
}

/** Links in a folder, and in hidden folders there. */
function* linksIn(root: string, top: string): Generator<Link> {
  let entries = 0;
  let folders = [top];
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    const inside = folders.flatMap((folder) => entriesOf(root, folder));
    for (const { file, isLink } of inside)
      if (isLink) yield { name: file, target: path.join(root, file) };
    if (depth > 0) entries += inside.length;
    if (entries > MAX_ENTRIES) return;
    // `.github` is not protected itself, but some of what is in it.
    const isHidden = (file: string) =>
      depth > 0 ? protectedPlace(file) !== undefined : path.posix.basename(file).startsWith('.');
    folders = inside.filter((one) => one.isFolder && isHidden(one.file)).map(({ file }) => file);
  }
}

function entriesOf(root: string, folder: string) {
  try {
    return readdirSync(path.join(root, folder), { withFileTypes: true }).map((entry) => ({
      file: path.posix.join(folder, entry.name),
      isLink: entry.isSymbolicLink(),
      isFolder: entry.isDirectory(),
    }));
  } catch {
    return []; // It is not there yet, or nobody can use it.
  }
}
