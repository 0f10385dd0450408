import { lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { BatonError } from '@baton/core';
import type { Repository } from './places.ts';

export const INCLUDE_FILE = '.worktreeinclude';
const MAX_BYTES = 64 * 1024;

/** The patterns of files that worktrees get a copy of. */
export function includePatterns(repo: Repository): readonly string[] {
  const file = path.join(repo.root, INCLUDE_FILE);
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (!stat) return [];
  if (!stat.isFile()) throw invalid('is not a regular file');
  if (stat.size >= MAX_BYTES) throw invalid(`is larger than ${MAX_BYTES / 1024} KiB`);
  const lines = readFileSync(file, 'utf8').split(/\r?\n/);
  return lines.filter((line) => line.trim() !== '' && !line.startsWith('#'));
}

function invalid(why: string): BatonError {
  return new BatonError(
    'include_invalid',
    `${INCLUDE_FILE} ${why}.`,
    'Make it a text file with patterns as in .gitignore, one in each line.',
  );
}
