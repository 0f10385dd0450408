import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import type { Repository } from './places.ts';

const BEING_MADE_MS = 10_000;

/** As `git worktree prune` does, for one worktree only. */
export async function dropRegistration(repo: Repository, place: string): Promise<void> {
  for (const folder of registrationsIn(repo)) {
    if (isOf(folder, place)) await rm(folder, { recursive: true, force: true });
  }
  // Git has no such folder without worktrees; others may still be in it.
  await rmdir(folderOf(repo)).catch(() => undefined);
}

/** The git folder of each worktree that the repository knows. */
export function registrationsIn(repo: Repository): readonly string[] {
  const all = folderOf(repo);
  return namesIn(all).map((name) => path.join(all, name));
}

function folderOf({ gitDir }: Repository): string {
  return path.join(gitDir, 'worktrees');
}

/** Whether git has written that this is the git folder of the worktree there. */
export function isRegistrationOf(folder: string, place: string): boolean {
  const pointer = readIfThere(path.join(folder, 'gitdir'));
  if (pointer === undefined) return false;
  return path.resolve(folder, pointer.replace(/\r?\n$/, '')) === path.join(place, '.git');
}

function isOf(folder: string, place: string): boolean {
  if (existsSync(path.join(folder, 'gitdir'))) return isRegistrationOf(folder, place);
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
