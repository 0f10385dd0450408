import { type Engine, quoteName, type Result } from '../engine/engine.ts';
import type { Cell, Field } from '../model.ts';
import type { TypedColumn } from './typing.ts';

/** Different values are counted exactly up to so many records. */
const EXACT_ROWS = 20_000;
/** The most frequent values are told of fields with no more different ones. */
const FEW = 100;
const MOST_TOP = 8;
const MOST_SAMPLES = 3;
const LONGEST = 80;
/** An estimate may be so far off. */
const NEARLY_ALL = 0.8;
const AT_ONCE = 50;

export interface Profile {
  readonly rows: number;
  readonly fields: readonly Field[];
}

/** What all values of all fields are like. */
export async function profile(
  engine: Engine,
  from: string,
  rows: number,
  columns: readonly TypedColumn[],
): Promise<Profile> {
  const first = await engine.run(`FROM ${from} LIMIT 50`);
  const types = new Map(first.columns.map(({ name, type }) => [name, type]));
  const samples = samplesOf(first);
  const fields: Field[] = [];
  for (let at = 0; at < columns.length; at += AT_ONCE) {
    const some = columns.slice(at, at + AT_ONCE);
    fields.push(...(await profileSome(engine, from, rows, some, types)));
  }
  return { rows, fields: fields.map((field, at) => withSamples(field, samples[at] ?? [])) };
}

function withSamples(field: Field, samples: readonly string[]): Field {
  return field.top.length > 0 || samples.length === 0 ? field : { ...field, samples };
}

function samplesOf({ rows, columns }: Result): string[][] {
  return columns.map((_, at) => {
    const values = rows
      .map((row) => row[at])
      .filter((value) => value !== null && value !== undefined);
    return [...new Set(values.map(shown))].slice(0, MOST_SAMPLES);
  });
}

function shown(value: Cell | undefined): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

async function profileSome(
  engine: Engine,
  from: string,
  rows: number,
  columns: readonly TypedColumn[],
  types: ReadonlyMap<string, string>,
): Promise<Field[]> {
  const wanted = columns.flatMap((column) => measures(column, rows));
  const { rows: measured } = await engine.run(`SELECT ${wanted.join(', ')} FROM ${from}`);
  const values = measured[0] ?? [];
  const facts = columns.map((column, at) => {
    const [given = 0, distinct = 0, min = null, max = null] = values.slice(at * 4, at * 4 + 4);
    return {
      column,
      given: Number(given),
      distinct: Math.min(Number(distinct), Number(given)),
      min,
      max,
    };
  });
  const exact = await exactly(engine, from, rows, facts);
  const tops = await topsOf(engine, from, rows, facts);
  return facts.map(({ column, given, distinct, min, max }) => {
    const different = exact.get(column.name) ?? distinct;
    const hasRange = min !== null && max !== null;
    return {
      name: column.name,
      type: column.type,
      sqlType: types.get(column.name) ?? 'VARCHAR',
      aliases: [],
      missing: rows - given,
      distinct: different,
      ...(given > 0 &&
        different === given &&
        isCounted(column, rows, exact) && { isUnique: true as const }),
      ...(hasRange && { min, max }),
      top: tops.get(column.name) ?? [],
      notes: column.notes,
    };
  });
}

/** Lists and objects are never what records are told apart by. */
const isCounted = (column: TypedColumn, rows: number, exact: ReadonlyMap<string, number>) =>
  !['boolean', 'list', 'json', 'binary'].includes(column.type) &&
  (rows <= EXACT_ROWS || exact.has(column.name));

function measures({ name, type }: TypedColumn, rows: number): string[] {
  const column = quoteName(name);
  const hasOrder = !['list', 'json', 'binary'].includes(type);
  const compared = hasOrder ? column : `CAST(${column} AS VARCHAR)`;
  const edge = (which: 'min' | 'max') => {
    if (!hasOrder) return 'NULL';
    return type === 'text' ? `left(${which}(${column}), ${LONGEST})` : `${which}(${column})`;
  };
  const distinct = rows <= EXACT_ROWS ? 'count(DISTINCT ' : 'approx_count_distinct(';
  return [`count(${column})`, `${distinct}${compared})`, edge('min'), edge('max')];
}

interface Facts {
  readonly column: TypedColumn;
  readonly given: number;
  readonly distinct: number;
}

/** An estimate does not tell whether all are different. */
async function exactly(
  engine: Engine,
  from: string,
  rows: number,
  facts: readonly Facts[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  if (rows <= EXACT_ROWS) return counts;
  for (const { column, given, distinct } of facts) {
    if (!['text', 'integer'].includes(column.type) || distinct < given * NEARLY_ALL) continue;
    const { rows: counted } = await engine.run(
      `SELECT count(DISTINCT ${quoteName(column.name)}) FROM ${from}`,
    );
    counts.set(column.name, Number(counted[0]?.[0]));
  }
  return counts;
}

async function topsOf(
  engine: Engine,
  from: string,
  rows: number,
  facts: readonly Facts[],
): Promise<ReadonlyMap<string, Field['top']>> {
  const few = facts.filter(({ distinct, given, column: { type } }) =>
    type === 'list'
      ? rows <= EXACT_ROWS
      : distinct > 0 && distinct <= FEW && distinct < given && type !== 'binary',
  );
  if (few.length === 0) return new Map();
  const wanted = few.map(({ column }) => topOf(column));
  const { rows: found } = await engine.run(`SELECT ${wanted.join(', ')} FROM ${from}`);
  return new Map(
    few.map(({ column }, at) => {
      const entries = (found[0]?.[at] ?? []) as readonly { c: number; v: string }[];
      return [column.name, entries.map(({ c, v }) => ({ value: v, count: c }))];
    }),
  );
}

/** SQL for the most frequent values; of lists, for those of their items if these are few. */
function topOf({ name, type }: TypedColumn): string {
  const column = quoteName(name);
  const counted =
    type === 'list'
      ? `list_histogram(list_transform(flatten(list(${column})), lambda v: left(CAST(v AS VARCHAR), ${LONGEST})))`
      : `histogram(left(CAST(${column} AS VARCHAR), ${LONGEST}))`;
  const entries = `list_transform(map_entries(${counted}), lambda e: {'c': e.value, 'v': e.key})`;
  const top = `list_slice(list_reverse_sort(${entries}), 1, ${MOST_TOP})`;
  return type === 'list' ? `CASE WHEN len(${entries}) <= ${FEW} THEN ${top} END` : top;
}
