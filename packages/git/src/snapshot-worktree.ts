import { addFiles } from './add-files.ts';
import type { GitCall } from './git-call.ts';
import { commitTree } from './identity.ts';
import { withIndexCopy } from './index-copy.ts';
import { requireCommits } from './names.ts';
import type { Worktree } from './places.ts';
import { runGit } from './run-git.ts';

/** A commit of the files as they are; index and HEAD of the worktree stay as they are. */
export async function snapshotWorktree(
  worktree: Worktree,
  start: string,
  call: GitCall,
): Promise<string> {
  requireCommits(start);
  return withIndexCopy(worktree, async (env) => {
    await addFiles(worktree, { env }, call);
    const { stdout } = await runGit(worktree, ['write-tree'], call, { env });
    const message = 'Snapshot of a worktree\n';
    return commitTree(worktree, { tree: stdout.trim(), parents: [start], message }, call);
  });
}
