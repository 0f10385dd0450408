import type { Checkout } from './checkouts.ts';
import type { GitCall } from './git-call.ts';
import { gitFailed } from './git-failure.ts';
import { PLAIN_MERGE } from './merge-options.ts';
import { invalidRevision, isBranchName, requireCommits } from './names.ts';
import type { Worktree } from './places.ts';
import { runGit } from './run-git.ts';

export interface Forward {
  readonly branch: string;
  readonly from: string;
  readonly to: string;
}

// Of each the start: what git names after it is theirs.
const REFUSALS = [
  /would be overwritten by merge/,
  /would lose untracked files/,
  /would be removed by merge/,
  /not uptodate\. Cannot merge/,
  /You have not concluded your/,
  /you have unmerged files/,
  /index\.lock': File exists/,
];

/** Moves a branch, and the files where it is checked out, unless something would be lost. */
export async function forwardCheckout(
  checkout: Checkout,
  { branch, from, to }: Forward,
  call: GitCall,
): Promise<'done' | 'moved' | 'refused'> {
  requireCommits(from, to);
  if (!isBranchName(branch)) throw invalidRevision(branch, 'Give the name of a branch.');
  const position = () => checkedOutCommit(checkout, branch, call);
  if ((await position()) !== from) return 'moved';
  if (from === to) return 'done';
  // Ignored files are somebody's too.
  const options = ['--ff-only', '--no-overwrite-ignore', '--end-of-options', to];
  const args = [...PLAIN_MERGE, ...options];
  const { code, stdout, stderr } = await runGit(checkout, args, call, { accepts: 'any' });
  const now = await position();
  if (code === 0) return now === to ? 'done' : 'moved';
  if (now !== from) return 'moved';
  if (REFUSALS.some((refusal) => refusal.test(stderr))) return 'refused';
  throw gitFailed('merge', code, stderr || stdout);
}

/** Where the branch is, if it is checked out there. */
async function checkedOutCommit(checkout: Worktree, branch: string, call: GitCall) {
  const ref = `refs/heads/${branch}`;
  const format = '--format=%(HEAD)%(objectname) %(refname)';
  const args = ['for-each-ref', format, '--end-of-options', ref];
  const { stdout } = await runGit(checkout, args, call);
  const line = stdout.split('\n').find((each) => each.startsWith('*') && each.endsWith(` ${ref}`));
  return line?.slice(1).split(' ')[0];
}
