import type { Category } from '../model.ts';
import { answerOf, longestOf, type Search } from './answer.ts';
import { columnsOf } from './columns.ts';
import { placeOf } from './cursor.ts';
import { countSql, pageSql } from './page.ts';
import type { FoundRecord, SearchAnswer } from './request.ts';
import { valuesOf } from './search-category.ts';
import { joined, sql } from './sql.ts';

const MOST_COUNTS = 100;
const NONE: ReadonlySet<string> = new Set();

interface Counted {
  readonly category: Category;
  readonly count: number;
  /** Matches in the categories before it. */
  readonly before: number;
}

/** Searches the records of all categories for words; those of the first category come first. */
export async function searchEverywhere(search: Search): Promise<SearchAnswer> {
  const { catalogue, request, limit } = search;
  const offset = placeOf(catalogue.version, request);
  const counted = await countEach(search);
  const total = counted.reduce((sum, { count }) => sum + count, 0);
  const records: FoundRecord[] = [];
  for (const { category, count, before } of counted) {
    const from = Math.max(0, offset - before);
    const rows = Math.min(limit - records.length, count - from);
    if (rows <= 0) continue;
    records.push(...(await pageOf(search, category, from, rows)));
  }
  const most = [...counted].sort((a, b) => b.count - a.count).slice(0, MOST_COUNTS);
  const shown = counted.filter((one) => most.includes(one));
  return answerOf(search, {
    ...{ records, total, offset, named: NONE },
    counts: Object.fromEntries(shown.map(({ category, count }) => [category.id, count])),
    ...(total === 0 && { next: 'No record of any category contains all of these words.' }),
  });
}

async function countEach({ ask, catalogue, words }: Search): Promise<readonly Counted[]> {
  const { categories } = catalogue;
  if (categories.length === 0) return [];
  const counts = categories.map((category) => {
    const condition = { type: 'words', category, words } as const;
    return sql`(${countSql(category, condition)})`;
  });
  const [found = []] = await ask(sql`SELECT ${joined(counts, ', ')}`);
  let before = 0;
  return categories.flatMap((category, index) => {
    const count = Number(found[index] ?? 0);
    before += count;
    return count > 0 ? [{ category, count, before: before - count }] : [];
  });
}

async function pageOf(
  { ask, catalogue, words, characters }: Search,
  category: Category,
  offset: number,
  limit: number,
): Promise<readonly FoundRecord[]> {
  const columns = columnsOf(catalogue, category);
  const condition = { type: 'words', category, words } as const;
  const page = { category, condition, sorts: [], offset, limit };
  const rows = await ask(pageSql(page, columns, longestOf(limit, characters)));
  return rows.map((cells) => ({
    category: category.id,
    values: valuesOf(columns, cells, NONE),
  }));
}
