import { BatonError } from '@baton/core';
import { type Engine, quoteName } from '../engine/engine.ts';
import type { Catalogue, Category } from '../model.ts';
import { guard } from './guard.ts';
import { shownName } from './near-names.ts';
import { lower } from './parse.ts';
import type { TableUse } from './tables-used.ts';

export interface Prepared {
  readonly sql: string;
  readonly categories: readonly Category[];
}

/** How a name of a table may stand in a statement. */
const TABLE_NAME = /^(?:"(?:[^"]|"")*"|'(?:[^']|'')*'|[^\s"'(),;.]+)/;

/** A statement that may run, with the catalogue's own names of tables in place of other names. */
export async function prepare(
  catalogue: Catalogue,
  engine: Engine,
  sql: string,
  signal?: AbortSignal,
): Promise<Prepared> {
  const { categories, uses } = await guard(catalogue, engine, sql, signal);
  const others = uses.filter(({ category, spelling }) => lower(category.table) !== lower(spelling));
  const [first] = others;
  if (!first) return { sql, categories };
  const renamed = withTableNames(sql, others);
  try {
    // What runs is what was judged.
    await guard(catalogue, engine, renamed, signal);
  } catch (error) {
    throw error instanceof BatonError ? cannotReplace(first, error) : error;
  }
  return { sql: renamed, categories };
}

function withTableNames(sql: string, uses: readonly TableUse[]): string {
  const bytes = Buffer.from(sql);
  const lastFirst = new Map(uses.toSorted((a, b) => b.at - a.at).map((use) => [use.at, use]));
  let after = bytes.length;
  let renamed = '';
  for (const use of lastFirst.values()) {
    const { at, spelling, category, hasAlias } = use;
    const rest = bytes.subarray(Math.max(0, at), after).toString();
    const [token = ''] = TABLE_NAME.exec(rest) ?? [];
    if (unquoted(token) !== spelling) throw cannotReplace(use);
    // Columns may be qualified with the name that stands in the statement.
    const alias = hasAlias ? '' : ` AS ${quoteName(spelling)}`;
    renamed = `${quoteName(category.table)}${alias}${rest.slice(token.length)}${renamed}`;
    after = at;
  }
  return `${bytes.subarray(0, after)}${renamed}`;
}

function unquoted(token: string): string {
  const mark = token[0];
  if (mark !== '"' && mark !== "'") return token;
  return token.slice(1, -1).replaceAll(mark + mark, mark);
}

function cannotReplace({ spelling, category }: TableUse, cause?: BatonError): BatonError {
  return new BatonError(
    'data_query_invalid',
    `${shownName(spelling)} cannot be used as a name at this place.`,
    `Write ${category.table} instead.`,
    { cause },
  );
}
