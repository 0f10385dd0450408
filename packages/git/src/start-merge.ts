import { existsSync } from 'node:fs';
import path from 'node:path';
import type { GitCall } from './git-call.ts';
import { gitFailed } from './git-failure.ts';
import { runAsSomebody } from './identity.ts';
import { PLAIN_MERGE } from './merge-options.ts';
import { requireCommits } from './names.ts';
import type { Worktree } from './places.ts';

/** Leaves a merge for somebody to finish: conflicts are marked in the files. */
export async function startMerge(worktree: Worktree, theirs: string, call: GitCall): Promise<void> {
  requireCommits(theirs);
  const options = ['--no-commit', '--no-ff', '-s', 'ort', '--allow-unrelated-histories'];
  const args = [...PLAIN_MERGE, ...options, '--end-of-options', theirs];
  const { code, stdout, stderr } = await runAsSomebody(worktree, args, call);
  if (code === 0) return;
  const isStarted = existsSync(path.join(worktree.gitDir, 'MERGE_HEAD'));
  if (code !== 1 || !isStarted) throw gitFailed('merge', code, stderr || stdout);
}
