import type { Environment } from '@baton/core';
import type { GitCall } from './git-call.ts';
import type { Worktree } from './places.ts';
import { runGit } from './run-git.ts';

/**
 * Has git look, with the index of `env`, at files that somebody has told it not to look at. Their
 * names are as bytes, since a name need not be UTF-8.
 */
export async function unhideFiles(
  worktree: Worktree,
  names: readonly Buffer[],
  env: Environment,
  call: GitCall,
): Promise<void> {
  if (names.length === 0) return;
  const input = Buffer.concat(names.flatMap((name) => [name, Buffer.of(0)]));
  // Of two flags in one call git sees to the first alone.
  for (const flag of ['--no-assume-unchanged', '--no-skip-worktree']) {
    await runGit(worktree, ['update-index', flag, '-z', '--stdin'], call, { env, input });
  }
}
