import { cites } from '@baton/e2e/requirements';
import { afterAll, describe, expect, it } from 'vitest';
import { quoteText } from '../engine-under-test.ts';
import { createTestEngine } from '../test-engine.ts';
import { readRecords } from './load-under-test.ts';

const made = createTestEngine();
afterAll(() => made[Symbol.asyncDispose]());

const read = (content: unknown, rules = {}, name = 'some.json') =>
  readRecords(made, name, typeof content === 'string' ? content : JSON.stringify(content), rules);

describe(`${cites('DATA-TYPES')} JSON`, () => {
  it('reads a list, lines, and an object of records by their ids', async () => {
    const list = await read([{ id: 1, name: 'Ada' }, { id: 2 }]);
    expect(list.rows).toEqual([
      [1, 'Ada'],
      [2, null],
    ]);
    const lines = await read('{"id":1,"name":"Ada"}\n\n{"id":2}\n', {}, 'some.ndjson');
    expect(lines.rows).toEqual(list.rows);
    const byId = await read({ p1: { name: 'Ada' }, p2: { name: 'Bob' } });
    expect(byId.rows).toEqual([
      ['p1', 'Ada'],
      ['p2', 'Bob'],
    ]);
    expect(Object.keys(byId.fields)).toEqual(['id', 'name']);
    const withIds = await read({ p1: { id: 'p1', name: 'Ada' } });
    expect(withIds.rows).toEqual([['p1', 'Ada']]);
    const wrapped = await read({ exported: '2024-01-01', people: [{ id: 7 }] });
    expect(wrapped.rows).toEqual([[7]]);
    const linesByAnotherName = await read('{"id":1}\n{"id":2}\n');
    expect(linesByAnotherName.rows).toEqual([[1], [2]]);
    await expect(read([])).rejects.toThrow('It holds no records');
  });

  it('keeps the types that JSON has', async () => {
    const { fields, rows } = await read(
      '[{"zip":"007","big":12345678901234567890,"n":1.50,"i":3,"b":true,"when":"2024-05-01","at":"2024-05-01T10:00:00Z","none":null},{"zip":"1","n":2,"i":-4}]',
    );
    expect(Object.fromEntries(Object.values(fields).map(({ name, type }) => [name, type]))).toEqual(
      {
        zip: 'text',
        big: 'number',
        n: 'number',
        i: 'integer',
        b: 'boolean',
        when: 'date',
        at: 'timestamp',
        none: 'text',
      },
    );
    expect(rows[0]).toEqual([
      '007',
      12345678901234567000,
      1.5,
      3,
      true,
      '2024-05-01',
      '2024-05-01T10:00:00',
      null,
    ]);
    expect(rows[1]).toEqual(['1', null, 2, -4, null, null, null, null]);
  });

  it('keeps lists, objects and mixed values', async () => {
    const { fields, rows } = await read([
      { tags: ['a', null, 'b'], scores: [1, 2.5], address: { city: 'Oslo' }, mixed: 1 },
      { tags: [], scores: [], address: null, mixed: 'x' },
    ]);
    expect(rows).toEqual([
      [['a', null, 'b'], [1, 2.5], { city: 'Oslo' }, 1],
      [[], [], null, 'x'],
    ]);
    expect(fields['tags']).toMatchObject({ type: 'list', sqlType: 'VARCHAR[]' });
    expect(fields['mixed']).toMatchObject({ type: 'json', notes: ['mixed: 1 numbers, 1 texts'] });
  });

  it('tells keys apart that differ in case, or look like paths or prototypes', async () => {
    const { fields, rows } = await read(
      '[{"a":1,"A":2,"a/b":3,"~":4,"$.x":5,"__proto__":6,"constructor":7}]',
    );
    expect(rows).toEqual([[1, 2, 3, 4, 5, 6, 7]]);
    expect(Object.keys(fields)).toContain('A_2');
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('finds fields that only late records have', async () => {
    const records = [...Array(3000).keys()].map((id) => ({
      id,
      ...(id === 2999 && { late: 'x' }),
    }));
    const { fields } = await read(records);
    expect(Object.keys(fields)).toEqual(['id', 'late']);
    expect(fields['late']).toMatchObject({ missing: 2999 });
  });

  it('reports what is no JSON, and what is no record', async () => {
    await expect(read('[{"a":1},{"a":]')).rejects.toThrow(/not JSON that can be read/);
    const lines = await read('{"a":1}\nnonsense\n[1]\n{"a":2}\n', {}, 'some.jsonl');
    expect(lines.rows).toEqual([[1], [2]]);
    expect(lines.remarks).toEqual([
      '1: 1 lines are no JSON and are left out.',
      '1: 1 values are no objects and are left out.',
    ]);
    await expect(read([1, 2])).rejects.toThrow('It holds no records');
    await expect(read('')).rejects.toThrow('This is empty.');
    await expect(read('"text"')).rejects.toThrow('It holds no records');
  });

  it('keeps texts to the letter, also those that look like JSON', async () => {
    const texts = [
      'null',
      '',
      ' ',
      '"',
      '""',
      '"x"',
      'a"b',
      '\\',
      '\\"',
      'x\n\ty',
      'é\u2028😀',
      '{}',
      '[',
      '1',
    ];
    const { rows } = await read([...texts, null, undefined].map((text, at) => ({ at, text })));
    expect(rows.map(([, text]) => text)).toEqual([...texts, null, null]);
    const escaped = await read(
      String.raw`[{"a":"\u00e9\u0022\/"},{"a":"\ud83d\ude00"},{"a":null}]`,
    );
    expect(escaped.rows).toEqual([['é"/'], ['😀'], [null]]);
    const numbers = await read('[{"n":1.50},{"n":-0.25},{"n":null},{"n":1e2}]');
    expect(numbers.rows).toEqual([[1.5], [-0.25], [null], [100]]);
  });

  it('leaves lines out that were cut off, however many', async () => {
    const cut = '{"a":{"b":["c';
    const { rows, remarks } = await read(`${`${cut}\n`.repeat(200)}{"a":1}\n`, {}, 'some.ndjson');
    expect(rows).toEqual([[1]]);
    expect(remarks).toEqual(['1: 200 lines are no JSON and are left out.']);
  });

  it('leaves out what is secret', async () => {
    const { fields } = await read([{ id: 1, pin: '1234' }], { secret: new Set(['pin']) });
    expect(Object.keys(fields)).toEqual(['id']);
  });
});

describe('Parquet', () => {
  it('keeps what the file says', async () => {
    const file = `${made.folder}/source.parquet`;
    await made.engine.run(`COPY (SELECT 1::UTINYINT AS small, 12.345::DECIMAL(9,3) AS d, 'x' AS t,
      TIMESTAMPTZ '2024-05-01 12:00:00+02' AS at, [1, 2] AS l, {'a': 1} AS s, '\\x01'::BLOB AS b,
      18446744073709551615::UBIGINT AS huge, TIME '12:00' AS time, uuid() AS u, MAP {'k': 1} AS m)
      TO ${quoteText(file)} (FORMAT parquet)`);
    const { readFileSync } = await import('node:fs');
    const { fields, rows } = await readRecords(made, 'some.parquet', readFileSync(file));
    expect(Object.values(fields).map(({ type }) => type)).toEqual([
      'integer',
      'number',
      'text',
      'timestamp',
      'list',
      'json',
      'binary',
      'text',
      'text',
      'text',
      'json',
    ]);
    expect(rows[0]?.slice(0, 8)).toEqual([
      1,
      12.345,
      'x',
      '2024-05-01T10:00:00',
      [1, 2],
      { a: 1 },
      '\\x01',
      '18446744073709551615',
    ]);
  });

  it('refuses what is none', async () => {
    await expect(readRecords(made, 'some.parquet', 'PAR1 nonsense PAR1')).rejects.toThrow(
      /no Parquet/,
    );
  });
});
