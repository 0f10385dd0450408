import { readFileSync } from 'node:fs';
import path from 'node:path';
import { BatonError } from '@baton/core';
import type { GitCall } from './git-call.ts';
import { linkedGitDir } from './git-dir.ts';
import { isCommitHash } from './names.ts';
import type { Repository, Worktree } from './places.ts';
import { runGit } from './run-git.ts';
import { realIfThere, worktreePlace } from './worktree-place.ts';
import { isRegistrationOf, registrationsIn } from './worktree-registration.ts';

/** `undefined` if there is none, or if its repository does not know it, or not any more. */
export function openWorktree(folder: string, repo: Repository): Worktree | undefined {
  const gitDir = linkedGitDir(folder);
  // A job can write anything there.
  const isKnown =
    gitDir && realIfThere(path.dirname(gitDir)) === path.join(repo.gitDir, 'worktrees');
  return isKnown ? { path: folder, gitDir, commonDir: repo.gitDir } : undefined;
}

/**
 * The worktree that its repository knows at this place, whatever its .git file says now; `undefined`
 * if it knows none.
 */
export function registeredWorktree(folder: string, repo: Repository): Worktree | undefined {
  const place = worktreePlace(repo, folder);
  const linked = openWorktree(place, repo);
  if (linked && isRegistrationOf(linked.gitDir, place)) return linked;
  const gitDir = registrationsIn(repo).find((each) => isRegistrationOf(each, place));
  return gitDir === undefined ? undefined : { path: place, gitDir, commonDir: repo.gitDir };
}

export async function headOf(worktree: Worktree, call: GitCall): Promise<string> {
  const head = await headIfAny(worktree, call);
  if (head !== undefined) return head;
  throw new BatonError(
    'git_failed',
    `The worktree ${worktree.path} has no commit checked out.`,
    'Check out a commit there.',
  );
}

/** There is none on a branch without commits. */
export async function headIfAny(worktree: Worktree, call: GitCall): Promise<string | undefined> {
  const detached = detachedHead(worktree);
  if (detached !== undefined) return detached;
  const args = ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'];
  const { code, stdout } = await runGit(worktree, args, call, { accepts: [0, 1, 128] });
  return code === 0 ? stdout.trim() : undefined;
}

// Most often it stands in a file, and no process is needed.
export function detachedHead({ gitDir }: Worktree): string | undefined {
  try {
    const head = readFileSync(path.join(gitDir, 'HEAD'), 'utf8').trim();
    return isCommitHash(head) ? head : undefined;
  } catch {
    return undefined;
  }
}
