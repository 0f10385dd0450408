import { lstatSync, realpathSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { BatonError, escapeLine } from '@baton/core';
import { leadsOutOf } from '@baton/folders/files';
import { innerFolder } from './inner-folder.ts';
import type { Repository, Worktree } from './places.ts';

// Windows allows junctions to everybody, links only to some.
const LINK = process.platform === 'win32' ? 'junction' : 'dir';

/** Makes folders of the checkout, such as node_modules, appear in a worktree. */
export function linkFolders(
  repo: Repository,
  worktree: Worktree,
  folders: readonly string[],
): void {
  const top = realpathSync(worktree.path);
  for (const folder of folders) {
    const parts = partsOf(folder);
    const source = realFolder(repo, folder, parts);
    const parent = innerFolder(top, parts.slice(0, -1));
    if (parent === undefined) throw invalid(folder, 'would be outside of the worktree');
    const link = path.join(parent, parts.at(-1) ?? '');
    if (lstatSync(link, { throwIfNoEntry: false })) throw invalid(folder, 'is there already');
    symlinkSync(source, link, LINK);
  }
}

function partsOf(folder: string): readonly string[] {
  const isAbsolute = path.posix.isAbsolute(folder) || path.win32.isAbsolute(folder);
  const parts = folder.replace(/[\\/]$/, '').split(process.platform === 'win32' ? /[\\/]/ : '/');
  const isBad = (part: string) => ['', '.', '..'].includes(part) || isGitFolder(part);
  // A drive without a slash is no absolute path, but leads elsewhere.
  if (isAbsolute || /^[a-z]:/i.test(folder) || folder.includes('\0') || parts.some(isBad)) {
    throw invalid(folder, 'is not the name of a folder in the repository');
  }
  return parts;
}

/** In every way that a file system may spell it. */
function isGitFolder(part: string): boolean {
  return /^\.git[. ]*(?::|$)|^git~1$/i.test(
    part.replace(/[\u200c-\u200f\u202a-\u202e\ufeff]/g, ''),
  );
}

function realFolder(repo: Repository, folder: string, parts: readonly string[]): string {
  let real: string;
  try {
    real = realpathSync(path.join(repo.root, ...parts));
  } catch (cause) {
    throw invalid(folder, 'is not there', { cause });
  }
  if (!lstatSync(real).isDirectory()) throw invalid(folder, 'is not a folder');
  const isOutside = real === repo.root || leadsOutOf(repo.root, real);
  if (isOutside || !leadsOutOf(repo.gitDir, real)) {
    throw invalid(folder, 'leads out of the repository');
  }
  return real;
}

function invalid(folder: string, why: string, options?: ErrorOptions): BatonError {
  return new BatonError(
    'link_invalid',
    `The folder ${escapeLine(folder)} cannot be linked: it ${why}.`,
    'Name folders of the checkout, relative to its top, that are not in the worktree.',
    options,
  );
}
