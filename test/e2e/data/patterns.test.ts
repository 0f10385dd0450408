import { expect, test } from 'vitest';
import { cites } from '../requirements.ts';
import { type DataServer, dataServer, dataWorkspace } from './data-server.ts';

const LONG = `${'a'.repeat(200_000)}!`;
const PATTERNS = [
  '(a+)+$',
  '(.*a){25}',
  '(a|aa)+$',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  `${'(a?)'.repeat(500)}a{500}`,
  '(x+x+)+y',
  '.*'.repeat(400),
];
/** A pattern that is not taken, each for a reason of its own. */
const REFUSED = ['(?<=a)b', '(a)\\1', '(', 'a{1001}{1001}', 'a'.repeat(5000)];
/** Others are answered meanwhile, in so long. */
const QUICK_MS = 2000;

async function slowest(server: DataServer, meanwhile: Promise<unknown>): Promise<number> {
  let isOver = false;
  let longest = 0;
  const over = meanwhile.finally(() => {
    isOver = true;
  });
  do {
    const start = performance.now();
    await server.request('tools/list');
    await server.call('data_describe');
    longest = Math.max(longest, performance.now() - start);
  } while (!isOver);
  await over;
  return longest;
}

test(`${cites('T26')} patterns of an agent take time in proportion, and stop nobody else`, async () => {
  const rows = Array.from({ length: 20 }, (_, id) => `${id},${LONG}`);
  await using workspace = dataWorkspace({ 'long.csv': `id,text\n${rows.join('\n')}\n` });
  const server = dataServer(workspace);
  await server.ids();
  const codes: string[] = [];
  const ask = async () => {
    for (const pattern of PATTERNS) {
      const filters = { text: { $regex: pattern } };
      codes.push(await server.code('data_search', { category: 'long', filters, fields: ['id'] }));
      const sql = `SELECT count(*) FROM long WHERE regexp_matches(text, '${pattern}')`;
      codes.push(await server.code('data_query', { sql }));
    }
  };
  expect(await slowest(server, ask())).toBeLessThan(QUICK_MS);
  expect(codes).toHaveLength(PATTERNS.length * 2);
  for (const code of codes) {
    expect([
      'none',
      'data_query_too_slow',
      'data_query_too_large',
      'data_filter_invalid',
    ]).toContain(code);
  }
  expect(codes.slice(0, 4)).toEqual(['none', 'none', 'none', 'none']);
});

test(`${cites('T26')} patterns that cannot be taken are refused by name`, async () => {
  await using workspace = dataWorkspace({ 'a.csv': 'id,text\n1,abc\n' });
  const server = dataServer(workspace);
  for (const pattern of REFUSED) {
    const filters = { text: { $regex: pattern } };
    const code = await server.code('data_search', { category: 'a', filters });
    expect([pattern.slice(0, 20), code]).toEqual([pattern.slice(0, 20), 'data_filter_invalid']);
  }
});

test(`${cites('T16')} statements that read files, write, or are several are refused`, async () => {
  await using workspace = dataWorkspace({ 'a.csv': 'id,text\n1,abc\n' });
  const server = dataServer(workspace);
  for (const sql of [
    "FROM read_text('/etc/passwd')",
    "FROM '/etc/passwd'",
    "COPY a TO '/tmp/baton-canary.csv'",
    "ATTACH '/tmp/baton-canary.db'",
    'INSTALL httpfs',
    'LOAD httpfs',
    'SELECT 1; DROP VIEW a',
    'DROP VIEW a',
    'CREATE TABLE b AS FROM a',
    'PRAGMA database_list',
    'SET memory_limit = "90GB"',
    'COMMIT; DROP VIEW a',
    "SELECT getenv('HOME')",
    'FROM duckdb_settings()',
    "EXPORT DATABASE '/tmp/baton-canary'",
    'CALL pragma_version()',
  ]) {
    const { isError, structuredContent } = await server.result('data_query', { sql });
    expect([sql, isError, structuredContent.code]).toEqual([
      sql,
      true,
      expect.stringMatching(/^data_/),
    ]);
  }
  for (const filters of [
    { "id'; DROP VIEW a; --": 1 },
    { id: { $drop: 1 } },
    { $where: 'true' },
    { 'text" = text OR "text': 'x' },
  ]) {
    expect(await server.code('data_search', { category: 'a', filters })).toMatch(/^data_/);
  }
  const values = ["'; DROP VIEW a; --", "abc' OR 'a'='a", '%', '_bc'];
  for (const value of values) {
    const { total } = await server.call('data_search', { category: 'a', filters: { text: value } });
    expect([value, total]).toEqual([value, 0]);
  }
  expect(await server.values('SELECT text FROM a')).toEqual(['abc']);
});
