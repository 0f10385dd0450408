import type { Category, Field, Relation } from '../model.ts';
import { wordsOf } from '../names.ts';

/**
 * What the values of a field are for: to tell records apart, to lead to others, to be computed
 * with, to group by, or to be read.
 */
export type Role = 'id' | 'reference' | 'measure' | 'group' | 'date' | 'code' | 'text' | 'other';

/** Groups that can be compared with each other. */
export const MOST_GROUPS = 50;

/** Last words of names whose values are numbers that nobody computes with. */
const CODE_WORDS = new Set(
  `account barcode bic code ean fax guid hash iban id idx index isbn key kontonummer line mobile nr no
   num number nummer phone pid plz port postal postcode row serial sku ssn tel telephone uuid vat
   version zip`.split(/\s+/),
);
const YEAR_WORDS = new Set(['year', 'jahr', 'yr']);
/** Sums of these say nothing. */
const NO_SUMS = new Set(
  `age average avg discount factor grade index latitude lat level longitude lon lng mean median
   percent percentage pct price rank rate rating ratio salary score share temperature temp unit
   weight`.split(/\s+/),
);

export function roleOf(category: Category, relations: readonly Relation[], field: Field): Role {
  if (relations.some((one) => one.from === category.id && one.field === field.name)) {
    return 'reference';
  }
  if (category.key.length === 1 && category.key[0] === field.name) return 'id';
  switch (field.type) {
    case 'integer':
    case 'number':
      return numberRole(category, field);
    case 'boolean':
      return 'group';
    case 'date':
    case 'timestamp':
      return 'date';
    case 'text':
      return textRole(category, field);
    default:
      return 'other';
  }
}

function numberRole({ rows }: Category, field: Field): Role {
  if (isCodeName(field.name)) return field.isUnique ? 'id' : 'code';
  const [min, max] = [Number(field.min), Number(field.max)];
  if (field.type === 'integer') {
    if (field.distinct <= 2) return 'group';
    // A serial number: one for each record, hardly any left out.
    if (field.isUnique && max - min < rows * 1.2) return 'id';
    if (isYear(field.name, min, max)) return field.distinct <= MOST_GROUPS ? 'group' : 'code';
  }
  return 'measure';
}

function isYear(name: string, min: number, max: number): boolean {
  if (!(min >= 1800 && max <= 2200)) return false;
  return min >= 1900 || wordsOf(name).some((word) => YEAR_WORDS.has(word));
}

export function isCodeName(name: string): boolean {
  const words = wordsOf(name);
  const last = words.at(-1);
  return words.includes('zip') || (last !== undefined && CODE_WORDS.has(last));
}

function textRole({ rows }: Category, field: Field): Role {
  const filled = rows - field.missing;
  if (field.distinct <= MOST_GROUPS && field.distinct * 2 <= filled) return 'group';
  // Values without a blank that are short: codes, names of accounts, addresses of mail.
  const known = [...field.top.map(({ value }) => value), ...(field.samples ?? [])];
  const looksLikeCode = known.every((value) => value.length <= 64 && !/\s/.test(value.trim()));
  return looksLikeCode && field.distinct > filled / 2 ? 'code' : 'text';
}

/** Whether it means something to add up its values. */
export function isAdditive(field: Field): boolean {
  if (typeof field.min !== 'number' || field.min < 0) return false;
  return !wordsOf(field.name).some((word) => NO_SUMS.has(word));
}
