import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { BatonError } from '@baton/core';
import type { GitCall } from './git-call.ts';
import { isCommitHash } from './names.ts';
import type { Repository, Worktree } from './places.ts';
import { runGit } from './run-git.ts';
import { realIfThere } from './worktree-place.ts';

/** `undefined` if there is none, or if its repository does not know it, or not any more. */
export function openWorktree(folder: string, repo: Repository): Worktree | undefined {
  const gitDir = linkedGitDir(folder);
  // A job can write anything there.
  const isKnown =
    gitDir && realIfThere(path.dirname(gitDir)) === path.join(repo.gitDir, 'worktrees');
  return isKnown ? { path: folder, gitDir } : undefined;
}

/** Where the .git file of a folder leads, if that is a git folder. */
export function linkedGitDir(folder: string): string | undefined {
  const target = readGitFile(path.join(folder, '.git'));
  if (target === undefined) return undefined;
  const gitDir = path.resolve(folder, target);
  return existsSync(path.join(gitDir, 'HEAD')) ? gitDir : undefined;
}

function readGitFile(file: string): string | undefined {
  try {
    return /^gitdir: (.+?)\r?\n?$/s.exec(readFileSync(file, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
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
function detachedHead({ gitDir }: Worktree): string | undefined {
  try {
    const head = readFileSync(path.join(gitDir, 'HEAD'), 'utf8').trim();
    return isCommitHash(head) ? head : undefined;
  } catch {
    return undefined;
  }
}
