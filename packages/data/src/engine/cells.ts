import type { DuckDBType, DuckDBValue } from '@duckdb/node-api';
import type { Cell } from '../model.ts';

/** JSON nested deeper stays a text: whoever shows it need not walk it. */
const DEEPEST_JSON = 12;

/** A value of the engine as answers carry it. */
export function cellOf(value: DuckDBValue, type: DuckDBType): Cell {
  if (type.alias === 'JSON' && typeof value === 'string') return parsed(value);
  return plain(value);
}

function plain(value: DuckDBValue): Cell {
  switch (typeof value) {
    case 'bigint':
      return integer(value);
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'object':
      return value === null ? null : composed(value);
    default:
      return value;
  }
}

type Composed = Exclude<DuckDBValue, null | boolean | number | bigint | string>;

function composed(value: Composed): Cell {
  if ('items' in value) return value.items.map(plain);
  if ('bytes' in value) return `\\x${Buffer.from(value.bytes).toString('hex')}`;
  if ('scale' in value) return decimal(value.toString());
  if (Array.isArray(value)) return value.map(plain);
  const { entries } = value as { readonly entries?: unknown };
  if (Array.isArray(entries)) {
    return entries.map(({ key, value: of }) => ({ key: plain(key), value: plain(of) }));
  }
  if (entries && typeof entries === 'object') {
    return record(Object.entries(entries).map(([key, of]) => [key, plain(of as DuckDBValue)]));
  }
  const text = String(value);
  // Times as they stand in JSON.
  return /^[+-]?\d{4,6}-\d\d-\d\d \d\d:/.test(text) ? text.replace(' ', 'T') : text;
}

/** Keys come from files: none of them may reach a prototype. */
function record(entries: readonly (readonly [string, Cell])[]): Cell {
  const made: Record<string, Cell> = {};
  for (const [key, value] of entries) {
    Object.defineProperty(made, key, { value, enumerable: true, writable: true });
  }
  return made;
}

function integer(value: bigint): number | string {
  const near = Number(value);
  return Number.isSafeInteger(near) ? near : value.toString();
}

function decimal(text: string): number | string {
  const near = Number(text);
  const digits = text.replace(/[-.]|^-?0\.0*/g, '');
  return digits.length <= 15 ? near : text;
}

function parsed(text: string): Cell {
  if (isDeep(text)) return text;
  try {
    return JSON.parse(text) as Cell;
  } catch {
    return text;
  }
}

function isDeep(text: string): boolean {
  let depth = 0;
  // What stands in texts does not nest.
  for (const [bracket] of text.replace(/"(?:[^"\\]|\\.)*"/g, '').matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    if (depth > DEEPEST_JSON) return true;
  }
  return false;
}
