import type { PieceArgument } from './piece.ts';
import { textIn } from './values.ts';

const NAME = /^[A-Za-z_][\w-]{0,63}$/;
const MOST_ARGUMENTS = 32;
const MOST_VALUES = 100;

/** `arguments:` of a prompt: names, or records with `name`, `description`, `required`, `default`, `values`. */
export function readArguments(given: unknown, warn: (message: string) => void): PieceArgument[] {
  const items = itemsIn(given);
  if (items.length > MOST_ARGUMENTS)
    warn(`More than ${MOST_ARGUMENTS} arguments: the rest is left out.`);
  const seen = new Set<string>();
  return items.slice(0, MOST_ARGUMENTS).flatMap((item) => {
    const read = readArgument(item);
    if (!read || seen.has(read.name)) {
      const shown = JSON.stringify(item)?.slice(0, 60);
      warn(`The argument ${shown} has no name of its own: letters, digits, "_" and "-".`);
      return [];
    }
    seen.add(read.name);
    return [read];
  });
}

function itemsIn(given: unknown): readonly unknown[] {
  if (given === undefined || given === null) return [];
  if (typeof given === 'string') return given.split(/[\s,]+/).filter(Boolean);
  return Array.isArray(given) ? given : [given];
}

function readArgument(item: unknown): PieceArgument | undefined {
  const record = new Map<string, unknown>(
    typeof item === 'string' ? [['name', item]] : Object.entries(item ?? {}),
  );
  const name = record.get('name');
  // To most programs, a record with this name has none.
  if (typeof name !== 'string' || !NAME.test(name) || name === '__proto__') return undefined;
  const initial = record.get('default');
  const values = record.get('values');
  return {
    name,
    description: textIn(record.get('description')),
    required: record.get('required') === true && !isScalar(initial),
    ...(isScalar(initial) && { default: String(initial) }),
    values: (Array.isArray(values) ? values : [])
      .filter(isScalar)
      .slice(0, MOST_VALUES)
      .map(String),
  };
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
