import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { GitCall } from './git-call.ts';
import { gitFailed } from './git-failure.ts';
import { inTurn } from './in-turn.ts';
import { requireCommits } from './names.ts';
import type { Repository, Worktree } from './places.ts';
import { removeTree } from './remove-tree.ts';
import { runGit } from './run-git.ts';
import { openWorktree } from './worktree.ts';
import { invalidPlace, kindAt, worktreePlace } from './worktree-place.ts';
import { dropRegistration } from './worktree-registration.ts';

export interface NewWorktree {
  readonly path: string;
  readonly commit: string;
}

/** A checkout of its own, on no branch. */
export async function addWorktree(
  repo: Repository,
  { path: folder, commit }: NewWorktree,
  call: GitCall,
): Promise<Worktree> {
  requireCommits(commit);
  // Before its parent is made: nothing is made for a path that is refused.
  worktreePlace(repo, folder);
  return inTurn(repo.gitDir, async () => {
    call.signal?.throwIfAborted();
    await mkdir(path.dirname(path.resolve(folder)), { recursive: true });
    const place = worktreePlace(repo, folder);
    if (kindAt(place) !== undefined) throw invalidPlace(folder, 'is there already');
    try {
      return await checkOut(repo, place, commit, call);
    } catch (error) {
      await removeTree(place);
      await dropRegistration(repo, place);
      throw error;
    }
  });
}

async function checkOut(repo: Repository, place: string, commit: string, call: GitCall) {
  // Forced, as the registration of a folder that is gone would be in the way.
  const args = ['worktree', 'add', '-q', '--detach', '--force', '--force', '--', place, commit];
  const { code, stderr } = await runGit(repo.root, args, call);
  const worktree = openWorktree(place, repo);
  if (!worktree) throw gitFailed('worktree add', code, stderr);
  return worktree;
}
