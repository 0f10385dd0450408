import { cites } from '@baton/e2e/requirements';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { tableSql } from '../catalogues.ts';
import { type Cell, search } from '../search-under-test.ts';
import { createTestEngine } from '../test-engine.ts';
import { compareText, hasWords, holds, type NaiveRecord, type NaiveTable } from './naive.ts';
import {
  catalogueOf,
  company,
  naiveTablesOf,
  type RandomCompany,
  tablesOf,
} from './random-company.ts';
import { filterOf, word } from './random-filters.ts';

const RUNS = Number(process.env['DATA_SEARCH_RUNS'] ?? 150);
const AT_ONCE = 4;

const made = createTestEngine();
afterAll(() => made[Symbol.asyncDispose]());

const sortKey = fc.tuple(
  fc.constantFrom('name', 'age', 'pay', 'active', 'hired', 'seen', 'department.name', 'boss.age'),
  fc.boolean(),
);
type SortKey = readonly [string, boolean];

const asked = fc.record({
  filters: filterOf('people'),
  words: fc.oneof(
    { weight: 7, arbitrary: fc.constant<string[]>([]) },
    { weight: 1, arbitrary: fc.array(word, { minLength: 1, maxLength: 2 }) },
  ),
  sort: fc.array(sortKey, { maxLength: 2 }),
});
type Asked = typeof asked extends fc.Arbitrary<infer T> ? T : never;

it(
  `${cites('DATA-SEARCH')} finds what a naive filter finds, in the same order`,
  async () => {
    const { engine } = made;
    const seen = { none: 0, some: 0, all: 0 };
    const run = async (of: RandomCompany, requests: readonly Asked[]) => {
      for (const table of tablesOf(of)) await engine.run(tableSql(table));
      const catalogue = catalogueOf(of);
      for (const request of requests) {
        const expected = naively(of, request).map(({ id }) => id);
        const { records, total } = await search({ catalogue, engine }, requestOf(request));
        const found = records.map(({ values }) => values['id']);
        expect({ ...request, found, total }).toEqual({
          ...request,
          found: expected,
          total: expected.length,
        });
        seen[sizeOf(expected.length, of.people.length)] += 1;
      }
    };
    const several = fc.array(asked, { minLength: AT_ONCE, maxLength: AT_ONCE });
    await fc.assert(fc.asyncProperty(company, several, run), { numRuns: RUNS });
    // A search that found everything or nothing would have been seen.
    expect(seen.some).toBeGreaterThan((RUNS * AT_ONCE) / 8);
    expect(seen.none).toBeGreaterThan((RUNS * AT_ONCE) / 10);
  },
  Math.max(120_000, RUNS * 400),
);

function requestOf({ filters, words, sort }: Asked) {
  return {
    category: 'people',
    filters,
    text: words.join(' '),
    sort: sort.map(([key, isDescending]) => (isDescending ? `-${key}` : key)),
    fields: ['id'],
    limit: 200,
  };
}

function sizeOf(found: number, all: number): 'none' | 'some' | 'all' {
  if (found === 0) return 'none';
  return found === all ? 'all' : 'some';
}

function naively(of: RandomCompany, { filters, words, sort }: Asked): readonly NaiveRecord[] {
  const { people } = naiveTablesOf(of);
  return of.people
    .filter((record) => holds(people, record, filters) && hasWords(people, record, words))
    .toSorted((a, b) => {
      const orders = sort.map((key) => compareBy(key, people, a, b));
      return orders.find((order) => order !== 0) ?? 0;
    });
}

/** Missing values come last in either direction. */
function compareBy(
  [key, isDescending]: SortKey,
  people: NaiveTable,
  left: NaiveRecord,
  right: NaiveRecord,
): number {
  const [a, b] = [left, right].map((record) => cellAt(people, record, key));
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const order =
    typeof a === 'string' && typeof b === 'string' ? compareText(a, b) : Number(a) - Number(b);
  return isDescending ? -order : order;
}

function cellAt(people: NaiveTable, record: NaiveRecord, key: string): Cell {
  const [name = '', then] = key.split('.');
  if (then === undefined) return record[name] ?? null;
  return people.relations[name]?.find(record)[0]?.[then] ?? null;
}
