import { truncate } from '@baton/core';
import { isRecord, kindOf } from '../place.ts';
import { canonical } from './canonical.ts';
import { FORMATS } from './formats.ts';

/** What is wrong with a value, or nothing. The schema is there for keywords that depend on others. */
export type ScalarKeyword = (
  rule: unknown,
  value: unknown,
  schema: Readonly<Record<string, unknown>>,
) => string | undefined;

const MOST_NAMED = 8;

/** Each value of an `enum`: there is a record after the other. */
const ALLOWED = new WeakMap<object, ReadonlySet<string>>();

const TYPES: ReadonlyMap<unknown, (value: unknown) => boolean> = new Map([
  ['string', (value) => typeof value === 'string'],
  ['number', (value) => typeof value === 'number'],
  ['integer', Number.isInteger],
  ['boolean', (value) => typeof value === 'boolean'],
  ['array', Array.isArray],
  ['object', isRecord],
  ['null', (value) => value === null],
] as [string, (value: unknown) => boolean][]);

/** By name. Of a rule that makes no sense nothing is checked. */
export const SCALAR_KEYWORDS: ReadonlyMap<string, ScalarKeyword> = new Map([
  ['type', type],
  ['enum', oneOfThese],
  ['const', exactly],
  ['format', format],
  ['minimum', compared((value, limit) => value >= limit, 'at least', 'exclusiveMinimum')],
  ['maximum', compared((value, limit) => value <= limit, 'at most', 'exclusiveMaximum')],
  ['exclusiveMinimum', compared((value, limit) => value > limit, 'more than')],
  ['exclusiveMaximum', compared((value, limit) => value < limit, 'less than')],
  ['minLength', counted(lengthOf, (length, limit) => length >= limit, 'at least', 'characters')],
  ['maxLength', counted(lengthOf, (length, limit) => length <= limit, 'at most', 'characters')],
  ['minItems', counted(sizeOf, (size, limit) => size >= limit, 'at least', 'items')],
  ['maxItems', counted(sizeOf, (size, limit) => size <= limit, 'at most', 'items')],
  ['uniqueItems', unique],
] as [string, ScalarKeyword][]);

export function shown(value: unknown): string {
  return truncate(canonical(value), 60);
}

function type(rule: unknown, value: unknown): string | undefined {
  const wanted: readonly unknown[] = Array.isArray(rule) ? rule : [rule];
  const fits = wanted.some((name) => (TYPES.get(name) ?? (() => true))(value));
  return fits ? undefined : `expected ${wanted.join(' or ')}, received ${kindOf(value)}`;
}

function oneOfThese(rule: unknown, value: unknown): string | undefined {
  if (!Array.isArray(rule)) return undefined;
  const allowed = ALLOWED.get(rule) ?? new Set(rule.map((one) => canonical(one)));
  ALLOWED.set(rule, allowed);
  if (allowed.has(canonical(value))) return undefined;
  const named = rule.slice(0, MOST_NAMED).map(shown).join(', ');
  const more = rule.length > MOST_NAMED ? ` and ${rule.length - MOST_NAMED} more` : '';
  return `expected one of ${named}${more}; it is ${shown(value)}`;
}

function exactly(rule: unknown, value: unknown): string | undefined {
  if (canonical(rule) === canonical(value)) return undefined;
  return `expected ${shown(rule)}; it is ${shown(value)}`;
}

function format(rule: unknown, value: unknown): string | undefined {
  const isRight = typeof rule === 'string' ? FORMATS.get(rule) : undefined;
  if (!isRight || typeof value !== 'string' || isRight(value)) return undefined;
  return `expected the format ${rule}; it is ${shown(value)}`;
}

/** In older drafts the limit itself is excluded by `true` beside it. */
function compared(
  holds: (value: number, limit: number) => boolean,
  words: string,
  exclusion?: string,
): ScalarKeyword {
  return (rule, value, schema) => {
    if (typeof rule !== 'number' || typeof value !== 'number') return undefined;
    const isExcluded = exclusion !== undefined && schema[exclusion] === true && value === rule;
    if (holds(value, rule) && !isExcluded) return undefined;
    return `expected ${words} ${rule}${isExcluded ? ', which is excluded' : ''}; it is ${value}`;
  };
}

function counted(
  measure: (value: unknown) => number | undefined,
  holds: (size: number, limit: number) => boolean,
  words: string,
  what: string,
): ScalarKeyword {
  return (rule, value) => {
    const size = measure(value);
    if (typeof rule !== 'number' || size === undefined || holds(size, rule)) return undefined;
    return `expected ${words} ${rule} ${what}; it has ${size}`;
  };
}

function lengthOf(value: unknown): number | undefined {
  return typeof value === 'string' ? Array.from(value).length : undefined;
}

function sizeOf(value: unknown): number | undefined {
  return Array.isArray(value) ? value.length : undefined;
}

function unique(rule: unknown, value: unknown): string | undefined {
  if (rule !== true || !Array.isArray(value)) return undefined;
  const seen = new Set<string>();
  for (const item of value) {
    const text = canonical(item);
    if (seen.has(text)) return `expected each item once; ${shown(item)} is there again`;
    seen.add(text);
  }
  return undefined;
}
