import { BatonError } from '@baton/core';
import { linesOf, offsetAt } from '../edits/apply-edits.ts';
import { textOf } from '../edits/text-file.ts';
import type { Language, Place } from '../language/language.ts';

const ASSIGNED = /\bexports\s*(\.\s*|\[\s*["'`])$/;

/**
 * Throws for what is exported as `exports.total = …`: TypeScript 7 does not find it in files that
 * require this one, so that they would go on to use the old name.
 */
export async function checkNotAssigned(language: Language, symbol: Place, name: string) {
  const { file, range } = symbol;
  if (!/\.[cm]?jsx?$/i.test(file)) return;
  const lines = linesOf(textOf(file, await language.read(file)).text);
  if (!ASSIGNED.test(lines.text.slice(0, offsetAt(lines, range.start)))) return;
  throw new BatonError(
    'cannot_rename',
    `${name} cannot be renamed: who requires what is assigned to exports is not known (${file}:${range.start.line + 1}). Nothing was changed.`,
    'Rename it by hand, or make it an export of a module or a part of module.exports = { … } first.',
  );
}
