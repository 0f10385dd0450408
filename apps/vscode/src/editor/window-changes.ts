import { randomUUID } from 'node:crypto';
import { BatonError } from '@baton/core';
import type { AppliedChange, TextChange } from '@baton/editor/link';
import { carryOut } from './carry-out.ts';
import { removeIfEmpty } from './made-folders.ts';
import type { WindowFiles } from './window-files.ts';

const MOST_KEPT = 100;

interface Kept {
  /** The same change, the other way round. */
  readonly inverse: TextChange;
  readonly madeFolders: readonly string[];
}

/** Changes of a workspace in this window, and how to take them back. */
export class WindowChanges {
  readonly #files: WindowFiles;
  /** In memory only: what was done before the window was reloaded may be done otherwise now. */
  readonly #kept = new Map<string, Kept>();

  constructor(files: WindowFiles) {
    this.#files = files;
  }

  async apply(change: TextChange): Promise<AppliedChange> {
    const { left, unsaved, madeFolders } = await carryOut(this.#files, change);
    const undo = randomUUID();
    const inverse: TextChange = {
      title: change.title,
      writes: left.map(({ file, text }, index) => ({
        file,
        before: text,
        after: change.writes[index]?.before ?? text,
      })),
      moves: change.moves.map(({ from, to }) => ({ from: to, to: from })).reverse(),
    };
    this.#kept.set(undo, { inverse, madeFolders });
    for (const id of [...this.#kept.keys()].slice(0, -MOST_KEPT)) this.#kept.delete(id);
    return { undo, unsaved };
  }

  async undo(id: string): Promise<TextChange> {
    const kept = this.#kept.get(id);
    if (!kept) throw undoUnknown();
    await carryOut(this.#files, kept.inverse).catch((error: unknown) => {
      throw changedSince(error);
    });
    this.#kept.delete(id);
    removeIfEmpty(kept.madeFolders);
    return kept.inverse;
  }
}

function undoUnknown(): BatonError {
  return new BatonError(
    'undo_unknown',
    'There is no such change in this window that can be taken back.',
    'Give the id that a change in this window has returned: it counts once, for the last 100 changes and until the window is reloaded. Else use version control.',
  );
}

/** Of an undo, which computes nothing anew. */
function changedSince(error: unknown): unknown {
  const isConflict =
    error instanceof BatonError &&
    ['files_changed', 'target_exists', 'file_unusable'].includes(error.code);
  if (!isConflict) return error;
  const next = 'Take back what was changed later first, or change these files by hand.';
  return new BatonError('files_changed', error.message, next, { cause: error });
}
