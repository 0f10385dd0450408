import { lstatSync, type Stats } from 'node:fs';
import path from 'node:path';
import type { Clock } from '@baton/core';
import { type FileStamp, leadsOutOf, stampOf } from '@baton/folders';

/** What is larger is no source that a person has written. */
export const MOST_BYTES = 2 * 1024 * 1024;

/** By path in the workspace, with slashes. */
export type Files = ReadonlyMap<string, FileStamp>;

/**
 * Files as they are now, where only these full paths may have changed. `undefined` if that cannot
 * be told without looking at folders.
 */
export function filesAfter(
  root: string,
  before: Files,
  changed: readonly string[],
  clock: Pick<Clock, 'now'>,
): Files | undefined {
  const files = new Map(before);
  for (const full of changed) {
    if (full === root || leadsOutOf(root, full)) return undefined;
    const file = path.relative(root, full).split(path.sep).join('/');
    if (file.split('/').some((part) => part.startsWith('.') || part === 'node_modules')) continue;
    const stat = look(full);
    // What is not there may have been a folder.
    if (stat ? !stat.isFile() : !before.has(file)) return undefined;
    if (stat && stat.size <= MOST_BYTES) files.set(file, stampOf(stat, clock.now()));
    else files.delete(file);
  }
  return files;
}

function look(full: string): Stats | undefined {
  try {
    return lstatSync(full, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
