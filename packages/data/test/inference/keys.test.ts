import { afterAll, beforeAll, expect, test } from 'vitest';
import { type InferredTable, infer, quoteName } from '../inference-under-test.ts';
import { createTestEngine } from '../test-engine.ts';
import { makeTable, type Records, seeded, times } from './make-tables.ts';

let place: ReturnType<typeof createTestEngine>;
beforeAll(() => {
  place = createTestEngine();
});
afterAll(() => place[Symbol.asyncDispose]());

async function inferOne(table: string, records: Records): Promise<InferredTable> {
  await place.engine.run(`DROP TABLE IF EXISTS ${quoteName(table)}`);
  const { tables } = await infer([await makeTable(place.engine, table, records)], place.engine);
  const inferred = tables.get(table);
  if (!inferred) throw new Error(`There is no ${table}.`);
  return inferred;
}

const { between, day } = seeded(61);

test.each<[string, string, Records, string[]]>([
  ['an id', 'people', times(9, (n) => ({ email: `p${n}@example.com`, id: n })), ['id']],
  [
    'the id of the table before another',
    'orders',
    times(9, (n) => ({ invoice_id: 90 - n, order_id: n })),
    ['order_id'],
  ],
  [
    'a number by its name',
    'Rechnung',
    times(9, (n) => ({ RECHNR: `00${n}`, betrag: n * 1.5 })),
    ['RECHNR'],
  ],
  [
    'an address if there is nothing else',
    'members',
    times(9, (n) => ({ email: `m${n}@example.com`, city: 'Oslo' })),
    ['email'],
  ],
  [
    'a name if there is nothing else',
    'teams',
    times(9, (n) => ({ name: `Team ${n}`, head_id: between(1, 3) })),
    ['name'],
  ],
  [
    'the first field of codes',
    'stations',
    times(9, (n) => ({ call: `LA${n}X`, power: n })),
    ['call'],
  ],
])('the key is %s', async (_, table, records, key) => {
  expect((await inferOne(table, records)).key).toEqual(key);
});

test.each<[string, Records]>([
  ['measures', times(30, (n) => ({ weight: n * 3, price: n + 0.5 }))],
  [
    'dates and years',
    times(30, (n) => ({ year: 1980 + n, on: `2025-01-${n < 10 ? '0' : ''}${n}` })),
  ],
  [
    'free texts',
    times(30, (n) => ({ remark: `It was the day with the number ${n}, and a long one at that.` })),
  ],
  ['ids that occur twice', times(30, (n) => ({ id: 1 + (n % 29), value: n * 2 }))],
  ['ids that are missing once', times(30, (n) => ({ id: n === 7 ? null : n, value: n * 2 }))],
  [
    'postcodes and numbers of houses',
    times(30, (n) => ({ zip_code: `0${1000 + n}`, house_no: n })),
  ],
])('%s are no key', async (_, records) => {
  expect((await inferOne('things', records)).key).toEqual([]);
});

test('fields are a key together only if that is no chance', async () => {
  const lines = times(20, (n) => n).flatMap((order) =>
    times(between(2, 4), (n) => ({ order_id: order * 10, line_no: n, article_id: between(1, 9) })),
  );
  expect(await inferOne('lines', lines)).toMatchObject({
    key: ['order_id', 'line_no'],
    inferred: ['key order_id + line_no: unique together'],
  });
  const few = times(12, (n) => ({
    a_id: between(1, 900) + n,
    b_id: between(1, 900),
    c_id: 1 + (n % 11),
  }));
  const sales = [...few, ...few.map((one) => ({ ...one, c_id: one.c_id + 20, a_id: one.a_id }))];
  expect((await inferOne('sales', sales)).key).toEqual([]);
  const readings = times(10, (n) => n).flatMap((sensor) =>
    times(12, (n) => ({
      sensor_id: sensor,
      taken_on: `2025-${n < 10 ? '0' : ''}${n}-01`,
      value: between(1, 5),
    })),
  );
  expect((await inferOne('readings', readings)).key).toEqual(['sensor_id', 'taken_on']);
});

test('labels are what people say, the best first and at most three', async () => {
  const people = times(20, (n) => ({
    id: n,
    email: `p${n}@example.com`,
    first_name: n % 2 ? 'Ada' : 'Bo',
    last_name: `Surname ${n}`,
    staff_code: `S-${n}`,
    bio: `${'A long story. '.repeat(9)}${n}`,
    city: n % 3 ? 'Oslo' : 'Rome',
    born: day(1990),
  }));
  expect((await inferOne('staff', people)).labels).toEqual([
    'last_name',
    'first_name',
    'staff_code',
  ]);
  const named = people.map((one) => ({ ...one, full_name: `${one.first_name} ${one.last_name}` }));
  expect((await inferOne('staff', named)).labels).toEqual(['full_name', 'last_name', 'first_name']);
  const groups = times(20, (n) => ({ id: n, name: n % 2 ? 'odd' : 'even' }));
  expect((await inferOne('groups', groups)).labels).toEqual([]);
});

test('a table is described by its file and what matters in it', async () => {
  const wide = times(3, (n) => ({
    z9: n * 1.5,
    z8: n * 2.5,
    z7: n * 3.5,
    z6: n * 4.5,
    z5: n * 5.5,
    z4: n * 6.5,
    z3: n * 7.5,
    'odd\nname': n * 8.5,
    id: n,
  }));
  expect((await inferOne('wide', wide)).description).toBe(
    '3 records of wide.csv: z9, z8, z7, z6, z5, z4, z3, id and 1 more.',
  );
  expect((await inferOne('one', [{ 'odd\nname': 1.5 }])).description).toBe(
    '1 record of one.csv: odd\\nname.',
  );
});
