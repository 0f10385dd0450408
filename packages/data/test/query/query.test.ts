import { BatonError } from '@baton/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Engine, fitRows, guard, MOST_CHARACTERS, query } from '../query-under-test.ts';
import { type QueryRequestForTest, refusalOf } from './asking.ts';
import { createCompany } from './company.ts';

let company: Awaited<ReturnType<typeof createCompany>>;
beforeAll(async () => {
  company = await createCompany();
});
afterAll(() => company[Symbol.asyncDispose]());

const ask = (sql: string, rest: Omit<QueryRequestForTest, 'sql'> = {}) =>
  query(company.catalogue, company.engine, { sql, ...rest });
const rowsOf = async (sql: string) => (await ask(sql)).rows;
const refused = (sql: string, rest: Omit<QueryRequestForTest, 'sql'> = {}) =>
  refusalOf(ask(sql, rest));

describe('a query', () => {
  it('answers with columns, rows and the version of the data', async () => {
    expect(await ask('SELECT name, salary, hired, skills FROM people ORDER BY id DESC')).toEqual({
      columns: [
        { name: 'name', type: 'VARCHAR' },
        { name: 'salary', type: 'DECIMAL(18,2)' },
        { name: 'hired', type: 'DATE' },
        { name: 'skills', type: 'VARCHAR[]' },
      ],
      rows: [
        ['Chloé', null, '2022-01-10', []],
        ['Björn', 4100.5, '2021-07-15', ['go', 'sql']],
        ['Ada', 5200, '2019-03-01', ['sql']],
      ],
      truncated: false,
      version: 'v1',
    });
  });

  it('joins, aggregates, and uses what a SELECT has', async () => {
    const sql = `WITH RECURSIVE paid AS (SELECT * FROM people WHERE salary IS NOT NULL),
        n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 3)
      SELECT d.name, count(*) FILTER (WHERE p.salary > 5000) AS many,
        round(avg(p.salary), 2) AS mean, list(p.name ORDER BY p.name) AS names,
        (SELECT max(x) FROM n) AS three, CASE WHEN max(hired) > DATE '2020-01-01' THEN 'new' END,
        string_agg(s.u, '+' ORDER BY s.u)
      FROM paid p JOIN departments d ON d.id = p.departmentId, unnest(p.skills) s(u)
      WHERE d.name COLLATE de > 'a' AND d.name ILIKE '%eng%' AND EXISTS (SELECT 1 FROM departments WHERE id = p.departmentId)
      GROUP BY ALL HAVING count(*) BETWEEN 1 AND 9 ORDER BY 1 LIMIT 5 OFFSET 0`;
    expect(await rowsOf(sql)).toEqual([
      ['Engineering', 1, 4467, ['Ada', 'Björn', 'Björn'], 3, 'new', 'go+sql+sql'],
    ]);
  });

  it.each([
    'FROM people',
    'TABLE people',
    "SELECT * FROM people PIVOT (count(*) FOR departmentId IN ('d1', 'd2'))",
    'FROM departments UNPIVOT (v FOR k IN (id, name))',
    'SELECT * EXCLUDE (salary) REPLACE (upper(name) AS name) FROM people',
    "SELECT COLUMNS(c -> c LIKE 'n%') FROM people",
    'SELECT DISTINCT ON (departmentId) name FROM people ORDER BY departmentId, id DESC',
    'SELECT count(*) FROM people GROUP BY GROUPING SETS ((departmentId), ())',
    'SELECT name FROM people TABLESAMPLE reservoir(2 ROWS) REPEATABLE (1)',
    'SELECT 1 AS a UNION BY NAME SELECT 2 AS b',
    'SELECT name, lag(name) OVER w FROM people WINDOW w AS (ORDER BY id)',
    'SELECT * FROM people p ASOF JOIN people q ON p.id >= q.id',
    'SELECT name FROM people QUALIFY row_number() OVER (ORDER BY id) <= 2 ORDER BY ALL LIMIT 50%',
    "SELECT [x * 2 FOR x IN [1, 2] IF x > 1], {'a': 1}.a, MAP {'k': 1}, (1, 2), [1, 2, 3][2:]",
    'SELECT CURRENT_DATE, now(), extract(year FROM hired), hired + INTERVAL 1 DAY FROM people',
    "SELECT '{\"a\": {\"b\": 1}}'::JSON -> 'a' ->> 'b', try_cast('x' AS INTEGER), 1::DECIMAL(9,2)",
    'SELECT * FROM range(3), generate_series(1, 2) g(n), (VALUES (1), (2)) v(x)',
    'SELECT name.upper() FROM people; -- done',
    'SELECT quantile_cont(salary, 0.5), arg_max(name, salary), count(DISTINCT departmentId) FROM people',
    'SELECT 1 IN (SELECT id FROM people), 1 = ANY (SELECT id FROM people), ARRAY(SELECT id FROM people)',
    'WITH people AS (SELECT * FROM people WHERE id > 1) SELECT count(*) FROM people',
    "SELECT * FROM people p, LATERAL (SELECT p.salary * 2 AS twice) WHERE id IN (1, 2) OR NOT name LIKE 'A%'",
  ])('runs %s', async (sql) => {
    expect((await ask(sql)).rows.length).toBeGreaterThan(0);
  });

  it('finds a category by its table, id, name or alias in any case', async () => {
    for (const name of [
      'company_policies',
      'COMPANY_POLICIES',
      '"company-policies"',
      '"Company Policies"',
      'companyPolicies',
      'policies',
      '"Richtlinien für alle"',
      "'policies'",
    ]) {
      expect(await rowsOf(`SELECT 'ü', title FROM /* é */ ${name} WHERE id = 2`)).toEqual([
        ['ü', 'Travel'],
      ]);
    }
  });

  it('keeps the name of the statement for its columns, and its aliases', async () => {
    expect(
      await rowsOf(`WITH policies AS (SELECT policies.title, "company-policies".id AS other
          FROM policies JOIN "company-policies" USING (id), companyPolicies AS c
          WHERE c.id = 1 AND EXISTS (FROM staff s WHERE s.id = policies.id))
        SELECT * FROM policies ORDER BY other`),
    ).toEqual([
      ['Remote work', 1],
      ['Travel', 2],
    ]);
  });

  it('says how to write a name that cannot be replaced', async () => {
    expect(await refused('TABLE policies')).toEqual({
      code: 'data_query_invalid',
      message: '"policies" cannot be used as a name at this place.',
      next: 'Write company_policies instead.',
    });
  });

  it('tells which categories it uses, and by which names', async () => {
    const { categories, uses } = await guard(
      company.catalogue,
      company.engine,
      'WITH p AS (FROM people) SELECT * FROM p, STAFF, "company-policies"',
    );
    expect(categories.map(({ id }) => id).toSorted()).toEqual(['company-policies', 'people']);
    expect(uses.map(({ spelling }) => spelling).toSorted()).toEqual([
      'STAFF',
      'company-policies',
      'people',
    ]);
  });

  it('gives columns of the same name different ones', async () => {
    const { columns, rows } = await ask(
      'SELECT a.id, b.id, 7 AS id_2, c.id FROM people a, people b, people c WHERE a.id = 1 AND b.id = 2 AND c.id = 3',
    );
    expect(columns.map(({ name }) => name)).toEqual(['id', 'id_2', 'id_2_2', 'id_3']);
    expect(rows).toEqual([[1, 2, 7, 3]]);
  });

  it('stops at 100 rows, or at as many as are wanted', async () => {
    const many = await ask('SELECT range AS n FROM range(5000)');
    expect(many.rows.length).toBe(100);
    expect(many.truncated).toBe(true);
    expect(many.next).toMatch(/100 rows are shown and there are more/);
    expect((await ask('FROM range(5000)', { rows: 7 })).rows.length).toBe(7);
    expect((await ask('FROM range(5000)', { rows: -3 })).rows.length).toBe(1);
    expect((await ask('FROM range(1000)', { rows: 1000 })).truncated).toBe(false);
  });

  it('fits by leaving rows out before it cuts texts', async () => {
    const wide = await ask(`SELECT repeat('ä"', 500) AS t, range FROM range(50)`);
    expect(JSON.stringify(wide).length).toBeLessThanOrEqual(MOST_CHARACTERS);
    expect(JSON.stringify(wide).length).toBeGreaterThan(MOST_CHARACTERS / 2);
    expect(wide.rows.every(([text]) => text === 'ä"'.repeat(500))).toBe(true);
    const long = await ask(
      `SELECT repeat('😀', 20000) AS t, range(20000) AS l, 1 AS n FROM range(3)`,
    );
    expect(JSON.stringify(long).length).toBeLessThanOrEqual(MOST_CHARACTERS);
    expect(long.rows.length).toBe(1);
    const [text, list, number] = long.rows[0] ?? [];
    expect(text).toMatch(/^(?:😀){500,}…$/u);
    expect(list).toMatch(/^\[0,1,2,.*…$/);
    expect(number).toBe(1);
    expect(long.next).toMatch(/end in … are cut.*One row is shown/);
  });

  it('fits however many columns there are, and however they are called', async () => {
    const columns = Array.from({ length: 900 }, (_, n) => `${n} AS c${n}`).join(', ');
    const wide = await ask(`SELECT ${columns}`);
    expect(JSON.stringify(wide).length).toBeLessThanOrEqual(MOST_CHARACTERS);
    expect(wide.rows[0]?.length).toBe(wide.columns.length);
    expect(wide.next).toMatch(/^\d+ of 900 columns are shown/);
    const named = await ask(`SELECT 1 AS "${'x'.repeat(15000)}", 2`);
    expect(JSON.stringify(named).length).toBeLessThanOrEqual(MOST_CHARACTERS);
    expect(named.rows).toEqual([[1, 2]]);
  });

  it('fits rows that are wide by themselves', () => {
    const columns = Array.from({ length: 150 }, (_, n) => ({ name: `c${n}`, type: 'VARCHAR' }));
    const row = columns.map(() => 'x'.repeat(9000));
    const fitted = fitRows({ columns, rows: [row, row], isCut: false });
    expect(JSON.stringify(fitted).length).toBeLessThanOrEqual(MOST_CHARACTERS);
  });
});

describe('a query that cannot be computed', () => {
  it.each([
    ['SELECT nme FROM people', 'nme', '"name"'],
    ['SELECT p.departmentID2 FROM people p', 'departmentID2', '"departmentId"'],
    ['SELECT name FROM people ORDER BY salry', 'salry', '"salary"'],
    ['SELECT * EXCLUDE (hirred) FROM people', 'hirred', '"hired"'],
    ['SELECT * FROM people JOIN departments USING (idd)', 'idd', '"id"'],
    ['SELECT fulltext FROM policies', 'fulltext', '"full text"'],
    ['SELECT name FROM people WHERE __proto__ = 1', '__proto__', ''],
  ])('T16 names the fields that are near: %s', async (sql, name, near) => {
    const { code, message, next } = await refused(sql);
    expect(code).toBe('data_field_unknown');
    expect(message).toContain(`"${name}"`);
    expect(message).toContain(near);
    expect(next).toMatch(/^Fields of (?:people|company_policies)/);
  });

  it.each([
    ['SELECT name FROM peple', /no category "peple"; near it are people/],
    ['SELECT 1 FROM company_policy', /near it are company_policies/],
    ['SELECT 1 FROM notes', /"notes" is a name of both a_notes and b_notes/],
  ])('names the categories that are near: %s', async (sql, message) => {
    const refusal = await refused(sql);
    expect(refusal.code).toBe('data_category_unknown');
    expect(refusal.message).toMatch(message);
    expect(refusal.next).toMatch(/people|a_notes/);
  });

  it.each([
    ["SELECT 'ä😀',\n  1 +* 2 FROM people x y", /at 2:24: syntax error at or near "y"/],
    ["SELECT 'ä😀', FROM WHERE", /at 1:19: syntax error at or near "WHERE"/],
    ['', /There is no statement/],
    ['-- nothing', /There is no statement/],
    ['SELECT name::INTEGER FROM people', /Could not convert string 'Ada' to INT32/],
    ['SELECT sum(name) FROM people', /argument types 'sum\(VARCHAR\)'/],
    ['SELECT name, count(*) FROM people', /"name" must appear in the GROUP BY/],
    ['SELECT (SELECT id FROM people)', /More than one row returned/],
    ["SELECT regexp_matches(name, '(') FROM people", /missing \)/],
    ['SELECT 9223372036854775807 + 1', /Overflow/],
  ])('says what is wrong: %s', async (sql, message) => {
    const refusal = await refused(sql);
    expect(refusal.code).toBe('data_query_invalid');
    expect(refusal.message).toMatch(message);
    expect(refusal.message).not.toMatch(/LINE \d|Binder Error|SET /);
    expect(refusal.next).not.toBe('');
  });

  it('ends after its time', async () => {
    const endless = 'SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b';
    expect(await refused(endless, { seconds: 0.3 })).toMatchObject({
      code: 'data_query_too_slow',
      message: 'The query took more than 0.3 s.',
    });
    expect(await rowsOf('SELECT count(*) FROM people')).toEqual([[3]]);
  });

  it('ends when it needs too much memory', async () => {
    const large = 'SELECT max(l) FROM (SELECT list(range) AS l FROM range(300000000))';
    expect((await refused(large)).code).toBe('data_query_too_large');
    expect(await rowsOf('SELECT count(*) FROM people')).toEqual([[3]]);
  });

  it('ends when nobody wants it any more', async () => {
    const wanted = new AbortController();
    const endless = 'SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b';
    const { catalogue, engine } = company;
    const watched: Engine = {
      run(sql, options) {
        const running = engine.run(sql, options);
        if (sql === endless) wanted.abort();
        return running;
      },
    };
    const running = query(catalogue, watched, { sql: endless, signal: wanted.signal });
    expect((await refusalOf(running)).code).toBe('cancelled');
    expect((await refused('SELECT 1', { signal: wanted.signal })).code).toBe('cancelled');
  });

  it('is no fault of its own if a view is not there', async () => {
    const { catalogue, engine } = company;
    const [first] = catalogue.categories;
    if (!first) throw new Error('The catalogue is empty');
    const lost = { ...catalogue, categories: [{ ...first, id: 'lost', table: 'lost' }] };
    const failed = query(lost, engine, { sql: 'FROM lost' }).catch((error: unknown) => error);
    expect(await failed).not.toBeInstanceOf(BatonError);
  });
});
