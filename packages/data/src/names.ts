import type { Category } from './model.ts';

const MARKS = /\p{M}/gu;

/** The words of a name: `departmentId`, `department_id` and `Department ID` are the same. */
export function wordsOf(name: string): string[] {
  return name
    .normalize('NFD')
    .replace(MARKS, '')
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter(Boolean);
}

/** A name without what people write differently: case, separators, accents. */
export function fold(name: string): string {
  return wordsOf(name).join('');
}

/** Good enough for names of tables and fields. */
export function singular(word: string): string {
  if (word.length < 4) return word;
  if (/(?:ss|us|is|news|series|species)$/.test(word)) return word;
  if (word === 'people') return 'person';
  if (word === 'children') return 'child';
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(?:ses|xes|zes|ches|shes)$/.test(word)) {
    // `houses`, `phases` and `cases` end in `se` themselves.
    return /(?:[aeiou]ses|[aeiou]zes)$/.test(word) ? word.slice(0, -1) : word.slice(0, -2);
  }
  return word.endsWith('s') ? word.slice(0, -1) : word;
}

/** A name with its last word in the singular, folded: `Company Policies` gives `companypolicy`. */
export function foldSingular(name: string): string {
  const words = wordsOf(name);
  const last = words.pop();
  return last === undefined ? '' : [...words, singular(last)].join('');
}

/** All that a category is called. */
export function namesOf({ id, table, name, aliases }: Category): readonly string[] {
  return [id, table, name, ...aliases];
}
