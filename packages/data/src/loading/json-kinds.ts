import { type Engine, quoteName } from '../engine/engine.ts';
import type { FieldType } from '../model.ts';
import { DATE_READINGS, TEXT_READINGS } from './readings.ts';
import type { RawColumn, Staged } from './staged.ts';
import type { TextColumn, TypedColumn } from './typing.ts';

/** How often each kind of JSON value is in a column, and in its lists. */
export interface Kinds {
  readonly values: ReadonlyMap<string, number>;
  readonly items: ReadonlySet<string>;
}

const AT_ONCE = 50;
const NUMBERS = ['UBIGINT', 'BIGINT', 'DOUBLE'];

export async function kindsOf(
  engine: Engine,
  { columns, from }: Staged,
): Promise<ReadonlyMap<string, Kinds>> {
  const json = columns.filter(({ kind }) => kind === 'json');
  const kinds = new Map<string, Kinds>();
  for (let at = 0; at < json.length; at += AT_ONCE) {
    const some = json.slice(at, at + AT_ONCE);
    const values = await countKinds(engine, from, some);
    for (const [place, { name }] of some.entries()) {
      const counts = values[place] ?? new Map();
      const items = counts.has('ARRAY') ? await itemsOf(engine, from, name) : new Set<string>();
      kinds.set(name, { values: counts, items });
    }
  }
  return kinds;
}

async function countKinds(
  engine: Engine,
  from: string,
  columns: readonly RawColumn[],
): Promise<Map<string, number>[]> {
  const wanted = columns.map(({ name }) => `map_entries(histogram(json_type(${quoteName(name)})))`);
  const { rows } = await engine.run(`SELECT ${wanted.join(', ')} FROM ${from}`);
  return columns.map((_, at) => {
    const entries = (rows[0]?.[at] ?? []) as readonly { key: string; value: number }[];
    return new Map(
      entries.filter(({ key }) => key !== 'NULL').map(({ key, value }) => [key, value]),
    );
  });
}

async function itemsOf(engine: Engine, from: string, name: string): Promise<Set<string>> {
  const { rows } = await engine.run(
    `SELECT DISTINCT json_type(unnest(json_extract(${quoteName(name)}, '$[*]'))) FROM ${from}`,
  );
  return new Set(
    rows.map(([kind]) => String(kind)).filter((kind) => kind !== 'NULL' && kind !== 'null'),
  );
}

/** A column of JSON values by their kinds; texts and numbers are looked at further. */
export function jsonColumn(
  { name }: RawColumn,
  kinds: Kinds | undefined,
  declared: FieldType | undefined,
): TypedColumn | TextColumn {
  const column = quoteName(name);
  const found = [...(kinds?.values.keys() ?? [])];
  const areAll = (...some: string[]) => found.every((kind) => some.includes(kind));
  const text = `(${column} ->> '$')`;
  if (declared === 'json') return { name, type: 'json', value: column, notes: [] };
  if (found.length === 0 || areAll('VARCHAR') || declared === 'text') {
    const readings = declared === 'text' ? [] : [...DATE_READINGS, ...declaredReadings(declared)];
    return { name, text, readings, otherwise: { type: 'text', value: text }, declared };
  }
  if (areAll(...NUMBERS)) {
    const readings = TEXT_READINGS.filter(({ id }) => ['integer', 'decimal'].includes(id));
    return {
      name,
      text,
      readings: declared === 'number' ? readings.filter(({ type }) => type === 'number') : readings,
      otherwise: { type: 'number', value: `CAST(${text} AS DOUBLE)` },
      declared: undefined,
    };
  }
  if (areAll('BOOLEAN')) {
    return { name, type: 'boolean', value: `CAST(${text} AS BOOLEAN)`, notes: [] };
  }
  if (areAll('ARRAY')) return listColumn(name, kinds?.items ?? new Set());
  return { name, type: 'json', value: column, notes: notesOnMixed(kinds) };
}

function declaredReadings(declared: FieldType | undefined) {
  return declared ? TEXT_READINGS.filter(({ type }) => type === declared) : [];
}

function listColumn(name: string, items: ReadonlySet<string>): TypedColumn {
  const column = quoteName(name);
  const kinds = [...items];
  const of = (...some: string[]) => kinds.every((kind) => some.includes(kind));
  const list = (type: string): TypedColumn => ({
    name,
    type: 'list',
    value: `CAST(json_extract_string(${column}, '$[*]') AS ${type}[])`,
    notes: [],
  });
  if (kinds.length === 0 || of('VARCHAR')) return list('VARCHAR');
  if (of('UBIGINT', 'BIGINT')) return list('BIGINT');
  if (of(...NUMBERS)) return list('DOUBLE');
  if (of('BOOLEAN')) return list('BOOLEAN');
  return { name, type: 'json', value: column, notes: [] };
}

const WORDS: Readonly<Record<string, string>> = {
  VARCHAR: 'texts',
  UBIGINT: 'numbers',
  BIGINT: 'numbers',
  DOUBLE: 'numbers',
  BOOLEAN: 'booleans',
  ARRAY: 'lists',
  OBJECT: 'objects',
};

function notesOnMixed(kinds: Kinds | undefined): string[] {
  const counts = new Map<string, number>();
  for (const [kind, count] of kinds?.values ?? []) {
    const word = WORDS[kind] ?? kind;
    counts.set(word, (counts.get(word) ?? 0) + count);
  }
  if (counts.size < 2) return [];
  return [`mixed: ${[...counts].map(([word, count]) => `${count} ${word}`).join(', ')}`];
}
