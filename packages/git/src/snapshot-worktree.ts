import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { addFiles } from './add-files.ts';
import type { GitCall } from './git-call.ts';
import { commitTree } from './identity.ts';
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
  // A copy, so that only files that have changed are read.
  const index = path.join(worktree.gitDir, `baton-index-${randomUUID()}`);
  const env = { GIT_INDEX_FILE: index };
  try {
    await copyIndex(path.join(worktree.gitDir, 'index'), index);
    await addFiles(worktree, { env }, call);
    const { stdout } = await runGit(worktree, ['write-tree'], call, { env });
    const message = 'Snapshot of a worktree\n';
    return await commitTree(worktree, { tree: stdout.trim(), parents: [start], message }, call);
  } finally {
    await rm(index, { force: true });
    await rm(`${index}.lock`, { force: true });
  }
}

async function copyIndex(from: string, to: string): Promise<void> {
  try {
    const { mtimeMs } = await stat(from);
    await copyFile(from, to, constants.COPYFILE_FICLONE);
    // By the age of the index git knows which files may have changed in the same moment.
    const seconds = (Math.floor(mtimeMs) - 1) / 1000;
    await utimes(to, seconds, seconds);
  } catch (error) {
    // A worktree in which nothing was ever checked out has none.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
