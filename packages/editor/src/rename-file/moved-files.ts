import { readdirSync } from 'node:fs';
import path from 'node:path';
import { BatonError, type Clock, protectedPlace, protectedPlaceError } from '@baton/core';
import { Turns } from '@baton/folders';
import type { Move } from '../edits/changing.ts';

/** More than anybody moves on purpose; installed packages do not count. */
const MAX_ENTRIES = 200_000;
const PASSED_OVER = new Set(['node_modules']);

/**
 * All files that move with a folder, hidden ones as well. Throws if something protected is among
 * them, or would be at its new place.
 */
export async function movedFiles(root: string, move: Move, clock: Clock): Promise<string[]> {
  const turns = new Turns(() => clock.monotonic());
  const files: string[] = [];
  let entries = 0;
  for (const { inside, isFile } of below(path.join(root, move.from))) {
    entries += 1;
    if (entries > MAX_ENTRIES) throw tooMany(move.from);
    for (const base of [move.from, move.to]) requireMovable(base, inside);
    if (isFile) files.push(move.from + inside);
    if (turns.isOver) await turns.next();
  }
  return files;
}

/** Everything in a folder, by paths that begin with a slash; links are not followed. */
function* below(top: string): Generator<{ inside: string; isFile: boolean }> {
  const todo = [''];
  for (let folder = todo.pop(); folder !== undefined; folder = todo.pop())
    for (const entry of entriesOf(top + folder)) {
      const inside = `${folder}/${entry.name}`;
      yield { inside, isFile: entry.isFile() };
      if (entry.isDirectory() && !PASSED_OVER.has(entry.name)) todo.push(inside);
    }
}

/** The folders around it have been looked at before: its own name and the one before are enough. */
function requireMovable(base: string, inside: string): void {
  const whole = base + inside;
  const parts = whole.split('/');
  for (const tail of [parts.slice(-1), parts.slice(-2)]) {
    const place = protectedPlace(tail.join('/'));
    if (place && !place.movesWithFolder) throw protectedPlaceError(whole, place);
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') return []; // Removed meanwhile; the move itself notices.
    throw new BatonError(
      'file_unusable',
      `A folder in what would be moved cannot be read (${code}). Nothing was changed.`,
      'Make it readable, or move single files.',
      { cause },
    );
  }
}

function tooMany(folder: string): BatonError {
  return new BatonError(
    'file_unusable',
    `${folder} holds more than ${MAX_ENTRIES} files and folders. Nothing was changed.`,
    'Move smaller parts of it.',
  );
}
