import { BatonError } from '@baton/core';
import type { Category, Cell } from '../model.ts';
import { answerOf, longestOf, type Search } from './answer.ts';
import { type Column, columnsOf } from './columns.ts';
import type { Condition } from './condition.ts';
import { connectionsOf } from './connections.ts';
import { placeOf } from './cursor.ts';
import { readFilter } from './filter.ts';
import { countSql, pageSql, readSorts } from './page.ts';
import { checkPatterns } from './patterns.ts';
import { recordCondition } from './record.ts';
import type { FoundRecord, SearchAnswer } from './request.ts';
import { whyNothing } from './why-nothing.ts';

/** Searches the records of one category. */
export async function searchCategory(search: Search, category: Category): Promise<SearchAnswer> {
  const { ask, catalogue, request, words, limit, characters } = search;
  const { filters = {}, id, fields } = request;
  // Everything is read first: what is wrong with a request is said before anything runs.
  const { condition: wanted, patterns } = readFilter(catalogue, category, filters);
  const sorts = readSorts(catalogue, category, request.sort);
  const columns = columnsOf(catalogue, category, fields);
  const named = new Set(fields?.length ? columns.map(({ name }) => name) : []);
  const offset = placeOf(catalogue.version, request);
  if (request.connections && id === undefined) throw noRecord();
  await checkPatterns(ask, patterns);
  const record = id === undefined ? undefined : await recordCondition(ask, category, id);
  const condition: Condition = {
    type: 'all',
    of: [...(record ? [record] : []), wanted, { type: 'words', category, words }],
  };
  const total = Number((await ask(countSql(category, condition)))[0]?.[0] ?? 0);
  if (total === 0) {
    const next = await whyNothing(ask, catalogue, category, { filters, words });
    return answerOf(search, { records: [], total, offset, named, next });
  }
  const rows = Math.min(limit, Math.max(0, total - offset));
  const page = { category, condition, sorts, offset, limit: rows };
  const found = rows > 0 ? await ask(pageSql(page, columns, longestOf(rows, characters))) : [];
  const connections =
    request.connections && record && (await connectionsOf(ask, catalogue, category, record));
  return answerOf(search, {
    records: found.map((cells) => ({ values: valuesOf(columns, cells, named) })),
    ...{ total, offset, named },
    ...(connections && { connections }),
  });
}

/** Missing values say nothing, unless somebody has asked for them. */
export function valuesOf(
  columns: readonly Column[],
  cells: readonly Cell[],
  named: ReadonlySet<string>,
): FoundRecord['values'] {
  const entries = columns.map(({ name }, index) => [name, cells[index] ?? null] as const);
  return Object.fromEntries(entries.filter(([name, value]) => value !== null || named.has(name)));
}

function noRecord(): BatonError {
  return new BatonError(
    'data_record_unknown',
    'Connections are those of one record, and no record is named.',
    'Give its id as well.',
  );
}
