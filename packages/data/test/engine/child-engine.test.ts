import { setTimeout as after } from 'node:timers/promises';
import { cites } from '@baton/e2e/requirements';
import { afterAll, describe, expect, it } from 'vitest';
import { EngineError, quoteText } from '../engine-under-test.ts';
import { createTestEngine } from '../test-engine.ts';

const { engine, folder, ...made } = createTestEngine();
afterAll(() => made[Symbol.asyncDispose]());

async function failure(running: Promise<unknown>): Promise<string> {
  try {
    await running;
  } catch (error) {
    if (error instanceof EngineError) return error.failure;
    throw error;
  }
  return 'none';
}

describe(`${cites('DATA-ENGINE', 'T16')} the engine in a process of its own`, () => {
  it('answers with cells', async () => {
    const { columns, rows, isCut } = await engine.run(
      `SELECT 1 AS i, 9007199254740993::BIGINT AS big, 12.50::DECIMAL(18,2) AS money,
        12345678901234567.89::DECIMAL(20,2) AS much, DATE '2024-05-01' AS d,
        TIMESTAMP '2024-05-01 12:30:00' AS t, [1, NULL] AS l, {'a': 1} AS s,
        '{"x": [1, "007"]}'::JSON AS j, '\\x00\\xFF'::BLOB AS b, 'nan'::DOUBLE AS n, NULL AS nothing,
        MAP {'k': 2} AS m, true AS yes`,
    );
    expect(rows).toEqual([
      [
        1,
        '9007199254740993',
        12.5,
        '12345678901234567.89',
        '2024-05-01',
        '2024-05-01T12:30:00',
        [1, null],
        { a: 1 },
        { x: [1, '007'] },
        '\\x00ff',
        'NaN',
        null,
        [{ key: 'k', value: 2 }],
        true,
      ],
    ]);
    expect(columns[2]).toEqual({ name: 'money', type: 'DECIMAL(18,2)' });
    expect(isCut).toBe(false);
  });

  it('binds values', async () => {
    const values = ["'; DROP TABLE x", 7, 2.5, true, null];
    const { rows } = await engine.run('SELECT ?, ? + 1, ? * 2, ?, ?', { values });
    expect(rows).toEqual([["'; DROP TABLE x", 8, 5, true, null]]);
  });

  it('stops at the rows that are wanted, of however many', async () => {
    const { rows, isCut } = await engine.run('SELECT * FROM range(1000000000000)', { rows: 3 });
    expect({ rows, isCut }).toEqual({ rows: [[0], [1], [2]], isCut: true });
  });

  it('stops at what fits, however large its texts are', async () => {
    const { rows, isCut } = await engine.run(`SELECT repeat('x', 400000) FROM range(1000)`);
    expect(isCut).toBe(true);
    expect(rows.length).toBe(20);
  });

  it('says what is wrong with a statement', async () => {
    await expect(engine.run('SELECT nothing_like_it')).rejects.toThrow(/nothing_like_it/);
    expect(await failure(engine.run('SELEC'))).toBe('statement');
  });

  it('interrupts what takes too long, and goes on', async () => {
    const endless = 'SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b';
    expect(await failure(engine.run(endless, { seconds: 0.2 }))).toBe('time');
    expect((await engine.run('SELECT 1')).rows).toEqual([[1]]);
  });

  it('ends what cannot be interrupted, and whoever ran beside it gets an answer', async () => {
    const stubborn = engine.run(`SELECT len(range(300000000))`, { seconds: 0.2 });
    const beside = engine.run(
      'SELECT count(*) FROM range(15000) a, range(15000) b WHERE (a.range * b.range) % 7 = 1',
    );
    expect(await failure(stubborn)).toBe('time');
    // 15,000 = 7 × 2142 + 6: of numbers that leave 1 to 5 there are 2143, that leave 6 are 2142.
    expect((await beside).rows).toEqual([[5 * 2143 * 2143 + 2142 * 2142]]);
  });

  it('can be cancelled, while it runs and while it waits', async () => {
    const endless = 'SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b';
    const stop = new AbortController();
    const all = [1, 2, 3, 4].map(() => failure(engine.run(endless, { signal: stop.signal })));
    await after(50);
    stop.abort();
    expect(await Promise.all(all)).toEqual(Array(4).fill('cancelled'));
    expect((await engine.run('SELECT 1')).rows).toEqual([[1]]);
  });

  it('fails for memory, whether the engine counts it or not', async () => {
    const counted = 'SELECT list(range) FROM range(500000000)';
    expect(await failure(engine.run(counted))).toBe('memory');
    const uncounted = `SELECT length(string_agg(repeat('x', 1000000), '')) FROM range(3000)`;
    expect(await failure(engine.run(uncounted))).toBe('memory');
    expect((await engine.run('SELECT 1')).rows).toEqual([[1]]);
  });

  it('reads and writes files of its folder and no others', async () => {
    const inside = quoteText(`${folder}/a.parquet`);
    await engine.run(`COPY (SELECT 1 AS a) TO ${inside} (FORMAT parquet)`);
    expect((await engine.run(`FROM ${inside}`)).rows).toEqual([[1]]);
    for (const sql of [
      `FROM read_text('/etc/passwd')`,
      `FROM read_text(${quoteText(`${folder}/../engine.mjs`)})`,
      `COPY (SELECT 1) TO '/tmp/canary.csv'`,
      `ATTACH '/tmp/canary.db'`,
      'INSTALL httpfs',
      'LOAD httpfs',
      'SET enable_external_access = true',
      `SET allowed_directories = ['/']`,
    ]) {
      expect([sql, await failure(engine.run(sql))]).toEqual([sql, 'statement']);
    }
  });

  it('makes views once, and again after a new start', async () => {
    const views = { key: 'one', sql: 'CREATE OR REPLACE VIEW v AS SELECT 1 AS a' };
    const others = { key: 'two', sql: 'CREATE OR REPLACE VIEW v AS SELECT 2 AS a' };
    const answers = await Promise.all(
      [views, others, views].map((which) => engine.run('FROM v', {}, which)),
    );
    expect(answers.map(({ rows }) => rows)).toEqual([[[1]], [[2]], [[1]]]);
    engine.close();
    expect((await engine.run('FROM v', {}, views)).rows).toEqual([[1]]);
    const wrong = engine.run(
      'SELECT 1',
      {},
      { key: 'three', sql: 'CREATE VIEW w AS FROM nowhere' },
    );
    expect(await failure(wrong)).toBe('statement');
    expect((await engine.run('SELECT 1')).rows).toEqual([[1]]);
  });

  it('says so if the engine is not installed', async () => {
    await using without = createTestEngine({ packagesOf: ['/nowhere/at/all.js'] });
    expect(await failure(without.engine.run('SELECT 1'))).toBe('missing');
  });
});
