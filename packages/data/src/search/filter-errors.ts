import { BatonError } from '@baton/core';
import type { Field, FieldType } from '../model.ts';
import { nearNames, shownName } from '../query/near-names.ts';
import { CONNECTIVES, OPERATORS, type Operator } from './operators.ts';

export function invalid(message: string, next: string): BatonError {
  return new BatonError('data_filter_invalid', message, next);
}

export function unknownOperator(key: string): BatonError {
  const known = [...OPERATORS, ...CONNECTIVES];
  const [near] = nearNames(key, known);
  const all = known.join(' ');
  return new BatonError(
    'data_operator_unknown',
    `There is no operator ${shownName(key)}.`,
    near ? `Did you mean ${near}? There are ${all}.` : `There are ${all}.`,
  );
}

export function misplacedOperator(key: string): BatonError {
  return invalid(`${key} stands without a field.`, `Write {"field": {"${key}": value}}.`);
}

const KINDS: { readonly [type in FieldType]: { readonly is: string; readonly example: string } } = {
  text: { is: 'a text', example: '"text"' },
  integer: { is: 'an integer', example: '42' },
  number: { is: 'a number', example: '42.5' },
  boolean: { is: 'a boolean', example: 'true' },
  date: { is: 'a date', example: '"2024-05-01", "2024-05" or "2024"' },
  timestamp: { is: 'a time', example: '"2024-05-01T12:30:00", "2024-05-01" or "2024-05"' },
  list: { is: 'a list', example: '"item"' },
  json: { is: 'JSON', example: '"text"' },
  binary: { is: 'bytes', example: '"\\\\x00ff"' },
};

/** A value that cannot be compared with those of a field. */
export function wrongValue(
  name: string,
  type: FieldType,
  value: unknown,
  field?: Field,
): BatonError {
  const { is, example } = KINDS[type];
  const real = field?.top[0]?.value ?? field?.min;
  const isQuoted = type === 'date' || type === 'timestamp';
  const shown = typeof real === 'object' || real === undefined ? example : String(real);
  return invalid(
    `${name} is ${is}; ${shownJson(value)} is none.`,
    `Give a value such as ${isQuoted && shown !== example ? JSON.stringify(shown) : shown}.`,
  );
}

/** An operator that takes another kind of value. */
export function wrongOperand(name: string, operator: Operator, wanted: string): BatonError {
  return invalid(`${operator} of ${name} takes ${wanted}.`, `Correct the value of ${operator}.`);
}

export function shownJson(value: unknown): string {
  // Not what is nested: it may be as deep as it likes.
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
