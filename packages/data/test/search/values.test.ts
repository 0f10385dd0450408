import { afterAll, describe, expect, it } from 'vitest';
import { createCatalogue } from '../catalogues.ts';
import { readSpan, search } from '../search-under-test.ts';
import { createTestEngine } from '../test-engine.ts';

const made = createTestEngine();
const { engine } = made;
afterAll(() => made[Symbol.asyncDispose]());

describe('times', () => {
  it.each<[string, string, string | undefined]>([
    ['2024', '2024-01-01', '2025-01-01'],
    ['9999', '9999-01-01', '10000-01-01'],
    ['0099-02', '0099-02-01', '0099-03-01'],
    ['2024-12', '2024-12-01', '2025-01-01'],
    ['2024-02-29', '2024-02-29', '2024-03-01'],
    ['2024-05-01T12:30', '2024-05-01 12:30:00', undefined],
    ['2024-05-01 12:30:05.123456', '2024-05-01 12:30:05.123456', undefined],
    ['2024-01-01T00:30:00.5+02:00', '2023-12-31 22:30:00.5', undefined],
    ['2023-12-31T23:30:00-0130', '2024-01-01 01:00:00', undefined],
    ['2024-05-01T12:30:00z', '2024-05-01 12:30:00', undefined],
  ])('%s', (text, from, until) => {
    expect(readSpan(text)).toEqual(until === undefined ? { from } : { from, until });
  });

  it.each([
    ...['', '24', '2024-13', '2024-02-30', '2023-02-29', '2024-5-1', '05/01/2024', 'today'],
    ...['2024-05-01T24:00', '2024-05-01T12', '2024-05-01T12:60', '2024-05-01T12:30:00.1234567'],
    ...['0000-01-01T00:00+01:00', ' 2024', '2024-05-01T12:30:61'],
  ])('%j is none', (text) => {
    expect(readSpan(text)).toBeUndefined();
  });
});

describe('numbers that a double cannot hold', () => {
  const cells = [
    ['a', '9007199254740992', '1234567890123456.78', '0.1'],
    ['b', '9007199254740993', '1234567890123456.79', '0.3'],
    ['c', '9223372036854775807', '-0.01', '1e300'],
  ];
  const columns = { id: 'VARCHAR', big: 'BIGINT', exact: 'DECIMAL(18,2)', near: 'DOUBLE' };

  it.each<[object, string[]]>([
    [{ big: '9007199254740993' }, ['b']],
    [{ big: { $gt: '9007199254740992' } }, ['b', 'c']],
    [{ big: { $gt: '9007199254740992.5' } }, ['b', 'c']],
    [{ big: '9223372036854775807' }, ['c']],
    [{ big: '9223372036854775808' }, []],
    [{ big: { $lt: '9223372036854775808' } }, ['a', 'b', 'c']],
    [{ big: { $gte: '9223372036854775806.9' } }, ['c']],
    [{ big: ['+9007199254740993', '9007199254740992.0', 1.5] }, ['a', 'b']],
    [{ big: { $gt: -1e300 } }, ['a', 'b', 'c']],
    [{ exact: '1234567890123456.79' }, ['b']],
    [{ exact: '1234567890123456.790' }, ['b']],
    [{ exact: { $gt: '1234567890123456.785' } }, ['b']],
    [{ exact: { $lte: '1234567890123456.7850000000000000001' } }, ['a', 'c']],
    [{ exact: { $lt: 1e20 } }, ['a', 'b', 'c']],
    [{ exact: '-.01' }, ['c']],
    [{ near: 0.1 }, ['a']],
    [{ near: '.1' }, ['a']],
    [{ near: { $gte: '3e-1' } }, ['b', 'c']],
    [{ near: 1e300 }, ['c']],
  ])('%j', async (filters, expected) => {
    const catalogue = await createCatalogue(engine, [{ id: 'numbers', columns, cells }]);
    const { records } = await search({ catalogue, engine }, { category: 'numbers', filters });
    expect(records.map(({ values }) => values['id'])).toEqual(expected);
  });
});

it('names and values may have any characters', async () => {
  const odd = `o'd"d; -- \\ ? $1 :x 🎈`;
  const columns = {
    [odd]: 'VARCHAR',
    row: 'BIGINT',
    place: 'BIGINT',
    t0: 'BIGINT',
    x_0: 'BIGINT[]',
    j: 'JSON',
  };
  const cells = [
    [odd, 1, 1, 1, [5], { [odd]: odd }],
    ['other', 2, 2, 2, [6], { 'a/b~c': 'x' }],
  ];
  const table = { id: 'odd', table: odd, columns, cells, key: [odd] };
  const catalogue = await createCatalogue(
    engine,
    [table],
    [{ name: 'same', from: 'odd', field: odd, to: 'odd', toField: odd }],
  );
  const total = async (filters: object, more: object = {}) =>
    (await search({ catalogue, engine }, { category: 'odd', filters, ...more })).total;
  expect(await total({ [odd]: odd })).toBe(1);
  expect(await total({ [odd]: { $contains: odd } }, { sort: ['-t0'], id: odd })).toBe(1);
  expect(await total({ same: { x_0: 5, row: 1, place: { $gt: 0 } } }, { text: odd })).toBe(1);
  expect(await total({ j: { [odd]: odd } })).toBe(1);
  expect(await total({ 'j.a/b~c': 'x' })).toBe(1);
});
