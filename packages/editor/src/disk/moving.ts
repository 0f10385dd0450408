import { linkSync, renameSync, unlinkSync } from 'node:fs';
import type { Move } from '../edits/changing.ts';
import { folderOf, nameOf } from './paths.ts';
import { areAlike, isSameEntry } from './same-entry.ts';
import { Stopped } from './stopped.ts';
import type { WorkspaceFiles } from './workspace-files.ts';

/** Not every file system has links, and not every file may be linked. */
const CANNOT_LINK = new Set([
  'EEXIST',
  'EPERM',
  'EACCES',
  'ENOSYS',
  'ENOTSUP',
  'EOPNOTSUPP',
  'EMLINK',
]);

/** How far a move is; `linked` is a file with both names, `other` is somebody else's doing. */
type MoveState = 'before' | 'linked' | 'after' | 'other';

export function stateOf(files: WorkspaceFiles, move: Move): MoveState {
  const [from, to] = areAlike(move)
    ? [move.from, move.to].map((file) => (files.hasName(file) ? files.look(file) : undefined))
    : [files.look(move.from), files.look(move.to)];
  if (from && to) return from.ino === to.ino && from.dev === to.dev ? 'linked' : 'other';
  if (from) return 'before';
  return to ? 'after' : 'other';
}

/** Gives a file another name unless that is taken. Returns whether the old one is still there. */
export function link(files: WorkspaceFiles, move: Move): boolean {
  try {
    both(files, move, linkSync);
    return true;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && !isSameEntry(files, move)) throw new Stopped([move.to], 'taken');
    if (!CANNOT_LINK.has(code)) throw error;
    rename(files, move);
    return false;
  }
}

/** Of a folder. There is no way to refuse an empty folder that somebody makes at this moment. */
export function rename(files: WorkspaceFiles, move: Move): void {
  if (files.look(move.to) && !isSameEntry(files, move)) throw new Stopped([move.to], 'taken');
  both(files, move, renameSync);
}

export function unlink(files: WorkspaceFiles, file: string): void {
  files.within(folderOf(file), (at) => unlinkSync(at(nameOf(file))));
}

function both(
  files: WorkspaceFiles,
  { from, to }: Move,
  work: (from: string, to: string) => void,
): void {
  files.within(folderOf(from), (old) =>
    files.within(folderOf(to), (other) => work(old(nameOf(from)), other(nameOf(to)))),
  );
}
