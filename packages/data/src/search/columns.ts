import { BatonError } from '@baton/core';
import type { Catalogue, Category, Field } from '../model.ts';
import { columnOf } from './condition-sql.ts';
import { invalid } from './filter-errors.ts';
import { leavesOf, under } from './json-sql.ts';
import { SEARCH_LIMITS } from './request.ts';
import { type Place, resolve } from './resolve.ts';
import { allOf, joined, plain, type Sql, sql } from './sql.ts';
import { match, tableOf } from './step-sql.ts';

/** A value that records are shown with, or sorted by. */
export interface Column {
  readonly name: string;
  readonly place: Place;
  readonly field: Field;
}

/** Items of a list; one more is read, so that it is seen that there are more. */
export const MOST_ITEMS = 50;
const LONGEST_BYTES = 32;

/** Those that were asked for by name, or all of a category. */
export function columnsOf(
  catalogue: Catalogue,
  category: Category,
  names: readonly string[] = [],
): readonly Column[] {
  if (names.length > SEARCH_LIMITS.fields) {
    throw invalid(`There are more than ${SEARCH_LIMITS.fields} fields.`, 'Name fewer fields.');
  }
  const wanted = names.length > 0 ? names : category.fields.map(({ name }) => name);
  const columns = wanted.map((name) => readColumn(catalogue, category, name));
  return [...new Map(columns.map((column) => [column.name, column])).values()];
}

export function readColumn(catalogue: Catalogue, category: Category, name: string): Column {
  const place = resolve(catalogue, category, name);
  const isOwn = place.field !== undefined && place.hops.length === 0 && place.keys.length === 0;
  const field = place.field ?? labelOf(name, place.category);
  return { name: isOwn ? field.name : name, place, field };
}

/** The field by which people name records of a category. */
function labelOf(name: string, { id, labels, key, fields }: Category): Field {
  const label = fields.find((field) => field.name === (labels[0] ?? key[0]));
  if (label) return label;
  throw new BatonError(
    'data_field_unknown',
    `${name} leads to ${id}, which has neither labels nor a key.`,
    `Name one of its fields: ${name}.${fields[0]?.name ?? 'field'}.`,
  );
}

export function isMany({ place }: Column): boolean {
  return place.hops.some((hop) => hop.isMany);
}

/** As it is shown of the record `t0`: one value, or the list of them. */
export function shownSql(column: Column, longest: number): Sql {
  const isJson = column.field.type === 'json';
  return atPlace(column, (value) => {
    const shown = cutSql(
      isJson ? withinJson(value, column.place.keys) : value,
      column.field,
      longest,
    );
    if (column.place.hops.length === 0) return shown;
    if (!isMany(column)) return sql`any_value(${shown})`;
    const list = sql`list(${shown} ORDER BY ${shown}) FILTER (WHERE ${shown} IS NOT NULL)`;
    const first = sql`(${list})[1:${plain(MOST_ITEMS + 1)}]`;
    // A list of JSON would come as a list of texts.
    return isJson ? sql`to_json(${first})` : first;
  });
}

/** What the record `t0` is sorted by. */
export function sortSql(column: Column): readonly Sql[] {
  const isOne = column.place.hops.length === 0;
  const { type } = column.field;
  const by = (of: (value: Sql) => Sql) =>
    atPlace(column, (value) => (isOne ? of(value) : sql`min(${of(value)})`));
  if (type !== 'json') return [by((value) => value)];
  const text = (value: Sql) => sql`json_extract_string(${under(value, ...column.place.keys)}, '$')`;
  // Numbers by their size, and before texts.
  return [by((value) => sql`TRY_CAST(${text(value)} AS DOUBLE)`), by(text)];
}

function atPlace({ place, field }: Column, of: (value: Sql) => Sql): Sql {
  const steps = place.hops.flatMap((hop) => hop.steps);
  const at = (depth: number) => plain(`t${depth}`);
  const value = of(columnOf(at(steps.length), field));
  if (steps.length === 0) return value;
  const tables = steps.map((step, index) => sql`${tableOf(step.to.category)} AS ${at(index + 1)}`);
  const matches = steps.map((step, index) => match(step, at(index), at(index + 1)));
  return sql`(SELECT ${value} FROM ${joined(tables, ', ')} WHERE ${allOf(matches)})`;
}

/** Where lists are on the way, all that is found. */
function withinJson(value: Sql, keys: readonly string[]): Sql {
  if (keys.length === 0) return value;
  const leaves = leavesOf(value, keys, 0);
  return sql`coalesce(${under(value, ...keys)}, CASE WHEN len(${leaves}) > 0 THEN to_json(${leaves}) END)`;
}

/** Nobody reads a long value to its end, and it would have to be sent here first. */
function cutSql(value: Sql, { type, sqlType }: Field, longest: number): Sql {
  switch (type) {
    case 'text':
      return cutText(value, longest);
    case 'list': {
      const items = sql`${value}[1:${plain(MOST_ITEMS + 1)}]`;
      if (!sqlType.startsWith('VARCHAR')) return items;
      return sql`list_transform(${items}, lambda item: ${cutText(plain('item'), longest)})`;
    }
    case 'json': {
      const text = sql`CAST(${value} AS VARCHAR)`;
      return sql`CASE WHEN length(${text}) > ${plain(longest)} THEN to_json(${cutText(text, longest)}) ELSE ${value} END`;
    }
    case 'binary':
      return sql`CASE WHEN octet_length(${value}) > ${plain(LONGEST_BYTES)} THEN '(' || octet_length(${value}) || ' bytes)' ELSE '\\x' || lower(hex(${value})) END`;
    default:
      return value;
  }
}

function cutText(text: Sql, longest: number): Sql {
  const most = plain(longest);
  return sql`CASE WHEN length(${text}) > ${most} THEN left(${text}, ${most}) || '…' ELSE ${text} END`;
}
