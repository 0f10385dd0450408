import type { Environment } from '@baton/core';
import { BatonError, escapeLine } from '@baton/core';
import type { GitCall } from './git-call.ts';
import { gitFailed } from './git-failure.ts';
import { submodulesOf } from './index-entries.ts';
import type { Worktree } from './places.ts';
import { runGit } from './run-git.ts';

export interface Adding {
  readonly except?: readonly string[];
  readonly env?: Environment;
}

export interface Added {
  /** Whether a repository within the worktree was added, as a link to its commit. */
  readonly hasNested: boolean;
}

/** Puts all files into the index, except those that git ignores. */
export async function addFiles(
  worktree: Worktree,
  { except = [], env = {} }: Adding,
  call: GitCall,
): Promise<Added> {
  // An empty name would exclude everything.
  const excluded = except
    .filter((file) => file !== '')
    .map((file) => `:(top,exclude,literal)${file}`);
  // Where only a part of the files is checked out, others may have been added all the same.
  const args = ['add', '-A', '--sparse', '--no-ignore-errors', '--', ':/', ...excluded];
  const submodules = await submodulesOf(worktree, call);
  const options = { env, accepts: 'any', submodules } as const;
  const { code, stderr } = await runGit(worktree, args, call, options);
  const unborn = /'(.+?)\/?' does not have a commit checked out/.exec(stderr)?.[1];
  if (unborn !== undefined) throw nestedRepositories([unborn]);
  // It is 1 where something excluded is ignored as well; all has been added then.
  if (code !== 0 && !(code === 1 && stderr.includes('paths are ignored'))) {
    throw gitFailed('add', code, stderr);
  }
  return { hasNested: stderr.includes('adding embedded git repository') };
}

export function nestedRepositories(paths: readonly string[]): BatonError {
  const names = paths.map((each) => escapeLine(each)).join(', ');
  return new BatonError(
    'nested_repository',
    `There is a git repository within the worktree: ${names}. Its files would not be committed.`,
    'Remove its .git folder to commit its files, or ignore it, or make it a submodule and push what is committed in that.',
  );
}
