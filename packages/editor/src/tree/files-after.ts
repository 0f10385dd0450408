import { lstatSync, type Stats } from 'node:fs';
import path from 'node:path';
import type { Clock } from '@baton/core';
import { type FileStamp, leadsOutOf, stampOf } from '@baton/folders';
import { isHiddenWanted } from './hidden-names.ts';

/** What is larger is no source that a person has written. */
export const MOST_BYTES = 2 * 1024 * 1024;

/** By path in the workspace, with slashes. The same object stands for the same contents. */
export type Files = ReadonlyMap<string, FileStamp>;

/**
 * Files as they are now, where only these full paths may have changed; the same map if nothing
 * has. `undefined` if that cannot be told without looking at folders that were there before.
 */
export async function filesAfter(
  root: string,
  before: Files,
  changed: readonly string[],
  surroundings: Surroundings,
): Promise<Files | undefined> {
  const told = changed.filter((full) => !isPassedOver(root, full, before));
  if (told.length === 0) return before;
  const files = new Map(before);
  for (const full of told) {
    if (leadsOutOf(root, full)) return undefined;
    const file = pathIn(root, full);
    const found = await filesAt(full, file, before, surroundings);
    if (!found) return undefined;
    if (!found.has(file)) files.delete(file);
    for (const [one, stamp] of found) files.set(one, stamp);
  }
  return files;
}

interface Surroundings {
  readonly clock: Pick<Clock, 'now'>;
  /** All files in a folder that has appeared. */
  scan(folder: string): Promise<Files>;
}

/** A file, nothing where one was, or all of a folder that has appeared; else `undefined`. */
async function filesAt(
  full: string,
  file: string,
  before: Files,
  { clock, scan }: Surroundings,
): Promise<Files | undefined> {
  const now = look(full);
  if (now?.isDirectory()) return isNew(before, file) ? scan(file) : undefined;
  // What is not there may have been a folder.
  if (now ? !now.isFile() : !before.has(file)) return undefined;
  return new Map(now && now.size <= MOST_BYTES ? [[file, stampOf(now, clock.now())]] : []);
}

function pathIn(root: string, full: string): string {
  return path.relative(root, full).split(path.sep).join('/');
}

function isPassedOver(root: string, full: string, before: Files): boolean {
  const file = pathIn(root, full);
  const parts = file.split('/');
  return parts.some((part, index) => {
    if (!part.startsWith('.') || part === '..') return part === 'node_modules';
    const isFolder = index < parts.length - 1 || (look(full)?.isDirectory() ?? !before.has(file));
    return !isHiddenWanted(part, isFolder);
  });
}

function isNew(before: Files, folder: string): boolean {
  if (folder === '') return false;
  for (const file of before.keys()) if (file.startsWith(`${folder}/`)) return false;
  return true;
}

function look(full: string): Stats | undefined {
  try {
    return lstatSync(full, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
