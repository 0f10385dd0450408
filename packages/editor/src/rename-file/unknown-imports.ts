import path from 'node:path';
import { BatonError, escapeLine } from '@baton/core';
import type { LeftAlone } from '../left-alone.ts';

const MAX_NAMED = 5;

/** Names that say nothing without the folder around them. */
const OF_FOLDER = new Set(['__init__', '__main__', 'index', 'lib', 'main', 'mod']);

/** How sources call a file that they do not call by its path: a module, a class, a package. */
export function wordsForUnknown(from: string): string[] {
  const stem = path.posix.basename(from).replace(/(?<=.)\..*$/, '');
  const folder = path.posix.basename(path.posix.dirname(from));
  return [OF_FOLDER.has(stem) && folder !== '.' ? folder : stem];
}

/** Refuses a move that may break what refers to these files. */
export function importsUnknown(
  unknown: readonly string[],
  why: string | undefined,
  { count, places }: LeftAlone,
): BatonError {
  const names = unknown.slice(0, MAX_NAMED).map(escapeLine).join(', ');
  const more = unknown.length > MAX_NAMED ? ` and ${unknown.length - MAX_NAMED} more` : '';
  const lines = places.slice(0, MAX_NAMED).map(({ file, line }) => `${escapeLine(file)}:${line}`);
  const mentions =
    count === 0
      ? 'No text mentions it.'
      : `Lines that mention it: ${lines.join(', ')}${count > lines.length ? ` and ${count - lines.length} more` : ''}.`;
  const reason = why ?? 'No language server that knows imports is there for it.';
  return new BatonError(
    'imports_unknown',
    `Nobody can say what refers to ${names}${more}. ${reason} ${mentions} Nothing was changed.`,
    'With force it is moved all the same, and what mentions it is listed for you to see to. Or a person names a server in languageServers of config.yaml.',
  );
}
