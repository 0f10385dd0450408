import { BatonError } from '@baton/core';
import type { GitCall } from './git-call.ts';
import { invalidRevision, isRevision, requireCommits } from './names.ts';
import type { Repository } from './places.ts';
import { runGit } from './run-git.ts';

/** The full hash of the commit that a name means now. */
export async function resolveCommit(
  repo: Repository,
  name: string,
  call: GitCall,
): Promise<string> {
  if (!isRevision(name)) throw invalidRevision(name, 'Name a branch, a tag or a commit.');
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
  const { code, stdout } = await runGit(repo, args, call, { accepts: [0, 1, 128] });
  if (code === 0) return stdout.trim();
  if (name === 'HEAD') {
    throw new BatonError(
      'repository_empty',
      `The branch that is checked out in ${repo.root} has no commit yet.`,
      'Make a first commit.',
    );
  }
  throw new BatonError(
    'revision_unknown',
    `${name} is no branch, tag or commit of ${repo.root}.`,
    'Look at what there is with git branch --all, or fetch it first.',
  );
}

export async function isAncestor(
  repo: Repository,
  ancestor: string,
  commit: string,
  call: GitCall,
): Promise<boolean> {
  requireCommits(ancestor, commit);
  if (ancestor === commit) return true;
  const args = ['merge-base', '--is-ancestor', '--end-of-options', ancestor, commit];
  const { code } = await runGit(repo, args, call, { accepts: [0, 1] });
  return code === 0;
}

/** Those of the commits that none of the others contains, in their order. */
export async function independent(
  repo: Repository,
  commits: readonly string[],
  call: GitCall,
): Promise<readonly string[]> {
  requireCommits(...commits);
  const distinct = [...new Set(commits)];
  if (distinct.length < 2) return distinct;
  const args = ['merge-base', '--independent', '--end-of-options', ...distinct];
  const { stdout } = await runGit(repo, args, call);
  const found = new Set(stdout.split('\n'));
  return distinct.filter((commit) => found.has(commit));
}
