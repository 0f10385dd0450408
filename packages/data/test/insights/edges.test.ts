import { describe, expect, it } from 'vitest';
import { EngineError } from '../engine-under-test.ts';
import { type InsightsRequest, insights } from '../insights-under-test.ts';
import { catalogueOfTables, type TableForTest } from '../query/catalogue-of-tables.ts';
import type { Engine, Relation } from '../query-under-test.ts';
import { expectNear, findingAbout, numbersOf } from './asking.ts';

type Request = Partial<InsightsRequest>;

async function findingsOf(
  tables: readonly TableForTest[],
  request: Request = {},
  relations: readonly Relation[] = [],
) {
  await using made = await catalogueOfTables(tables, relations);
  const { catalogue, engine } = made;
  return await insights(catalogue, engine, {
    category: tables[0]?.table ?? '',
    today: '2025-01-01',
    limit: 50,
    ...request,
  });
}

const EMPTY = `SELECT 1::BIGINT AS id, 'x' AS name, 2.5 AS price, DATE '2024-01-01' AS day WHERE false`;

describe('there is nothing to notice', () => {
  it.each([
    ['no records', EMPTY],
    ['one record', `SELECT 1 AS id, 'x' AS name, 2.5 AS price, DATE '2024-01-01' AS day`],
    ['the same record again and again', `SELECT 7 AS a, 'x' AS b, 1.5 AS c FROM range(200)`],
    ['nothing in the records', 'SELECT NULL::VARCHAR AS a, NULL::DOUBLE AS b FROM range(50)'],
    ['keys only', 'SELECT range AS id FROM range(300)'],
    [
      'lists and objects',
      `SELECT range AS id, [range, 2] AS l, {'a': range}::JSON AS j FROM range(99)`,
    ],
  ])('in %s', async (_, sql) => {
    const { findings, truncated, rows } = await findingsOf([{ table: 'things', sql }]);
    expect(findings).toEqual([]);
    expect(truncated).toBe(false);
    expect(rows).toBeGreaterThanOrEqual(0);
  });
});

describe('names and values', () => {
  it('may be anything', async () => {
    const sql = `SELECT range AS "c0", (range * 37) % 101 + 0.5 AS "rn", ((range * 37) % 101) * 2.0 AS "f0; DROP",
      ['it''s', 'say "x"', 'a' || chr(10) || 'b', repeat('long ', 50)][1 + (range % 4)] AS "record",
      CASE WHEN range % 4 = 0 THEN NULL ELSE 'v' || (range % 3) END AS """k""",
      DATE '2023-01-01' + (range * 3)::INT AS "__proto__" FROM range(240)`;
    const { findings } = await findingsOf([{ table: 'odd "name"', key: ['c0'], sql }]);
    const found = findingAbout(findings, 'association', ['f0; DROP', 'rn']);
    expectNear(numbersOf(found)['rho'], 1);
    const missing = findingAbout(findings, 'quality', ['"k"', 'record']);
    expect(missing.what).toContain(`record "it's"`);
    for (const { what } of findings) expect(what).toMatch(/^[^\n]{1,400}$/);
  });

  it('that are no numbers are left out', async () => {
    const sql = `SELECT range AS id, CASE range % 10 WHEN 0 THEN 'nan'::DOUBLE WHEN 1 THEN 'inf'::DOUBLE
      ELSE (range * 7919) % 503 END AS x, (range * 7919) % 503 AS y FROM range(400)`;
    const { findings } = await findingsOf([{ table: 'numbers', sql }]);
    // Where x is a number it is y.
    expect(findingAbout(findings, 'association', ['x', 'y']).numbers).toMatchObject({
      holds: 320,
      of: 320,
    });
  });
});

describe('outliers', () => {
  it('are found between the quartiles if most values are the same', async () => {
    const sql = `SELECT range AS id, CASE WHEN range % 10 < 6 THEN 5 WHEN range = 77 THEN 90 ELSE range % 10 END AS stars
      FROM range(200)`;
    const { findings } = await findingsOf([{ table: 'reviews', sql }]);
    expect(findingAbout(findings, 'outliers', ['stars']).numbers).toEqual({
      values: 1,
      of: 200,
      lowerQuartile: 5,
      upperQuartile: 7,
      low: 2,
      high: 10,
      records: [{ record: 77, value: 90 }],
    });
  });

  it('are found by their logarithms if values grow by factors', async () => {
    const sql = `SELECT range AS id, CASE WHEN range = 123 THEN 5e9 ELSE exp(sin(range * 12.9898) * 3) END AS income
      FROM range(500)`;
    const { findings } = await findingsOf([{ table: 'incomes', sql }]);
    const found = findingAbout(findings, 'outliers', ['income']);
    expect(found.how).toMatch(/logarithms/);
    expect(numbersOf(found)).toMatchObject({ values: 1, records: [{ record: 123, value: 5e9 }] });
  });

  it('are none of keys, codes, years and what is only skewed', async () => {
    const sql = `SELECT CASE WHEN range = 9 THEN 99999999 ELSE range END AS id,
      CASE WHEN range = 9 THEN 1 ELSE 90000 + range * 7 % 900 END AS zip,
      CASE WHEN range = 9 THEN 1901 ELSE 2015 + range % 5 END AS year, exp(sin(range * 78.233) * 4) AS size
      FROM range(300)`;
    const { findings } = await findingsOf([{ table: 'places', sql }]);
    expect(findings.filter(({ kind }) => kind === 'outliers')).toEqual([]);
  });
});

describe('identities', () => {
  const parts = `range AS id, (range * 31) % 97 + 1 AS net, (range * 17) % 13 + 1 AS tax`;

  it('of sums are found with their exceptions', async () => {
    const sql = `SELECT *, net + tax + CASE WHEN id IN (50, 60) THEN 3 ELSE 0 END AS gross FROM (SELECT ${parts} FROM range(400))`;
    const { findings } = await findingsOf([{ table: 'bills', sql }]);
    const found = findingAbout(findings, 'association', ['gross', 'net', 'tax']);
    expect(found.numbers).toEqual({ holds: 398, of: 400, share: 0.995, exceptions: [50, 60] });
    expect(found.what).toBe(
      'gross = net + tax in 398 of 400 records, not in 2 such as record 50, 60.',
    );
    expect(findings.some(({ fields }) => fields.join() === 'gross,net')).toBe(false);
  });

  it('need to hold nearly everywhere', async () => {
    const sql = `SELECT *, net + tax + CASE WHEN id % 40 = 0 THEN 3 ELSE 0 END AS gross FROM (SELECT ${parts} FROM range(400))`;
    const { findings } = await findingsOf([{ table: 'bills', sql }]);
    expect(findings.some(({ what }) => what.includes(' = '))).toBe(false);
    expect(findings.some(({ fields }) => fields.join() === 'gross,net')).toBe(true);
  });
});

describe('duplicates', () => {
  it('of keys are found, also of keys of two fields', async () => {
    const sql = `SELECT range // 3 AS "order", CASE WHEN range = 10 THEN 0 ELSE range % 3 END AS line, range * 7 % 11 AS x FROM range(90)`;
    const { findings } = await findingsOf([{ table: 'lines', key: ['order', 'line'], sql }]);
    // The order 3 has line 0 twice, and no line 1.
    expect(findingAbout(findings, 'quality', ['order', 'line']).numbers).toEqual({
      keys: 1,
      records: 2,
      examples: ['3/0'],
    });
  });

  it('of whole records are told by their numbers if there is no key', async () => {
    const sql = `SELECT 'n' || (range % 98) AS who, (range % 98) * 3.5 AS x, md5((range % 98)::VARCHAR) AS y FROM range(100)`;
    const { findings } = await findingsOf([{ table: 'visits', sql, key: [] }]);
    const found = findings.find(({ what }) => what.includes('equal'));
    expect(found?.numbers).toEqual({
      records: 4,
      groups: 2,
      extra: 2,
      examples: [
        [1, 99],
        [2, 100],
      ],
    });
  });

  it('are none of lines, whose key says what they belong to', async () => {
    const sql = `SELECT range // 2 AS "order", range % 2 AS line, 'p' || (range // 2 % 90) AS item, range // 2 % 90 * 1.5 AS price, range // 2 % 90 + 0.25 AS x FROM range(200)`;
    const { findings } = await findingsOf([{ table: 'lines', key: ['order', 'line'], sql }]);
    expect(findings.filter(({ what }) => what.includes('equal'))).toEqual([]);
  });

  it('are none if there are few fields of few values', async () => {
    const sql = `SELECT range AS id, range % 3 AS a, range % 4 AS b FROM range(400)`;
    const { findings } = await findingsOf([{ table: 'throws', sql }]);
    expect(findings.filter(({ what }) => what.includes('equal'))).toEqual([]);
  });
});

describe('quality', () => {
  it('tells of references in lists that lead nowhere', async () => {
    const relation: Relation = {
      name: 'tags',
      from: 'notes',
      field: 'tags',
      to: 'tags',
      toField: 'id',
      cardinality: 'many',
      found: 5,
      dangling: 3,
    };
    const { findings } = await findingsOf(
      [
        {
          table: 'notes',
          sql: `FROM (VALUES (1, ['a', 'b']), (2, ['a', 'zz']), (3, ['zz', 'y']), (4, ['b', 'a']), (5, NULL)) t(id, tags)`,
        },
        { table: 'tags', sql: `FROM (VALUES ('a'), ('b')) t(id)` },
      ],
      {},
      [relation],
    );
    expect(findingAbout(findings, 'quality', ['tags'], /no record/).numbers).toEqual({
      dangling: 3,
      found: 5,
      examples: ['zz', 'y'],
    });
  });

  it('does not miss who is above the one at the top', async () => {
    const sql = `SELECT range AS id, CASE WHEN range > 0 THEN range // 3 END AS boss, CASE WHEN range > 0 THEN range * 7 % 5 END AS x FROM range(60)`;
    const relation: Relation = {
      name: 'boss',
      from: 'staff',
      field: 'boss',
      to: 'staff',
      toField: 'id',
      cardinality: 'one',
      found: 59,
      dangling: 0,
    };
    const { findings } = await findingsOf([{ table: 'staff', sql }], {}, [relation]);
    const missing = findings.filter(({ what }) => what.includes('no '));
    expect(missing.map(({ fields }) => fields)).toEqual([['x']]);
  });

  it('tells of a few dates in the future, but not where they are expected', async () => {
    const dates = `DATE '2024-01-01' + (range * 5 % 300)::INT + CASE WHEN range < 2 THEN 4000 ELSE 0 END`;
    const sql = `SELECT range AS id, ${dates} AS created, ${dates} AS due_date, DATE '2024-06-01' + (range * 7 % 500)::INT AS seen
      FROM range(100)`;
    const { findings } = await findingsOf([{ table: 'jobs', sql }]);
    const future = findings.filter(({ what }) => what.includes('future'));
    expect(future.map(({ fields }) => fields)).toEqual([['created']]);
    expect(future[0]?.numbers).toMatchObject({ values: 2, of: 100, records: [1, 0] });
  });

  it('tells of a required field that is missing before all else', async () => {
    const sql = `SELECT range AS id, CASE WHEN range % 20 <> 0 THEN 'n' || range END AS name, range * 7 % 50 AS x FROM range(100)`;
    await using made = await catalogueOfTables([{ table: 'items', sql }]);
    const { catalogue, engine } = made;
    const [category] = catalogue.categories;
    if (!category) throw new Error('The catalogue is empty');
    const fields = category.fields.map((field) =>
      field.name === 'name' ? { ...field, isRequired: true as const } : field,
    );
    const asked = { ...catalogue, categories: [{ ...category, fields }] };
    const { findings } = await insights(asked, engine, { category: 'items', today: '2025-01-01' });
    expect(findings[0]).toMatchObject({
      fields: ['name'],
      what: '5 records (5 %) have no name, which is required.',
      numbers: { missing: 5, rows: 100, share: 0.05 },
    });
  });

  it('takes padded codes and phone numbers for what they are', async () => {
    const sql = `SELECT range AS id, lpad((range * 7)::VARCHAR, 5, '0') AS member, CASE WHEN range = 3 THEN 'none' ELSE '+47 ' || range END AS phone,
      (1200 + range) || ' €' AS rent FROM range(100)`;
    const { findings } = await findingsOf([{ table: 'flats', sql }]);
    expect(findings.map(({ fields }) => fields.join())).toEqual(['rent']);
    expect(findings[0]?.numbers).toEqual({ values: 100, numbers: 100, share: 1, others: [] });
  });
});

describe('many records', () => {
  it('are sampled, the same ones each time, and it is said', async () => {
    await using made = await catalogueOfTables([
      {
        table: 'events',
        sql: `SELECT range AS id, sin(range * 12.9898) * 43758 AS x,
          sin(range * 12.9898) * 43758 + cos(range * 78.233) * 9000 AS y,
          ['a', 'b', 'c'][1 + (range % 3)] AS kind,
          DATE '2022-01-01' + (sqrt(range) * 3)::INT AS day FROM range(120000)`,
      },
    ]);
    const { catalogue, engine } = made;
    const ask = () => insights(catalogue, engine, { category: 'events', today: '2026-01-01' });
    const [first, second] = [await ask(), await ask()];
    expect(first).toEqual(second);
    const found = findingAbout(first.findings, 'association', ['y', 'x']);
    const { n, rho } = numbersOf(found);
    expect(n).toBeGreaterThan(18_000);
    expect(n).toBeLessThan(22_000);
    expect(rho).toBeGreaterThan(0.9);
    expect(found.how).toContain(`${n} records sampled with a fixed seed`);
  });

  it('and many fields fit into an answer', async () => {
    const fields = Array.from(
      { length: 60 },
      (_, at) =>
        `CASE WHEN range % 7 <> ${at % 7} THEN 'value ' || (range * ${at + 3} % 90) END AS "a field with a long name ${at}"`,
    );
    const answer = await findingsOf([
      { table: 'wide', sql: `SELECT range AS id, ${fields.join(', ')} FROM range(200)` },
    ]);
    expect(JSON.stringify(answer).length).toBeLessThan(9000);
    expect(answer.findings.length).toBeGreaterThan(4);
  });

  it('that take too long are left out part by part', async () => {
    await using made = await catalogueOfTables([
      {
        table: 'slow',
        sql: `SELECT range AS id, range * 7 % 50 AS x, range * 3 % 50 AS y, CASE WHEN range > 9 THEN 'k' || range END AS k FROM range(100)`,
      },
    ]);
    const engine: Engine = {
      run: (statement, options) =>
        statement.includes('corr(')
          ? Promise.reject(new EngineError('time', 'It took too long.'))
          : made.engine.run(statement, options),
    };
    const answer = await insights(made.catalogue, engine, { category: 'slow' });
    expect(answer.next).toBe('Left out because they took too long: associations.');
    expect(answer.findings.map(({ fields }) => fields.join())).toContain('k');
  });
});
