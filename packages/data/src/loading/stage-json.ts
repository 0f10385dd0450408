import { type Engine, EngineError, quoteName, quoteText, type Result } from '../engine/engine.ts';
import { columnNames } from './csv-head.ts';
import type { Format } from './formats.ts';
import { assertColumns, MOST_COLUMNS, type Remark, type Staged, Unusable } from './staged.ts';

/** Of one record. The engine has buffers of this size. */
const LARGEST_RECORD = 8 * 1024 * 1024;
/** Of an object that holds all records. */
const LARGEST_WHOLE = 64 * 1024 * 1024;
const SAMPLE = 1000;

/** Records of JSON: a list, one per line, or an object of them by their ids. */
export async function stageJson(
  engine: Engine,
  copy: string,
  head: Buffer,
  format: Format,
): Promise<Staged> {
  try {
    const shape = await shapeOf(engine, copy, head, format);
    return await stage(engine, copy, shape);
  } catch (error) {
    if (error instanceof EngineError && error.failure === 'statement')
      throw unusable(error.message);
    throw error;
  }
}

/** A query for the records, as `json`, and the ids that stand outside of them, as `id`. */
interface Shape {
  readonly sql: string;
  readonly hasOuterIds: boolean;
}

async function shapeOf(engine: Engine, copy: string, head: Buffer, format: Format): Promise<Shape> {
  const file = quoteText(copy);
  const size = `maximum_object_size = ${LARGEST_RECORD}`;
  const lines = {
    sql: `SELECT json FROM read_ndjson_objects(${file}, ignore_errors = true, ${size})`,
    hasOuterIds: false,
  };
  if (format === 'ndjson') return lines;
  const first = /\S/.exec(head.toString('latin1'))?.[0];
  if (first === undefined) throw new Unusable('This is empty.');
  if (first === '[') {
    const list = `read_json_objects(${file}, format = 'array', ${size})`;
    return { sql: `SELECT json FROM ${list}`, hasOuterIds: false };
  }
  const one = `read_json_objects(${file}, format = 'unstructured', maximum_object_size = ${LARGEST_WHOLE})`;
  const values = await valuesOf(engine, one);
  // Several values one after the other are lines by another name.
  if (values.count !== 1) return lines;
  if (values.list !== undefined) {
    const path = quoteText(pointerTo(values.list));
    return {
      sql: `SELECT unnest(CAST(json_extract(json, ${path}) AS JSON[])) AS json FROM ${one}`,
      hasOuterIds: false,
    };
  }
  if (!values.areObjects) return { sql: `SELECT json FROM ${one}`, hasOuterIds: false };
  return {
    sql: `SELECT e.value AS json, e.key AS id FROM ${one} AS t, json_each(t.json) AS e`,
    hasOuterIds: true,
  };
}

/** What the values of an object are: all objects, or one list among them. */
async function valuesOf(engine: Engine, from: string) {
  const { rows: counts } = await engine.run(`SELECT count(*) FROM ${from}`);
  const count = Number(counts[0]?.[0]);
  if (count !== 1) return { count, areObjects: false };
  const { rows } = await engine.run(
    `SELECT e.type, count(*), min(e.key) FROM ${from} AS t, json_each(t.json) AS e GROUP BY e.type`,
  );
  const lists = rows.find(([type]) => type === 'ARRAY');
  const isOneList = lists?.[1] === 1 && !rows.some(([type]) => type === 'OBJECT');
  return {
    count,
    areObjects: rows.length === 1 && rows[0]?.[0] === 'OBJECT',
    ...(isOneList && { list: String(lists[2]) }),
  };
}

async function stage(engine: Engine, copy: string, { sql, hasOuterIds }: Shape): Promise<Staged> {
  const parts = `${copy}.records`;
  await engine.run(`COPY (${sql}) TO ${quoteText(parts)} (FORMAT parquet, COMPRESSION snappy)`);
  const from = `read_parquet(${quoteText(parts)})`;
  const isRecord = `json_type(json) = 'OBJECT'`;
  const { rows: counted } = await engine.run(
    `SELECT count(*), count(*) FILTER (json IS NULL), count(*) FILTER (NOT ${isRecord}) FROM ${from}`,
  );
  const [all, broken, others] = (counted[0] ?? []).map(Number) as [number, number, number];
  if (all > 0 && broken + others === all) {
    throw new Unusable('It holds no records: a record is an object with fields.');
  }
  const keys = await keysOf(engine, `${from} WHERE ${isRecord}`);
  assertColumns(keys.length);
  const withId = hasOuterIds && !keys.includes('id');
  const given = withId ? ['id', ...keys] : keys;
  const names = columnNames(given);
  const pointers = keys.map((key) => quoteText(pointerTo(key)));
  const offset = withId ? 1 : 0;
  const values = keys.map((_, at) => `v[${at + 1}] AS ${quoteName(names[at + offset] as string)}`);
  const columns = withId ? [`to_json(id) AS ${quoteName('id')}`, ...values] : values;
  if (columns.length === 0)
    throw new Unusable('It holds no records: a record is an object with fields.');
  const id = withId ? ', id' : '';
  const list = pointers.length > 0 ? `json_extract(json, [${pointers}])` : '[]';
  const stage = quoteText(`${copy}.stage`);
  await engine.run(
    `COPY (SELECT ${columns} FROM (SELECT ${list} AS v${id} FROM ${from} WHERE ${isRecord})) TO ${stage} (FORMAT parquet, COMPRESSION snappy)`,
  );
  return {
    columns: names.map((name, at) => ({ name, given: given[at] ?? '', kind: 'json' })),
    from: `read_parquet(${stage})`,
    remarks: remarksOn(broken, others),
  };
}

/** All keys of all records, in the order in which they come first. */
async function keysOf(engine: Engine, from: string): Promise<string[]> {
  // To tell a million keys apart takes long; a record that has so many is long itself.
  const widest = await engine.run(
    `SELECT max(len(json_keys(json))) FROM (SELECT json FROM ${from}) WHERE strlen(json) > ${MOST_COLUMNS * 6}`,
  );
  assertColumns(Number(widest.rows[0]?.[0] ?? 0));
  const sample = await engine.run(
    `SELECT json_keys(json) FROM (FROM ${from} LIMIT ${SAMPLE}) WHERE json_array_length(json_keys(json)::JSON) <= ${MOST_COLUMNS * 2}`,
  );
  const all = await engine.run(`SELECT DISTINCT unnest(json_keys(json)) AS key FROM ${from}`, {
    rows: MOST_COLUMNS + 1,
  });
  const keys = new Set(sample.rows.flatMap(([names]) => names as readonly string[]));
  for (const [key] of sorted(all)) keys.add(String(key));
  return [...keys];
}

function sorted({ rows }: Result): Result['rows'][number][] {
  return [...rows].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
}

function pointerTo(key: string): string {
  return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function remarksOn(broken: number, others: number): Remark[] {
  const remark = (count: number, what: string): Remark[] =>
    count === 0 ? [] : [{ line: 1, severity: 'error', message: `${count} ${what}` }];
  return [
    ...remark(broken, 'lines are no JSON and are left out.'),
    ...remark(others, 'values are no objects and are left out.'),
  ];
}

function unusable(message: string): Unusable {
  const [, line, why] = /in line (\d+): (.*)/.exec(message) ?? [];
  const what = why ?? message.split('\n')[0] ?? '';
  return new Unusable(`This is not JSON that can be read: ${what.trim()}`, Number(line ?? 1));
}
