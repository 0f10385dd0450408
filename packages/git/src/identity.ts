import type { Environment } from '@baton/core';
import type { Place } from './git-arguments.ts';
import type { GitCall } from './git-call.ts';
import { gitFailed } from './git-failure.ts';
import type { GitOptions, GitOutput } from './git-process.ts';
import { runGit } from './run-git.ts';

const UNKNOWN =
  /Please tell me who you are|empty ident|unable to auto-detect email|no (?:email|name) was given/;

const FALLBACK: Environment = {
  GIT_AUTHOR_NAME: 'Baton',
  GIT_AUTHOR_EMAIL: 'baton@localhost',
  GIT_COMMITTER_NAME: 'Baton',
  GIT_COMMITTER_EMAIL: 'baton@localhost',
};

/** Runs what makes a commit: as the user, or as Baton where git does not know the user. */
export async function runAsSomebody(
  place: Place,
  args: readonly string[],
  call: GitCall,
  options: Omit<GitOptions, 'accepts'> = {},
): Promise<GitOutput> {
  const asUser = await runGit(place, args, call, { ...options, accepts: 'any' });
  if (asUser.code === 0 || !UNKNOWN.test(asUser.stderr)) return asUser;
  const env = { ...options.env, ...FALLBACK };
  return runGit(place, args, call, { ...options, env, accepts: 'any' });
}

export async function commitTree(
  place: Place,
  commit: { readonly tree: string; readonly parents: readonly string[]; readonly message: string },
  call: GitCall,
  env: Environment = {},
): Promise<string> {
  const parents = commit.parents.flatMap((parent) => ['-p', parent]);
  const args = ['commit-tree', ...parents, '-F', '-', '--end-of-options', commit.tree];
  const { code, stdout, stderr } = await runAsSomebody(place, args, call, {
    input: commit.message,
    env,
  });
  if (code !== 0) throw gitFailed('commit-tree', code, stderr);
  return stdout.trim();
}
