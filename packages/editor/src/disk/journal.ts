import type { Change, FileWrite, Move } from '../edits/changing.ts';
import { moved } from './paths.ts';

/** Who may do what with a file. */
export interface Rights {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/** What else happens with folders. */
interface Surroundings {
  /** Folders that were missing and are made before, the outermost first. */
  readonly make: readonly string[];
  /** Folders that are removed afterwards if they are empty. */
  readonly remove: readonly string[];
}

export interface JournalWrite extends FileWrite, Surroundings {
  /** Of the file that is there, or for the one that is made. */
  readonly rights?: Rights | undefined;
  /** Where its contents wait, on the same file system. */
  readonly temporary: string;
}

export interface JournalMove extends Move, Surroundings {}

/** A change that was checked, with all that is needed to do it and to take it back. */
export interface Journal {
  readonly id: string;
  readonly workspace: string;
  readonly title: string;
  /** The change that it takes back. */
  readonly undoes?: string | undefined;
  readonly writes: readonly JournalWrite[];
  readonly moves: readonly JournalMove[];
  /** What was not done, because somebody else had changed it meanwhile. */
  readonly left: readonly string[];
}

/** A change with what only its journal knows. */
export interface Plan extends Change {
  readonly writes: readonly (FileWrite & Partial<Pick<JournalWrite, 'rights' | 'remove'>>)[];
  readonly moves: readonly (Move & Partial<Pick<JournalMove, 'remove'>>)[];
}

export function inverseWrite(write: JournalWrite): JournalWrite {
  const { before, after, make, remove } = write;
  return { ...write, before: after, after: before, make: remove, remove: make };
}

export function inverseMove({ from, to, make, remove }: JournalMove): JournalMove {
  return { from: to, to: from, make: remove, remove: make };
}

/** The change the other way round: files are written where they are now, then moved back. */
export function inverseOf({ title, writes, moves }: Journal): Plan {
  const now = (file: string) => moves.reduce((at, move) => moved(at, move) ?? at, file);
  return {
    title: `undo ${title}`,
    writes: writes.map(({ file, before, after, rights, make }) => ({
      file: now(file),
      before: after,
      after: before,
      rights,
      remove: make.map(now),
    })),
    moves: moves.map(({ from, to, make }) => ({ from: to, to: from, remove: make })).reverse(),
  };
}
