import type { Category, Field, FieldType } from '../model.ts';
import {
  ALWAYS,
  along,
  type Condition,
  not,
  type Order,
  type Spot,
  type Test,
} from './condition.ts';
import { invalid, wrongOperand, wrongValue } from './filter-errors.ts';
import type { Hop } from './hops.ts';
import { comparedAs, readOperand, type Scalar } from './operand.ts';
import type { Operator } from './operators.ts';
import { SEARCH_LIMITS } from './request.ts';
import type { Place } from './resolve.ts';

/** Within JSON there is no category. */
export type ScopedPlace = Omit<Place, 'category'> & { readonly category?: Category };

/** Counts what a filter asks for, and keeps what has to be checked before it runs. */
export interface Tally {
  conditions: number;
  values: number;
  readonly patterns: string[];
}

interface Asked {
  readonly name: string;
  readonly operator: Operator;
  readonly place: ScopedPlace;
  readonly tally: Tally;
}

const ORDERS: { readonly [operator in Operator]?: Order } = {
  $gt: 'gt',
  $gte: 'gte',
  $lt: 'lt',
  $lte: 'lte',
};

/** One operator on what a name leads to. */
export function readTest(
  operator: Operator,
  value: unknown,
  name: string,
  place: ScopedPlace,
  tally: Tally,
): Condition {
  const asked: Asked = { name, operator, place, tally };
  tally.conditions += 1;
  if (tally.conditions > SEARCH_LIMITS.conditions) {
    throw invalid(
      `The filter has more than ${SEARCH_LIMITS.conditions} conditions.`,
      'Take $in for several values of one field, or search twice.',
    );
  }
  switch (operator) {
    case '$exists':
      return isTrue(value, asked) ? existing(place) : not(existing(place));
    case '$eq':
      return equal([single(value, asked)], asked);
    case '$ne':
      return not(equal([single(value, asked)], asked));
    case '$in':
      return equal(several(value, asked), asked);
    case '$nin':
      return not(equal(several(value, asked), asked));
    case '$contains':
      return passing(place, () => ({ type: 'contains', text: textOf(value, asked) }));
    case '$regex':
      return matching(textOf(value, asked), asked);
    default:
      return ordered(ORDERS[operator] ?? 'gt', value, asked);
  }
}

function existing({ hops, field, keys }: ScopedPlace): Condition {
  if (!field && keys.length === 0) return along(hops, ALWAYS);
  return along(hops, { type: 'test', at: spotOf(field, keys), test: { type: 'exists' } });
}

function equal(values: readonly (Scalar | null)[], asked: Asked): Condition {
  const { name, place, tally } = asked;
  tally.values += values.length;
  if (tally.values > SEARCH_LIMITS.values) {
    throw invalid(
      `The filter has more than ${SEARCH_LIMITS.values} values.`,
      'Search with a part of them at a time.',
    );
  }
  const known = values.filter((value) => value !== null);
  const taken = new Set<Scalar>();
  const found = passing(place, (type) => {
    const operands = known.flatMap((value) => {
      const operand = readOperand(type, value);
      if (operand) taken.add(value);
      return operand ?? [];
    });
    return { type: 'in', operands };
  });
  const refused = known.find((value) => !taken.has(value));
  if (refused !== undefined) throw wrongValue(name, typeOf(place), refused, place.field);
  if (known.length === values.length) return found;
  const missing = not(existing(place));
  return known.length === 0 ? missing : { type: 'any', of: [found, missing] };
}

function ordered(type: Order, value: unknown, asked: Asked): Condition {
  const { name, place } = asked;
  const scalar = single(value, asked);
  if (scalar === null) throw wrongOperand(name, asked.operator, 'a value, not null');
  let isTaken = false;
  const found = passing(place, (of) => {
    const operand = readOperand(of, scalar);
    isTaken ||= operand !== undefined;
    return operand ? { type, operand } : { type: 'in', operands: [] };
  });
  if (!isTaken) throw wrongValue(name, typeOf(place), scalar, place.field);
  return found;
}

function matching(pattern: string, { name, place, tally }: Asked): Condition {
  if (pattern.length > SEARCH_LIMITS.pattern) {
    throw invalid(
      `The pattern of ${name} has more than ${SEARCH_LIMITS.pattern} characters.`,
      'Shorten it, or take $in for a list of values.',
    );
  }
  tally.patterns.push(pattern);
  return passing(place, () => ({ type: 'regex', text: pattern }));
}

/** One of the values that a place leads to passes the test. */
function passing(place: ScopedPlace, testOf: (type: FieldType) => Test): Condition {
  const { hops, field, keys, relation } = place;
  const test = (one: Field): Condition => ({
    type: 'test',
    at: spotOf(one, []),
    test: testOf(comparedAs(one)),
  });
  if (keys.length > 0) {
    return along(hops, { type: 'test', at: spotOf(field, keys), test: testOf('json') });
  }
  const hop = field ? relation : hops.at(-1);
  const named = hop && along(field ? [hop] : [], { type: 'any', of: namesOf(hop).map(test) });
  const own = field ? [test(field)] : [];
  const of = named ? [...own, named] : own;
  return along(hops, of.length === 1 && of[0] ? of[0] : { type: 'any', of });
}

/** The fields by which people name the records that a relation leads to. */
function namesOf({ target, pointsTo }: Hop): readonly Field[] {
  const names = new Set([...target.key, ...target.labels]);
  if (pointsTo) names.add(pointsTo.name);
  return target.fields.filter(({ name }) => names.has(name));
}

function spotOf(field: Field | undefined, keys: readonly string[]): Spot {
  if (field && field.type !== 'json' && keys.length === 0) return { field };
  return { ...(field && { field }), keys };
}

function typeOf({ field, keys, hops }: ScopedPlace): FieldType {
  if (keys.length > 0) return 'json';
  const named = field ?? hops.at(-1)?.pointsTo;
  return named ? comparedAs(named) : 'text';
}

function single(value: unknown, { name, operator }: Asked): Scalar | null {
  if (value === null || isScalar(value)) return value;
  const wanted = 'one value: a text, a number, a boolean or null';
  const instead = operator === '$eq' ? '; for several, take $in' : '';
  throw wrongOperand(name, operator, `${wanted}${instead}`);
}

function several(value: unknown, asked: Asked): readonly (Scalar | null)[] {
  const { name, operator } = asked;
  if (!Array.isArray(value)) throw wrongOperand(name, operator, 'a list of values');
  if (value.length > SEARCH_LIMITS.listed) {
    throw invalid(
      `${operator} of ${name} has more than ${SEARCH_LIMITS.listed} values.`,
      'Search with a part of them at a time.',
    );
  }
  return value.map((one) => single(one, asked));
}

function textOf(value: unknown, { name, operator }: Asked): string {
  if (isScalar(value)) return String(value);
  throw wrongOperand(name, operator, 'a text');
}

function isTrue(value: unknown, { name, operator }: Asked): boolean {
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw wrongOperand(name, operator, 'true or false');
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
