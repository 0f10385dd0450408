import { singular, wordsOf } from '../names.ts';
import type { TableFacts } from './facts.ts';
import { readName } from './field-names.ts';
import type { Forms } from './table-names.ts';

/** What a relation is called: its field without the word for an id, or what it leads to. */
export function relationName(field: string, isList: boolean, to: TableFacts, forms: Forms): string {
  const words = saidWords(field, forms);
  const last = words.at(-1) ?? '';
  const ending = isList && isPlural(to.table) ? plural(last) : last;
  return joined([...words.slice(0, -1), ending], field);
}

function saidWords(field: string, forms: Forms): readonly string[] {
  const { stem, words, isGlued } = readName(field);
  return stem.length > 0 && !isGlued ? stem : (forms[0]?.words ?? words);
}

function isPlural(name: string): boolean {
  const last = wordsOf(name).at(-1) ?? '';
  return singular(last) !== last;
}

function plural(word: string): string {
  if (word === 'person') return 'people';
  if (word === 'child') return 'children';
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}

/** In the way that the field is written. */
function joined(words: readonly string[], field: string): string {
  if (!/\p{Ll}\p{Lu}/u.test(field)) return words.join('_');
  const [first = '', ...others] = words;
  return [first, ...others.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('');
}

/** One that no other relation of the table has. */
export function freeName(name: string, field: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  const whole = joined(wordsOf(field), field);
  if (whole && !taken.has(whole)) return whole;
  let count = 2;
  while (taken.has(`${name}_${count}`)) count += 1;
  return `${name}_${count}`;
}
