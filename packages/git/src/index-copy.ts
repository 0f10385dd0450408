import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { Environment } from '@baton/core';
import type { Worktree } from './places.ts';

/** Runs `work` with a copy of the worktree's index in its environment, so that its own stays as it is. */
export async function withIndexCopy<Result>(
  worktree: Worktree,
  work: (env: Environment) => Promise<Result>,
): Promise<Result> {
  // A copy, not an empty one, so that only files that have changed are read.
  const index = path.join(worktree.gitDir, `baton-index-${randomUUID()}`);
  try {
    await copyIndex(path.join(worktree.gitDir, 'index'), index);
    return await work({ GIT_INDEX_FILE: index });
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
