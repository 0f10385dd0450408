import { lstatSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { BatonError, escapeLine } from '@baton/core';
import { leadsOutOf } from '@baton/folders/files';
import type { Repository } from './places.ts';

/** Where a worktree really is; its own name is not followed, should it be a link. */
export function worktreePlace(repo: Repository, folder: string): string {
  if (!path.isAbsolute(folder) || folder.includes('\0')) {
    throw invalidPlace(folder, 'is not an absolute path');
  }
  const full = path.resolve(folder);
  const place = path.join(realIfThere(path.dirname(full)), path.basename(full));
  const holdsRepository = !leadsOutOf(place, repo.root) || !leadsOutOf(place, repo.gitDir);
  if (holdsRepository || !leadsOutOf(repo.gitDir, place)) {
    throw invalidPlace(folder, 'is the repository itself');
  }
  return place;
}

export function invalidPlace(folder: string, why: string): BatonError {
  return new BatonError(
    'worktree_invalid',
    `${escapeLine(folder)} cannot be a worktree: it ${why}.`,
    'Name an absolute path at which nothing is yet.',
  );
}

export type Kind = 'folder' | 'other' | undefined;

/** What is there, without following a link. */
export function kindAt(place: string): Kind {
  const stat = lstatSync(place, { throwIfNoEntry: false });
  if (!stat) return undefined;
  return stat.isDirectory() ? 'folder' : 'other';
}

export function realIfThere(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
