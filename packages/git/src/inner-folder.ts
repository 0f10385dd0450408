import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { leadsOutOf } from '@baton/folders/files';

/** The real path of a folder below a real one, made if need be; `undefined` if a link leads out. */
export function innerFolder(top: string, parts: readonly string[]): string | undefined {
  let folder = top;
  for (const part of parts) {
    const next = path.join(folder, part);
    const stat = lstatSync(next, { throwIfNoEntry: false });
    if (!stat) mkdirSync(next);
    else if (!stat.isDirectory() && !stat.isSymbolicLink()) return undefined;
    const real = stat?.isSymbolicLink() ? folderBehind(next) : next;
    if (real === undefined || leadsOutOf(top, real)) return undefined;
    folder = real;
  }
  return folder;
}

function folderBehind(link: string): string | undefined {
  try {
    const real = realpathSync(link);
    return lstatSync(real).isDirectory() ? real : undefined;
  } catch {
    return undefined; // It leads to nothing.
  }
}
