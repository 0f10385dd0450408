import {
  type Cell,
  type Engine,
  type Field,
  type FieldType,
  quoteName,
  quoteText,
  type TableFacts,
} from '../inference-under-test.ts';

export type Records = readonly { readonly [field: string]: Cell }[];

/** Numbers that are the same in every run. */
export function seeded(seed: number) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  const one = <Item>(items: readonly Item[]): Item => {
    const item = items[between(0, items.length - 1)];
    if (item === undefined) throw new Error('There is nothing to choose from.');
    return item;
  };
  const some = <Item>(items: readonly Item[], count: number): Item[] => {
    const chosen = new Set<Item>();
    while (chosen.size < Math.min(count, items.length)) chosen.add(one(items));
    return [...chosen];
  };
  const uuid = () => {
    const hex = (digits: number) =>
      Array.from({ length: digits }, () => between(0, 15).toString(16)).join('');
    return `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
  };
  const day = (year: number) => {
    const two = (number: number) => String(number).padStart(2, '0');
    return `${year}-${two(between(1, 12))}-${two(between(1, 28))}`;
  };
  return { next, between, one, some, uuid, day };
}

export function times<Made>(count: number, make: (number: number) => Made): Made[] {
  return Array.from({ length: count }, (_, at) => make(at + 1));
}

/** Makes a table of the records in the engine, and says what a profile would say of it. */
export async function makeTable(
  engine: Engine,
  table: string,
  records: Records,
  declared: TableFacts['declared'] = {},
): Promise<TableFacts> {
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const fields = names.map((name) =>
    profile(
      name,
      records.map((record) => record[name] ?? null),
    ),
  );
  const columns = fields.map(({ name, sqlType }) => `${quoteName(name)} ${sqlType}`);
  await engine.run(`CREATE TABLE ${quoteName(table)} (${columns.join(', ')})`);
  for (let from = 0; from < records.length; from += 1000) {
    const rows = records
      .slice(from, from + 1000)
      .map((record) => `(${names.map((name) => literal(record[name] ?? null)).join(', ')})`);
    await engine.run(`INSERT INTO ${quoteName(table)} VALUES ${rows.join(', ')}`);
  }
  const from = `data/${table}.csv`;
  return {
    id: table,
    table,
    name: table,
    aliases: [],
    from,
    fields,
    rows: records.length,
    declared,
  };
}

function literal(value: Cell): string {
  if (value === null) return 'NULL';
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  return typeof value === 'string' ? quoteText(value) : String(value);
}

function profile(name: string, all: readonly Cell[]): Field {
  const values = all.filter((value) => value !== null);
  const { type, sqlType } = typeOf(values);
  const counts = new Map<string, number>();
  for (const value of values) {
    const text = String(value);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const sorted = [...values].sort((a, b) => (a < b ? -1 : 1));
  // As a profile does it: of few values the most frequent, of many just some.
  const hasTop = counts.size <= 100 && counts.size < values.length;
  const top = [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 8)
    .map(([value, count]) => ({ value, count }));
  const isPlain = type !== 'list' && type !== 'boolean' && sorted.length > 0;
  return {
    name,
    type,
    sqlType,
    aliases: [],
    missing: all.length - values.length,
    distinct: counts.size,
    ...(values.length > 0 &&
      counts.size === values.length &&
      type !== 'list' && { isUnique: true }),
    ...(isPlain && { min: sorted[0] ?? null, max: sorted.at(-1) ?? null }),
    ...(hasTop ? {} : { samples: [...counts.keys()].slice(0, 3) }),
    top: hasTop ? top : [],
    notes: [],
  };
}

function typeOf(values: readonly Cell[]): { type: FieldType; sqlType: string } {
  const are = (is: (value: Cell) => boolean) => values.length > 0 && values.every(is);
  if (are(Array.isArray)) {
    const isText = values.flat().every((item) => typeof item === 'string');
    return { type: 'list', sqlType: isText ? 'VARCHAR[]' : 'BIGINT[]' };
  }
  if (are(Number.isSafeInteger)) return { type: 'integer', sqlType: 'BIGINT' };
  if (are((value) => typeof value === 'number')) return { type: 'number', sqlType: 'DOUBLE' };
  if (are((value) => typeof value === 'boolean')) return { type: 'boolean', sqlType: 'BOOLEAN' };
  if (are((value) => /^\d{4}-\d\d-\d\d$/.test(String(value))))
    return { type: 'date', sqlType: 'DATE' };
  return { type: 'text', sqlType: 'VARCHAR' };
}
