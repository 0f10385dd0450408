import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { GitCall } from './git-call.ts';
import { gitFailed } from './git-failure.ts';
import { inTurn } from './in-turn.ts';
import { requireCommits } from './names.ts';
import type { Repository, Worktree } from './places.ts';
import { removeTree } from './remove-tree.ts';
import { removeWorktree } from './remove-worktree.ts';
import { runGit } from './run-git.ts';
import { openWorktree } from './worktree.ts';
import { invalidPlace, kindAt, worktreePlace } from './worktree-place.ts';
import { dropRegistration } from './worktree-registration.ts';

export interface NewWorktree {
  readonly path: string;
  readonly commit: string;
}

// Forced, as the registration of a folder that is gone would be in the way.
const ADD = ['worktree', 'add', '-q', '--detach', '--force', '--force', '--no-checkout', '--'];
const CHECK_OUT = ['reset', '-q', '--hard', '--no-recurse-submodules'];

/** A checkout of its own, on no branch. */
export async function addWorktree(
  repo: Repository,
  { path: folder, commit }: NewWorktree,
  call: GitCall,
): Promise<Worktree> {
  requireCommits(commit);
  // Before its parent is made: nothing is made for a path that is refused.
  worktreePlace(repo, folder);
  await mkdir(path.dirname(path.resolve(folder)), { recursive: true });
  const place = worktreePlace(repo, folder);
  const worktree = await inTurn(repo.gitDir, () => register(repo, place, commit, call));
  try {
    // Its files, beside whoever is next: this is what takes long.
    await runGit(worktree, CHECK_OUT, call);
    return worktree;
  } catch (error) {
    // Also if the call has ended: nobody else knows of it yet.
    const { signal: _, ...cleanUp } = call;
    await removeWorktree(repo, place, cleanUp);
    throw error;
  }
}

/** A worktree without files. */
async function register(repo: Repository, place: string, commit: string, call: GitCall) {
  call.signal?.throwIfAborted();
  if (kindAt(place) !== undefined) throw invalidPlace(place, 'is there already');
  try {
    const { code, stderr } = await runGit(repo, [...ADD, place, commit], call);
    const worktree = openWorktree(place, repo);
    if (!worktree) throw gitFailed('worktree add', code, stderr);
    return worktree;
  } catch (error) {
    await removeTree(place);
    await dropRegistration(repo, place);
    throw error;
  }
}
