import { monitorEventLoopDelay } from 'node:perf_hooks';
import { cites } from '@baton/e2e/requirements';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HARMLESS_FUNCTIONS, query, TABLE_FUNCTIONS } from '../query-under-test.ts';
import { refusalOf } from './asking.ts';
import { createCompany } from './company.ts';

let company: Awaited<ReturnType<typeof createCompany>>;
beforeAll(async () => {
  company = await createCompany();
});
afterAll(() => company[Symbol.asyncDispose]());

const ask = (sql: string, seconds = 10) =>
  query(company.catalogue, company.engine, { sql, seconds });

async function expectAnswers(): Promise<void> {
  expect((await ask('SELECT count(*) FROM people')).rows).toEqual([[3]]);
}

const REFUSED = 'data_query_refused';
const INVALID = 'data_query_invalid';
const UNKNOWN = 'data_category_unknown';

const HOSTILE: readonly (readonly [sql: string, code: string])[] = [
  // Something else than a SELECT.
  ["INSERT INTO people VALUES (9, 'Eve')", REFUSED],
  ["UPDATE people SET name = 'x'", REFUSED],
  ['DELETE FROM people', REFUSED],
  ['DROP VIEW people', REFUSED],
  ['CREATE TABLE t AS SELECT 1', REFUSED],
  ['CREATE MACRO f(x) AS x', REFUSED],
  ['ALTER VIEW people RENAME TO x', REFUSED],
  ["ATTACH '/etc/passwd' AS x", REFUSED],
  ['DETACH memory', REFUSED],
  ["COPY people TO '/tmp/out.csv'", REFUSED],
  ["COPY (SELECT 1) TO 'x.parquet'", REFUSED],
  ["EXPORT DATABASE 'x'", REFUSED],
  ["IMPORT DATABASE 'x'", REFUSED],
  ['INSTALL httpfs', REFUSED],
  ['LOAD httpfs', REFUSED],
  ['PRAGMA database_list', REFUSED],
  ['PRAGMA enable_profiling', REFUSED],
  ["SET memory_limit = '100GB'", REFUSED],
  ['RESET memory_limit', REFUSED],
  ['CALL duckdb_settings()', REFUSED],
  ['EXPLAIN SELECT 1', REFUSED],
  ['EXPLAIN ANALYZE SELECT 1', REFUSED],
  ['PREPARE p AS SELECT 1', REFUSED],
  ['EXECUTE p', REFUSED],
  ['BEGIN TRANSACTION', REFUSED],
  ['CHECKPOINT', REFUSED],
  ['VACUUM', REFUSED],
  ['USE memory', REFUSED],
  ["SET VARIABLE x = getenv('HOME')", REFUSED],
  ["CREATE SECRET s (TYPE s3, KEY_ID 'x')", REFUSED],
  ['PIVOT people ON name USING count(*)', REFUSED],
  ['DESCRIBE people', REFUSED],
  ['SHOW TABLES', REFUSED],
  ['SHOW ALL TABLES', REFUSED],
  ['SUMMARIZE people', REFUSED],
  ['SELECT * FROM (DESCRIBE people)', REFUSED],
  ['WITH x AS (INSERT INTO people VALUES (1) RETURNING *) SELECT * FROM x', INVALID],
  // A second statement.
  ['SELECT 1; DROP VIEW people', REFUSED],
  ['SELECT 1; SELECT 2', REFUSED],
  ["COMMIT; ATTACH 'x.db'", REFUSED],
  ['SELECT 1;;SELECT 2', REFUSED],
  ["SELECT '; -- '; DELETE FROM people", REFUSED],
  ['SELECT 1 /* ; */ ; COPY people TO x', REFUSED],
  // Functions that read files, or the engine itself.
  ["SELECT * FROM read_csv('/etc/passwd')", REFUSED],
  ["SELECT * FROM read_text('/etc/passwd')", REFUSED],
  ["SELECT * FROM read_blob('/proc/self/environ')", REFUSED],
  ["SELECT * FROM read_parquet('people.parquet')", REFUSED],
  ["SELECT * FROM parquet_metadata('people.parquet')", REFUSED],
  ["SELECT * FROM read_json_auto('https://example.com/x.json')", REFUSED],
  ["SELECT * FROM read_duckdb('x')", REFUSED],
  ["SELECT * FROM sniff_csv('/etc/passwd')", REFUSED],
  ["SELECT * FROM glob('/**')", REFUSED],
  ["FROM query('SELECT 1')", REFUSED],
  ["FROM query_table('sqlite_master')", REFUSED],
  ["FROM json_execute_serialized_sql('{}')", REFUSED],
  ['SELECT * FROM duckdb_settings()', REFUSED],
  ['SELECT * FROM duckdb_secrets()', REFUSED],
  ['SELECT * FROM pragma_database_list()', REFUSED],
  ["SELECT * FROM which_secret('s3://x', 's3')", REFUSED],
  ['SELECT * FROM duckdb_logs()', REFUSED],
  ["SELECT * FROM people, main.glob('*')", REFUSED],
  ['SELECT (SELECT count(*) FROM duckdb_views())', REFUSED],
  ["SELECT * FROM people WHERE id IN (SELECT 1 FROM read_text('x'))", REFUSED],
  ["WITH a AS (FROM glob('*')) SELECT 1", REFUSED],
  ["SELECT 1 ORDER BY (SELECT max(file) FROM glob('*'))", REFUSED],
  ["SELECT 1 LIMIT (SELECT count(*) FROM glob('*'))", REFUSED],
  ["SELECT count(*) OVER (PARTITION BY (SELECT max(file) FROM glob('*')))", REFUSED],
  ["SELECT * REPLACE ((SELECT max(file) FROM glob('*')) AS id) FROM people", REFUSED],
  ["SELECT * FROM people PIVOT (max((SELECT 1 FROM glob('*'))) FOR id IN (1))", REFUSED],
  ["SELECT * FROM range((SELECT count(*) FROM glob('*')))", REFUSED],
  ["SELECT DISTINCT ON ((SELECT 1 FROM glob('*'))) 1", REFUSED],
  ["SELECT * FROM people p JOIN people q ON EXISTS (FROM glob('*'))", REFUSED],
  ["VALUES ((SELECT max(file) FROM glob('*')))", REFUSED],
  ["SELECT 1 UNION ALL SELECT count(*) FROM glob('*')", REFUSED],
  // Functions that tell about the machine, act or wait.
  ["SELECT getenv('HOME')", REFUSED],
  ["SELECT current_setting('memory_limit')", REFUSED],
  ["SELECT getvariable('x')", REFUSED],
  ["SELECT nextval('s')", REFUSED],
  ["SELECT write_log('x')", REFUSED],
  ['SELECT sleep_ms(100000)', REFUSED],
  ['SELECT pg_sleep(100)', REFUSED],
  ['SELECT setseed(0.5)', REFUSED],
  ['SELECT version()', REFUSED],
  ['SELECT "VERSION"()', REFUSED],
  ['SELECT system.main.version()', REFUSED],
  ['SELECT pg_catalog.pg_get_viewdef(1)', REFUSED],
  ['SELECT current_query()', REFUSED],
  ["SELECT json_serialize_plan('SELECT 1')", REFUSED],
  ['SELECT [version() FOR x IN [1]]', REFUSED],
  ['SELECT list_transform([1], lambda x: txid_current())', REFUSED],
  ['SELECT * FROM people WHERE name = current_database()', REFUSED],
  ['SELECT sum(id) EXPORT_STATE FROM people', REFUSED],
  ["SELECT finalize('x'::BLOB)", REFUSED],
  ['SELECT ?', REFUSED],
  ['SELECT $name', REFUSED],
  // Tables that are none of the catalogue.
  ["SELECT * FROM '/etc/passwd'", UNKNOWN],
  ["SELECT * FROM 'people.parquet'", UNKNOWN],
  ['SELECT * FROM "../x.csv"', UNKNOWN],
  ['SELECT * FROM sqlite_master', UNKNOWN],
  ['SELECT * FROM duckdb_tables', UNKNOWN],
  ['SELECT * FROM pg_catalog.pg_class', UNKNOWN],
  ['SELECT * FROM information_schema.tables', UNKNOWN],
  ['SELECT * FROM memory.main.people', UNKNOWN],
  ['SELECT * FROM main.people', UNKNOWN],
  ['SELECT * FROM system.main.sqlite_master', UNKNOWN],
  ['TABLE pg_settings', UNKNOWN],
  // Names that only seem to be in scope.
  ['SELECT * FROM (WITH t AS (SELECT 1) FROM t), t', UNKNOWN],
  ['WITH b AS (FROM a), a AS (SELECT 1) FROM b', UNKNOWN],
  ['WITH x AS (FROM x) FROM x', UNKNOWN],
  ['WITH "Ä" AS (SELECT 1) FROM "ä"', UNKNOWN],
  ['WITH RECURSIVE x AS (FROM x UNION ALL FROM x) FROM x', UNKNOWN],
  [
    'WITH RECURSIVE sqlite_master AS (SELECT name FROM sqlite_master UNION ALL FROM sqlite_master) FROM sqlite_master',
    REFUSED,
  ],
  ['WITH "people.parquet" AS (SELECT 1) FROM \'people.parquet\'', REFUSED],
  ['SELECT * FROM people AT (VERSION => 1)', REFUSED],
  // One huge value.
  ["SELECT list_aggregate(range(1000000000), 'sum')", REFUSED],
  ['SELECT len(generate_series(0, 1e9))', REFUSED],
  ['SELECT len(Range(1000000000, -1000000000, -10))', REFUSED],
  ["SELECT length(repeat('ab', 2000000000))", REFUSED],
  ["SELECT length(lpad('a', 2000000000, 'xy') || rpad('a', 20, 'xy'))", REFUSED],
  ["SELECT length(rpad('a', 2_000_000_000, 'xy'))", REFUSED],
  ['SELECT len(list_resize([1], 1000000000, 0))', REFUSED],
  ['SELECT len(array_resize([1], 1000000000))', REFUSED],
  ["SELECT bit_count(bitstring('1', 2000000000))", REFUSED],
  ["SELECT length(format('{} {:>1000000000}', 1, 2))", REFUSED],
  ["SELECT length(printf('%d %-1000000000d', 1, 2))", REFUSED],
  ["SELECT length(printf('%.1000000000f', 1.0))", REFUSED],
  ['SELECT unnest(range(1000000000)) LIMIT 3', REFUSED],
  // Too much, too deep.
  [`SELECT '${'x'.repeat(20_000)}'`, REFUSED],
  [`SELECT 1${'+1'.repeat(9000)}`, INVALID],
  [`SELECT ${'(SELECT '.repeat(2000)}1${')'.repeat(2000)}`, INVALID],
  [`SELECT ${'['.repeat(9000)}${']'.repeat(9000)}`, INVALID],
  [`${'WITH a AS ('.repeat(1200)}SELECT 1`, INVALID],
  [`SELECT 1${' UNION ALL SELECT version()'.repeat(700)}`, REFUSED],
  [`SELECT ${'CASE WHEN true THEN '.repeat(600)}version()${' END'.repeat(600)}`, REFUSED],
];

describe(`${cites('T16', 'DATA-QUERY')} a hostile statement`, () => {
  it.each(HOSTILE.map(([sql, code]) => ({ sql, code, start: sql.slice(0, 80) })))(
    'is refused: $start',
    async ({ sql, code }) => {
      const refusal = await refusalOf(ask(sql));
      expect(refusal.code).toBe(code);
      expect(refusal.message.length).toBeLessThan(400);
      expect(refusal.next).not.toBe('');
      await expectAnswers();
    },
  );

  it.each(
    [
      `SELECT ${'('.repeat(9000)}1${')'.repeat(9000)}`,
      `SELECT 1${' UNION ALL SELECT 1'.repeat(900)}`,
      `${'WITH a AS ('.repeat(800)}SELECT 1${') SELECT 1'.repeat(800)}`,
      `SELECT 1 WHERE ${'1 = 1 AND '.repeat(1900)}true`,
      `WITH ${Array.from({ length: 800 }, (_, n) => `a${n} AS (SELECT 1)`).join(', ')} FROM a799`,
    ].map((sql) => ({ sql, start: sql.slice(0, 40) })),
  )('is only long: $start', async ({ sql }) => {
    expect((await ask(sql)).rows[0]).toEqual([1]);
  });

  it.each([
    ['SELECT len(range(1700000000, 1700000100))', 100],
    ['SELECT len(range(0, 1000000000, 500000000))', 2],
    ['SELECT count(*) FROM range(30000000)', 30_000_000],
    [
      `SELECT format('{:>3}', 1000000000) || printf('%3d of 99999999', 7)`,
      '1000000000  7 of 99999999',
    ],
    ["SELECT length(format('{{123456789}} {}', 1))", 13],
    ["SELECT length(repeat('x', 100000))", 100_000],
    ["SELECT length(repeat('x', length('abc')))", 3],
  ])('is none if it has large numbers only: %s', async (sql, expected) => {
    expect((await ask(sql)).rows).toEqual([[expected]]);
  });

  it('names users and databases as words only, which say nothing', async () => {
    // The engine takes these words for functions if there is no such column.
    const { rows } = await ask('SELECT user, current_user, session_user, current_catalog');
    expect(rows).toEqual([['duckdb', 'duckdb', 'duckdb', 'memory']]);
  });

  it('leaves no file and no table behind', async () => {
    const files = await company.engine.run(
      'SELECT count(*) FROM duckdb_tables() WHERE NOT internal',
    );
    expect(files.rows).toEqual([[0]]);
  });
});

describe(`${cites('T16')} the functions of the engine`, () => {
  const RISKY =
    /current_|setting|env|variable|nextval|currval|log|secret|file|path|read|scan|glob|query|sql|seed|sleep|version|platform|database|schema|catalog|txid|transaction|pg_|duckdb|pragma|internal|privilege|inet_|user|role|stats|plan|state|combine|finalize|sort_key|description|block|type|error|extension|load|install|attach|checkpoint|storage|profil|verif|config|search/;

  it('have all been decided about where they look risky', async () => {
    const { rows } = await company.engine.run(
      `SELECT DISTINCT lower(function_name) FROM duckdb_functions()
       WHERE function_type IN ('scalar', 'aggregate', 'macro') ORDER BY 1`,
    );
    const risky = rows.map(([name]) => String(name)).filter((name) => RISKY.test(name));
    expect(risky.length).toBeGreaterThan(100);
    expect(risky.filter((name) => HARMLESS_FUNCTIONS.has(name))).toEqual([
      // The time of day, computed names of files, logarithms, readable texts, types of values.
      'current_date',
      'current_localtime',
      'current_localtimestamp',
      'formatreadabledecimalsize',
      'formatreadablesize',
      'get_current_time',
      'get_current_timestamp',
      'json_extract_path',
      'json_extract_path_text',
      'json_type',
      'log',
      'log10',
      'log2',
      'parse_dirpath',
      'parse_filename',
      'parse_path',
      'transaction_timestamp',
      'typeof',
      'uuid_extract_version',
    ]);
  });

  it('that may be used are all there', async () => {
    const { rows } = await company.engine.run(
      'SELECT DISTINCT lower(function_name) FROM duckdb_functions()',
    );
    const known = new Set(rows.map(([name]) => name));
    expect([...HARMLESS_FUNCTIONS].filter((name) => !known.has(name))).toEqual([]);
    expect([...TABLE_FUNCTIONS].filter((name) => !known.has(name))).toEqual([]);
  });
});

describe(`${cites('T26')} a statement that never ends`, () => {
  it.each([
    "SELECT length(repeat('a', 2000000000 + id)) FROM people",
    'SELECT len(range(n)) FROM (SELECT 1000000000 AS n)',
    'SELECT range(20000000 + 0)',
    `SELECT repeat('a', 40000) GLOB '${'*a'.repeat(30)}*b'`,
    "SELECT levenshtein(repeat('a', 300000), repeat('b', 300000))",
    'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n',
  ])('is ended, and the next one is answered: %s', async (sql) => {
    const delay = monitorEventLoopDelay({ resolution: 10 });
    delay.enable();
    const { code } = await refusalOf(ask(sql, 0.5));
    delay.disable();
    expect(['data_query_too_slow', 'data_query_too_large']).toContain(code);
    expect(delay.percentile(99) / 1e6).toBeLessThan(200);
    await expectAnswers();
  });

  it.each([
    ["SELECT regexp_matches(repeat('a', 100000) || '!', '(a+)+$')", false],
    ["SELECT regexp_matches(repeat('a', 100000) || '!', '^(a|aa)+$')", false],
    ["SELECT regexp_matches(repeat('a', 10000), '(.*a){25}')", true],
    ["SELECT regexp_matches(repeat('x', 100000), '(x+x+)+y')", false],
    [`SELECT repeat('a', 40000) LIKE '${'%a'.repeat(30)}%b'`, false],
  ])('is none if it is a pattern: %s', async (sql, expected) => {
    expect((await ask(sql)).rows).toEqual([[expected]]);
  });

  it('is refused if its pattern is too large', async () => {
    const { code } = await refusalOf(
      ask("SELECT regexp_matches(name, '((a{1,1000}){1,1000}){1,1000}') FROM people"),
    );
    expect(code).toBe(INVALID);
  });
});
