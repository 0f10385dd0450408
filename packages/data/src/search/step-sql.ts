import type { Category, Field } from '../model.ts';
import type { Side, Step } from './hops.ts';
import { named, plain, type Sql, sql } from './sql.ts';

export function tableOf({ table }: Category): Sql {
  return named(table);
}

/**
 * Whether a record has a value in common with those that are found. The values are looked up all at
 * once: the engine would take far longer to ask for each record by itself.
 */
export function belongTo({ from, to }: Step, record: Sql, there: Sql, found: Sql): Sql {
  const isText = !areAlike(from.field, to.field);
  const far = sql`SELECT ${valuesOf(to, there, isText)} ${found}`;
  if (!isList(from.field)) return sql`(${sideValue(from, record, isText)} IN (${far}))`;
  // Lists are looked up as a whole: taken apart record by record, they would fill the memory.
  const list = sideValue(from, plain('near'), isText);
  const items = sql`SELECT ${list} AS list, unnest(${list}) AS item FROM ${tableOf(from.category)} AS near`;
  const lists = sql`SELECT list FROM (${items}) WHERE item IN (${far})`;
  return sql`(${sideValue(from, record, isText)} IN (${lists}))`;
}

/** Whether two records belong together. */
export function match({ from, to }: Step, record: Sql, there: Sql): Sql {
  const isText = !areAlike(from.field, to.field);
  const near = sideValue(from, record, isText);
  const far = sideValue(to, there, isText);
  if (isList(from.field) && isList(to.field)) return sql`list_has_any(${near}, ${far})`;
  if (isList(from.field)) return sql`list_contains(${near}, ${far})`;
  return isList(to.field) ? sql`list_contains(${far}, ${near})` : sql`${near} = ${far}`;
}

function isList({ type }: Field): boolean {
  return type === 'list' || type === 'json';
}

/** Values of different types compare as texts. */
function areAlike(a: Field, b: Field): boolean {
  const kind = ({ type, sqlType }: Field) => {
    const item = sqlType.replace(/\[\]$/, '');
    if (type === 'json') return 'JSON';
    return /^(?:BIGINT|DOUBLE|DECIMAL)/.test(item) ? 'number' : item;
  };
  return kind(a) === kind(b) && a.type !== 'json';
}

function valuesOf(side: Side, record: Sql, isText: boolean): Sql {
  const value = sideValue(side, record, isText);
  return isList(side.field) ? sql`unnest(${value})` : value;
}

function sideValue({ field }: Side, record: Sql, isText: boolean): Sql {
  const column = sql`${record}.${named(field.name)}`;
  if (field.type === 'json') return jsonTexts(column);
  if (!isText) return column;
  return isList(field) ? sql`CAST(${column} AS VARCHAR[])` : sql`CAST(${column} AS VARCHAR)`;
}

function jsonTexts(column: Sql): Sql {
  return sql`CASE WHEN json_type(${column}) = 'ARRAY' THEN json_extract_string(${column}, '$[*]') ELSE [json_extract_string(${column}, '$')] END`;
}
