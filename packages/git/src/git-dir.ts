import { existsSync, lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The git folder of a checkout, wherever it is. */
export function gitDirOf(folder: string): string | undefined {
  const own = path.join(folder, '.git');
  const stat = lstatSync(own, { throwIfNoEntry: false });
  if (!stat) return undefined;
  return stat.isFile() ? linkedGitDir(folder) : own;
}

/** Where the .git file of a folder leads, if that is a git folder. */
export function linkedGitDir(folder: string): string | undefined {
  const target = readGitFile(path.join(folder, '.git'));
  if (target === undefined) return undefined;
  const gitDir = path.resolve(folder, target);
  return existsSync(path.join(gitDir, 'HEAD')) ? gitDir : undefined;
}

function readGitFile(file: string): string | undefined {
  try {
    return /^gitdir: (.+?)\r?\n?$/s.exec(readFileSync(file, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}
