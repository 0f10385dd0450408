import type { TextEdit } from './text-edit.ts';

/** What a file holds; `undefined` if there is none. */
export type Contents = Buffer | undefined;

export interface FileWrite {
  /** Its path in the workspace, with slashes, before anything is moved. */
  readonly file: string;
  /** What it must hold, or nothing is changed. */
  readonly before: Contents;
  readonly after: Contents;
  /** How `after` follows from `before`, for those who can make small edits. */
  readonly edits?: readonly TextEdit[] | undefined;
}

/** A file or folder that gets another path in the workspace. */
export interface Move {
  readonly from: string;
  readonly to: string;
}

/** What is to become of files: all of it, or nothing. Moves come after writes, in order. */
export interface Change {
  /** For people, such as `rename_symbol total → sum`. */
  readonly title: string;
  readonly writes: readonly FileWrite[];
  readonly moves: readonly Move[];
  /** A protected file that is written nevertheless: of settings, rules of their own decide. */
  readonly permits?: string;
}

/** Changes files of the workspace, on disk or in an editor. */
export interface Changing {
  /**
   * Throws `files_changed` if a file is not as expected, and `change_failed` if it cannot be
   * written, and `protected_place` for what no agent may change; nothing is changed then. Returns
   * the id that takes it back.
   */
  apply(change: Change): Promise<string>;
  /**
   * Takes a change back if no file has been changed since, else throws `files_changed`. Returns
   * what was done: the same change, the other way round.
   */
  undo(id: string): Promise<Change>;
  /**
   * Files that the change with this id has left unsaved in an editor, because they had unsaved
   * changes before; by their paths after it.
   */
  unsavedBy?(id: string): readonly string[];
}
