import { constants, lstatSync, realpathSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { BatonError } from '@baton/core';
import { leadsOutOf } from '@baton/folders/files';
import type { GitCall } from './git-call.ts';
import { INCLUDE_FILE, includePatterns } from './include-file.ts';
import { innerFolder } from './inner-folder.ts';
import type { Repository, Worktree } from './places.ts';
import { runGit } from './run-git.ts';

const MAX_FILES = 20_000;
const GIB = 1024 ** 3;
const MAX_BYTES = 2 * GIB;
const COPY = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE;

/** Copies ignored files that a worktree needs too, such as .env; answers which. */
export async function copyIncluded(
  repo: Repository,
  worktree: Worktree,
  call: GitCall,
): Promise<readonly string[]> {
  if (includePatterns(repo).length === 0) return [];
  const files = regularFiles(repo, await ignoredMatches(repo, call));
  const top = realpathSync(worktree.path);
  const copied: string[] = [];
  for (const file of files) {
    call.signal?.throwIfAborted();
    if (await copyInto(top, path.join(repo.root, file), file)) copied.push(file);
  }
  return copied;
}

async function ignoredMatches(repo: Repository, call: GitCall): Promise<readonly string[]> {
  const patterns = path.join(repo.root, INCLUDE_FILE);
  const list = ['ls-files', '--others', '--ignored', `--exclude-from=${patterns}`, '-z'];
  const { bytes } = await runGit(repo, list, call);
  if (bytes.length === 0) return [];
  const check = ['check-ignore', '-z', '--stdin'];
  const { stdout } = await runGit(repo, check, call, { input: bytes, accepts: [0, 1] });
  return stdout.split('\0').slice(0, -1);
}

function regularFiles(repo: Repository, files: readonly string[]): readonly string[] {
  const insideFolders = new Map<string, boolean>();
  const isInside = (folder: string) => {
    const known = insideFolders.get(folder) ?? isReallyInside(repo.root, folder);
    insideFolders.set(folder, known);
    return known;
  };
  let bytes = 0;
  const regular = files.filter((file) => {
    const full = path.join(repo.root, file);
    const stat = lstatSync(full, { throwIfNoEntry: false });
    if (!stat?.isFile() || !isInside(path.dirname(full))) return false;
    bytes += stat.size;
    return true;
  });
  if (regular.length > MAX_FILES || bytes > MAX_BYTES) throw tooLarge(regular.length, bytes);
  return regular;
}

function isReallyInside(root: string, folder: string): boolean {
  try {
    return !leadsOutOf(root, realpathSync(folder));
  } catch {
    return false;
  }
}

async function copyInto(top: string, source: string, file: string): Promise<boolean> {
  const folder = innerFolder(top, file.split('/').slice(0, -1));
  if (folder === undefined) return false;
  try {
    await copyFile(source, path.join(folder, path.basename(file)), COPY);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // It is tracked and there already, or is gone meanwhile.
    if (code === 'EEXIST' || code === 'ENOENT') return false;
    throw error;
  }
}

function tooLarge(files: number, bytes: number): BatonError {
  return new BatonError(
    'include_too_large',
    `${INCLUDE_FILE} includes ${files} files of ${(bytes / GIB).toFixed(1)} GiB.`,
    `Include at most ${MAX_FILES} files and ${MAX_BYTES / GIB} GiB; link large folders instead.`,
  );
}
