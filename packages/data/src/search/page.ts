import type { Catalogue, Category } from '../model.ts';
import { type Column, isMany, readColumn, shownSql, sortSql } from './columns.ts';
import { type Condition, hasHops } from './condition.ts';
import { conditionSql, RECORD } from './condition-sql.ts';
import { invalid } from './filter-errors.ts';
import { SEARCH_LIMITS } from './request.ts';
import { joined, named, plain, type Sql, sql } from './sql.ts';
import { tableOf } from './step-sql.ts';

interface Sort {
  readonly column: Column;
  readonly isDescending: boolean;
}

interface Page {
  readonly category: Category;
  readonly condition: Condition;
  readonly sorts: readonly Sort[];
  readonly offset: number;
  readonly limit: number;
}

export function readSorts(
  catalogue: Catalogue,
  category: Category,
  names: readonly string[] = [],
): readonly Sort[] {
  if (names.length > SEARCH_LIMITS.sorts) {
    throw invalid(`It is sorted by more than ${SEARCH_LIMITS.sorts} fields.`, 'Name fewer fields.');
  }
  return names.map((name) => {
    const isDescending = name.startsWith('-');
    const column = readColumn(catalogue, category, isDescending ? name.slice(1) : name);
    if (!isMany(column)) return { column, isDescending };
    throw invalid(
      `A record may have several values of ${column.name}, so records cannot be sorted by it.`,
      'Sort by a field of the records themselves, or by one of a record that each leads to.',
    );
  });
}

export function countSql(category: Category, condition: Condition): Sql {
  return sql`SELECT count(*) FROM ${tableOf(category)} AS ${RECORD} WHERE ${conditionSql(condition)}`;
}

/** The values of a page's records, in order. */
export function pageSql(page: Page, columns: readonly Column[], longest: number): Sql {
  const place = freeName(page.category, 'place');
  const shown = columns.map((column) => shownSql(column, longest));
  // Values of other records are looked up for the page only, and that may change its order.
  const numbered = sql`SELECT *, row_number() OVER () AS ${place} FROM (${foundSql(page)})`;
  return sql`SELECT ${joined(shown, ', ')} FROM (${numbered}) AS ${RECORD} ORDER BY ${RECORD}.${place}`;
}

function foundSql({ category, condition, sorts, offset, limit }: Page): Sql {
  const table = tableOf(category);
  const where = sql`WHERE ${conditionSql(condition)}`;
  const part = sql`LIMIT ${plain(limit)} OFFSET ${plain(offset)}`;
  // The engine keeps a table's order unless it joins or sorts, and is ten times faster then.
  if (sorts.length === 0 && !hasHops(condition)) {
    return sql`SELECT * FROM ${table} AS ${RECORD} ${where} ${part}`;
  }
  const row = freeName(category, 'row');
  const numbered = sql`(SELECT *, row_number() OVER () AS ${row} FROM ${table})`;
  const keys = [
    ...sorts.flatMap(({ column, isDescending }) =>
      sortSql(column).map((key) => sql`${key} ${plain(isDescending ? 'DESC' : 'ASC')} NULLS LAST`),
    ),
    sql`${RECORD}.${row}`,
  ];
  return sql`SELECT * FROM ${numbered} AS ${RECORD} ${where} ORDER BY ${joined(keys, ', ')} ${part}`;
}

/** A name that no field has. */
function freeName({ fields }: Category, name: string): Sql {
  const taken = new Set(fields.map((field) => field.name.toLowerCase()));
  let free = name;
  while (taken.has(free)) free += '_';
  return named(free);
}
