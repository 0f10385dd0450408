import type { FieldName } from './field-names.ts';
import type { Forms } from './table-names.ts';
import { ABBREVIATIONS, ROLES, SYNONYMS, TOWARDS, WITHIN } from './vocabulary.ts';

/** How sure names make it, from 0 to 1. */
export const SURE = 0.9;

/** How far a field's name says that it leads to a table. */
export function tableHint({ stem, stemFolded, folded }: FieldName, table: Forms): number {
  let best = 0;
  for (const { words, folded: form } of table) {
    // `subject` may be a text, and may lead to subjects.
    if (stem.length === 0) best = form === folded ? 1 : best;
    else best = Math.max(best, wordsHint(stem, stemFolded, words, form), roleHint(stem, words));
  }
  return best;
}

/** Of nothing but the words themselves. */
export function wordsHint(
  stem: readonly string[],
  stemFolded: string,
  form: readonly string[],
  formFolded: string,
): number {
  if (stemFolded === formFolded) return 1;
  if (isOtherPlural(stemFolded, formFolded)) return 0.95;
  // `billing_customer` of customers
  if (endsWith(stem, form)) return 0.9;
  // `category` of product_categories
  if (endsWith(form, stem)) return 0.8;
  return Math.max(
    abbreviationHint(stem, form, formFolded),
    synonymHint(stem, form),
    // `employee` of employee_details
    startsWith(form, stem) ? 0.45 : 0,
  );
}

/** The same with what its own table is called: it may lead to another record of it. */
export function withinHint({ stem }: FieldName, own: Forms): number {
  // `parent_department` may also lead to departments.
  if (WITHIN.has(stem[0] ?? ''))
    return stem.slice(1).every((word) => TOWARDS.has(word)) ? SURE : 0.8;
  // Somebody's manager is one of them.
  const role = Math.max(0, ...own.map(({ words }) => roleHint(stem, words)));
  return role > 0 ? role + 0.05 : 0;
}

/** `status` of orders leads to order_statuses. */
export function kindHint({ stem }: FieldName, table: Forms): number {
  return table.some(({ words }) => endsWith(words, stem)) ? 0.95 : 0;
}

/** `kunde` and `kunden`: plurals of other languages. */
function isOtherPlural(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= 4 && long.length - short.length <= 2 && long.startsWith(short);
}

function endsWith(words: readonly string[], end: readonly string[]): boolean {
  const from = words.length - end.length;
  if (from <= 0 || words.at(-1) !== end.at(-1)) return false;
  return end.join('').length >= 3 && end.every((word, at) => words[from + at] === word);
}

function startsWith(words: readonly string[], start: readonly string[]): boolean {
  return start.length < words.length && start.every((word, at) => words[at] === word);
}

function abbreviationHint(stem: readonly string[], form: readonly string[], long: string): number {
  const short = stem.at(-1) ?? '';
  const last = form.at(-1) ?? '';
  if (ABBREVIATIONS.get(short) === last || ABBREVIATIONS.get(last) === short) {
    return form.length === 1 ? 0.85 : 0.78;
  }
  const hint = shortHint(short, form, long);
  if (hint > 0) return hint;
  // The table is the one with the short name.
  const isShorter = (last.length >= 4 && short.startsWith(last)) || abbreviates(last, short);
  return form.length === 1 && last.length >= 3 && isShorter ? 0.5 : 0;
}

function shortHint(short: string, form: readonly string[], long: string): number {
  // A whole word is no abbreviation.
  if (form.length > 1 && short === form[0]) return 0;
  if (short.length >= 3 && long.startsWith(short)) return 0.7;
  if (form.length > 1 && short === form.map((word) => word[0]).join('')) return 0.65;
  if (!abbreviates(short, long)) return 0;
  return short.length >= 3 ? 0.65 : 0.6;
}

/** Whether it is a word without some of its letters: `kd` of `kunde`, `dept` of `department`. */
function abbreviates(short: string, long: string): boolean {
  if (short.length < 2 || short.length >= long.length || short[0] !== long[0]) return false;
  let same = 1;
  while (short[same] === long[same] && same < short.length) same += 1;
  const rest = short.slice(same);
  // Vowels are what people leave out.
  if (/[aeiou]/.test(rest)) return false;
  let at = 0;
  for (const letter of long.slice(same)) if (letter === rest[at]) at += 1;
  return at === rest.length;
}

function synonymHint(stem: readonly string[], form: readonly string[]): number {
  const groups = GROUPS.get(stem.at(-1) ?? '');
  const others = groups && GROUPS.get(form.at(-1) ?? '');
  return others && groups.some((group) => others.includes(group)) ? 0.74 : 0;
}

const GROUPS = new Map<string, ReadonlySet<string>[]>();
for (const group of SYNONYMS) {
  for (const word of group) GROUPS.set(word, [...(GROUPS.get(word) ?? []), group]);
}

/** Whether it says what somebody or something is to the record: `reports_to`, `parent`. */
export function isRole({ stem }: FieldName): boolean {
  const last = stem.at(-1) ?? '';
  const role = ABBREVIATIONS.get(last) ?? last;
  const pair = stem.slice(-2).join('');
  return WITHIN.has(stem[0] ?? '') || ROLES.some(([roles]) => roles.has(role) || roles.has(pair));
}

function roleHint(stem: readonly string[], form: readonly string[]): number {
  const table = form[0] ?? '';
  if (form.length > 1 || !PEOPLE.has(table)) return 0;
  const last = stem.at(-1) ?? '';
  const role = ABBREVIATIONS.get(last) ?? last;
  const pair = stem.slice(-2).join('');
  for (const [roles, tables] of ROLES) {
    const place = roles.has(role) || roles.has(pair) ? tables.indexOf(table) : -1;
    if (place >= 0) return 0.84 - place * 0.01;
  }
  return 0;
}

const PEOPLE: ReadonlySet<string> = new Set(ROLES.flatMap(([, tables]) => tables));

/** Of a name that ends with another. */
export const LONGER = 0.9;

/** How far a field is named like one of another table, whose records it may lead to. */
export function fieldHint(source: FieldName, target: FieldName): number {
  if (source.folded === target.folded) return 1;
  if (endsWith(source.words, target.words)) return LONGER;
  return target.stem.length > 0 && source.stemFolded === target.stemFolded ? 0.8 : 0;
}
