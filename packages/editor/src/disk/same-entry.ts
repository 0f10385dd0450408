import type { Move } from '../edits/changing.ts';
import { folderOf, nameOf } from './paths.ts';
import type { WorkspaceFiles } from './workspace-files.ts';

/** Whether two paths may be one to a file system that does not tell `a` from `A`. */
export function areAlike({ from, to }: Move): boolean {
  return folderOf(from) === folderOf(to) && alike(nameOf(from)) === alike(nameOf(to));
}

/** Whether both paths lead to one name in one folder: then the new one is no other file. */
export function isSameEntry(files: WorkspaceFiles, move: Move): boolean {
  if (!areAlike(move)) return false;
  const from = files.look(move.from);
  const to = files.look(move.to);
  const isOne = from !== undefined && from.ino === to?.ino && from.dev === to.dev;
  // Hard links are one file too, with two names.
  return isOne && !(files.hasName(move.from) && files.hasName(move.to));
}

function alike(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
