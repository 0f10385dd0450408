import type { Catalogue, Category } from '../model.ts';
import { ALWAYS, along, type Condition, not } from './condition.ts';
import { invalid, misplacedOperator, unknownOperator } from './filter-errors.ts';
import { countSteps, mergeHops } from './merge-hops.ts';
import { isOperator, type Operator } from './operators.ts';
import { readTest, type ScopedPlace, type Tally } from './read-test.ts';
import { SEARCH_LIMITS } from './request.ts';
import { keysOf, resolve } from './resolve.ts';

/*
 * What filters mean. The property test has an implementation of its own, written from this.
 *
 * A filter is an object: all of its entries have to hold. `$and` and `$or` take lists of filters,
 * `$not` takes one. `{field: value}` is `$eq`, `{field: [values]}` is `$in`, `{field: {operators}}`
 * wants all of the operators, and `{field: {$not: …}}` holds where `{field: …}` does not.
 *
 * A name leads to values: the one of a field, the items of a list, or what is found along relations.
 * - `$eq $in $gt $gte $lt $lte $contains $regex` hold if one of the values passes. Missing values
 *   and missing items never do.
 * - `$exists` holds if there is a value; an empty list is one. `null` means that there is none:
 *   `$eq null` is `$exists false`, and `null` within `$in` matches what is missing.
 * - `$ne` and `$nin` are `$not` of `$eq` and `$in`: they hold for what is missing too.
 *
 * Values compare by the field's type:
 * - text exactly, and for `$gt` and the like by code points; numbers and booleans count as their text.
 * - integer and number as numbers; a text has to be a number, without blanks around it.
 * - boolean: true, false, "true", "false"; false is less than true.
 * - date and timestamp: a point in time, a day, a month or a year. `$eq` is within it, `$gt` after its
 *   end, `$gte` from its start on, `$lt` before its start, `$lte` until its end. A date is its
 *   midnight; without a zone, times are UTC.
 * - binary: as its text, `\x00ff`.
 * - `$contains` ignores case and accents and looks at the value's text, as does `$regex` (RE2, with
 *   case).
 *
 * A relation without a field of it (`department`) leads to its target's key fields, its labels and
 * the field that the relation points to; a value that cannot be compared with one of these does not
 * match it. A field that is a relation's by the same name leads to its own value as well.
 * `$exists` asks for the record at its end. An object with other keys than operators is a filter that
 * one of the records there has to pass as a whole.
 *
 * JSON: a path goes through all items of the lists on its way, and a list at its end counts by its
 * items. Texts compare with texts, numbers with numbers, booleans with booleans. `$contains` finds
 * texts, numbers and booleans anywhere in it; `$regex` looks at texts, numbers and booleans at the
 * path's end. JSON's null is missing. An object with other keys than operators is a filter on what is
 * there, or on one of the items if that is a list.
 */

/** Where the names of a filter are looked up. */
interface Scope {
  readonly catalogue: Catalogue;
  /** Without it: within JSON. */
  readonly category?: Category;
  readonly tally: Tally;
  readonly depth: number;
}

interface ReadFilter {
  readonly condition: Condition;
  readonly patterns: readonly string[];
}

/** Reads a filter on records of a category. */
export function readFilter(catalogue: Catalogue, category: Category, filters: object): ReadFilter {
  const tally: Tally = { conditions: 0, values: 0, patterns: [] };
  const condition = mergeHops(readObject(filters, { catalogue, category, tally, depth: 1 }));
  if (countSteps(condition) > SEARCH_LIMITS.steps) {
    throw invalid(
      `The filter looks at related records more than ${SEARCH_LIMITS.steps} times.`,
      'Put conditions on the same records together, as in {"relation": {…}}, or search twice.',
    );
  }
  return { condition, patterns: tally.patterns };
}

function readObject(given: unknown, scope: Scope): Condition {
  if (!isObject(given)) throw invalid('A filter is an object.', 'Write {"field": value}.');
  const of = Object.entries(given).map(([key, value]) => readEntry(key, value, scope));
  return of.length === 1 && of[0] ? of[0] : { type: 'all', of };
}

/** One level further in. */
function deeper(scope: Scope): Scope {
  if (scope.depth < SEARCH_LIMITS.depth) return { ...scope, depth: scope.depth + 1 };
  throw invalid(
    `The filter is nested more than ${SEARCH_LIMITS.depth} levels deep.`,
    'Make it flatter, or search twice.',
  );
}

function readEntry(key: string, value: unknown, scope: Scope): Condition {
  if (key === '$and' || key === '$or') {
    const of = listOf(key, value).map((one) => readObject(one, deeper(scope)));
    return { type: key === '$and' ? 'all' : 'any', of };
  }
  if (key === '$not') return not(readObject(value, deeper(scope)));
  if (isOperator(key)) throw misplacedOperator(key);
  if (key.startsWith('$')) throw unknownOperator(key);
  return readValue(key, placeOf(key, scope), value, scope);
}

function listOf(key: string, value: unknown): readonly unknown[] {
  if (Array.isArray(value) && value.length > 0) return value;
  throw invalid(`${key} takes a list of filters.`, `Write {"${key}": [{…}, {…}]}.`);
}

function placeOf(name: string, { catalogue, category }: Scope): ScopedPlace {
  if (category) return resolve(catalogue, category, name);
  return { hops: [], keys: keysOf(name.split('.')) };
}

function readValue(name: string, place: ScopedPlace, value: unknown, scope: Scope): Condition {
  if (Array.isArray(value)) return readTest('$in', value, name, place, scope.tally);
  if (!isObject(value)) return readTest('$eq', value, name, place, scope.tally);
  const entries = Object.entries(value);
  const areOperators = entries.every(([key]) => isOperator(key) || key === '$not');
  if (!areOperators || entries.length === 0) return readInner(name, place, value, scope);
  const of = entries.map(([key, operand]) =>
    key === '$not'
      ? not(readValue(name, place, operand, deeper(scope)))
      : readTest(key as Operator, operand, name, place, scope.tally),
  );
  return of.length === 1 && of[0] ? of[0] : { type: 'all', of };
}

/** A filter on the records that a relation leads to, or on what is within JSON. */
function readInner(name: string, place: ScopedPlace, value: object, scope: Scope): Condition {
  const { field, keys, hops, inner } = place;
  const { catalogue, tally, depth } = deeper(scope);
  if (keys.length > 0 || field?.type === 'json') {
    const of = readObject(value, { catalogue, tally, depth });
    return along(hops, { type: 'inside', at: { ...(field && { field }), keys }, of });
  }
  if (field && !inner) throw unknownInner(name, value);
  const way = inner ? [...hops, inner] : hops;
  const category = inner?.target ?? place.category;
  const of = category ? readObject(value, { catalogue, category, tally, depth }) : ALWAYS;
  return along(way, of);
}

function unknownInner(name: string, value: object): Error {
  const key = Object.keys(value).find((one) => !isOperator(one));
  if (key !== undefined) return unknownOperator(key);
  return invalid(`${name} has an empty condition.`, `Write {"${name}": {"$eq": value}}.`);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
