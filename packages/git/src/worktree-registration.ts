import { readdirSync, readFileSync, statSync } from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import type { Repository } from './places.ts';

const BEING_MADE_MS = 10_000;

/** As `git worktree prune` does, for one worktree only. */
export async function dropRegistration(repo: Repository, place: string): Promise<void> {
  const all = path.join(repo.gitDir, 'worktrees');
  for (const name of namesIn(all)) {
    const folder = path.join(all, name);
    if (isOf(folder, place)) await rm(folder, { recursive: true, force: true });
  }
  // Git has no such folder without worktrees; others may still be in it.
  await rmdir(all).catch(() => undefined);
}

function isOf(folder: string, place: string): boolean {
  const pointer = readIfThere(path.join(folder, 'gitdir'));
  if (pointer !== undefined) {
    return path.resolve(folder, pointer.replace(/\r?\n$/, '')) === path.join(place, '.git');
  }
  // Git was killed before it wrote where the worktree is, unless it is just about to.
  return path.basename(folder) === path.basename(place) && isOld(folder);
}

function isOld(folder: string): boolean {
  const stat = statSync(folder, { throwIfNoEntry: false });
  return stat !== undefined && Date.now() - stat.mtimeMs > BEING_MADE_MS;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
