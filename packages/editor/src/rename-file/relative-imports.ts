import path from 'node:path';
import { linesOf, positionAt } from '../edits/apply-edits.ts';
import type { Move } from '../edits/changing.ts';
import { pathAfter } from '../edits/path-after.ts';
import type { TextEdit } from '../edits/text-edit.ts';
import { codeRegions } from '../mentions/code-regions.ts';
import { resolveRelative, writtenAfter } from './written-paths.ts';

const LEAD = /(?:\b(?:from|import|module)\s*|\b(?:import|require)\s*\(\s*)["'`]$/;
const RELATIVE = /^\.\.?(\/|$)/;
/** What bundlers read after the path: `./logo.svg?url`. */
const QUERY = /[?#].*$/;
const LONGEST_LEAD = 40;

export interface Moving {
  readonly moves: readonly Move[];
  /** Whether there is such a file before anything is moved. */
  isFile(file: string): boolean;
}

/** What has to follow in a file of source code where it imports files by relative paths. */
export function relativeImportEdits(file: string, text: string, moving: Moving): TextEdit[] {
  const lines = linesOf(text);
  return codeRegions(text).flatMap(({ start, end, where }) => {
    const specifier = text.slice(start, end);
    const lead = text.slice(Math.max(0, start - LONGEST_LEAD), start);
    if (where !== 'string' || !RELATIVE.test(specifier) || !LEAD.test(lead)) return [];
    const newText = specifierAfter(file, specifier, moving);
    if (newText === undefined || newText === specifier) return [];
    const range = { start: positionAt(lines, start), end: positionAt(lines, end) };
    return [{ range, newText }];
  });
}

function specifierAfter(
  file: string,
  specifier: string,
  { moves, isFile }: Moving,
): string | undefined {
  const folder = path.posix.dirname(file);
  const newFolder = path.posix.dirname(pathAfter(moves, file));
  for (const query of ['', QUERY.exec(specifier)?.[0] ?? '']) {
    const bare = specifier.slice(0, specifier.length - query.length);
    const written = path.posix.join(folder, bare).replace(/\/$/, '');
    const target = resolveRelative(written, isFile);
    if (target === undefined) continue;
    const newTarget = pathAfter(moves, target);
    if (newTarget === target && newFolder === folder) return undefined;
    const newWritten = writtenAfter(written, target, newTarget);
    const relative = path.posix.relative(newFolder, newWritten);
    if (path.posix.relative(folder, written) === relative) return undefined;
    return `${RELATIVE.test(relative) ? relative : `./${relative}`}${query}`;
  }
  return undefined;
}
