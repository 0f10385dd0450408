import path from 'node:path';
import type { JSONPath } from 'jsonc-parser';
import type { Move } from '../edits/changing.ts';
import type { EditedFile, Texts } from '../language/language.ts';
import { editStrings } from './json-strings.ts';

/** What in a package.json names files of the package. */
const ENTRIES = new Set(
  'bin browser directories exports files imports main man module sass source style types typesVersions typings'.split(
    ' ',
  ),
);
/** Only what begins so is a path there; other texts name packages. */
const ONLY_RELATIVE = new Set(['exports', 'imports']);
const CONFIG = /(^|\/)[jt]sconfig([.-][^/]*)?\.json$/;

/**
 * Paths in package.json of packages that something moves in, and in configuration files that move
 * with their folder but point out of it. Language servers change neither.
 */
export async function configuredPaths(
  texts: Texts,
  files: readonly string[],
  move: Move,
): Promise<EditedFile[]> {
  const edited: EditedFile[] = [];
  for (const file of files) {
    if (isAround(file, move)) {
      edited.push(await editStrings(texts, file, (value, at) => entryAfter(value, at, file, move)));
    } else if (CONFIG.test(file) && file.startsWith(`${move.from}/`)) {
      edited.push(await editStrings(texts, file, (value) => outwardAfter(value, file, move)));
    }
  }
  return edited.filter(({ edits }) => edits.length > 0);
}

/** Whether it is the package.json of a folder in which something moves. */
function isAround(file: string, { from }: Move): boolean {
  if (path.posix.basename(file) !== 'package.json') return false;
  const folder = path.posix.dirname(file);
  return file !== from && (folder === '.' || from.startsWith(`${folder}/`));
}

function entryAfter(
  value: string,
  [key = '']: JSONPath,
  file: string,
  { from, to }: Move,
): string | undefined {
  const isPath = value.startsWith('./') || !ONLY_RELATIVE.has(String(key));
  if (!ENTRIES.has(String(key)) || !isPath) return undefined;
  const folder = path.posix.dirname(file);
  const named = path.posix.join(folder, value);
  const isMoved = named === from || named === `${from}/` || named.startsWith(`${from}/`);
  if (!isMoved) return undefined;
  const after = path.posix.relative(folder, to + named.slice(from.length));
  // A package cannot name what is outside of it.
  if (after.startsWith('..')) return undefined;
  const end = value.endsWith('/') ? '/' : '';
  return `${value.startsWith('./') ? './' : ''}${after}${end}`;
}

function outwardAfter(value: string, file: string, { from, to }: Move): string | undefined {
  if (!/^\.\.?(\/|$)/.test(value)) return undefined;
  const folder = path.posix.dirname(file);
  const named = path.posix.join(folder, value);
  if (named === from || named.startsWith(`${from}/`)) return undefined;
  const after = path.posix.relative(to + folder.slice(from.length), named);
  return after.startsWith('.') ? after : `./${after}`;
}
