import { expect, test } from 'vitest';
import { infer, quoteName } from '../inference-under-test.ts';
import { createTestEngine } from '../test-engine.ts';
import { makeTable, type Records, seeded, times } from './make-tables.ts';

const TABLES = `apples rivers poems storms lamps votes planets songs bridges coins films trees meals
  parks trains fossils stamps rockets lakes castles games dances clouds wines bees hats islands
  proteins statues tunnels`.split(/\s+/);

/** Values of columns that occur in every second export, and lead nowhere. */
function columns(seed: number): ((row: number) => { readonly [field: string]: number | string })[] {
  const { between, one, day } = seeded(seed);
  const most = between(3, 60);
  return [
    () => ({ year: between(1950, 2025) }),
    () => ({ quantity: between(1, 40) }),
    () => ({ zip: between(1000, 99_999) }),
    () => ({ zip_code: String(between(1, 99_999)).padStart(5, '0') }),
    () => ({ group: between(1, 4) }),
    () => ({ class: between(1, 3) }),
    () => ({ rank: between(1, most) }),
    () => ({ batch_no: between(1, 12) }),
    () => ({ user_id: between(1, most) }),
    () => ({ source_id: between(1, 5) }),
    () => ({ level: between(1, 9) }),
    () => ({ grade: one(['A', 'B', 'C', 'D']) }),
    () => ({ status: one(['open', 'closed', 'done']) }),
    () => ({ colour: one(['red', 'green', 'blue', 'black', 'white', 'grey']) }),
    () => ({ seen_on: day(2024) }),
    () => ({ phone: `+47 ${between(10_000_000, 99_999_999)}` }),
    () => ({ line: between(1, 20) }),
    () => ({ position: between(1, 100) }),
    () => ({ is_new: between(0, 1) }),
    () => ({ price: between(100, 9000) / 100 }),
    (row) => ({ name: `${one(['Big', 'Old', 'New', 'Red'])} ${row}` }),
    (row) => ({ remark: `Number ${row} was looked at again` }),
  ];
}

function randomTables(seed: number): [string, Records][] {
  const { between, some } = seeded(seed);
  return TABLES.map((table, at) => {
    const makers = some(columns(seed * 100 + at), between(3, 8));
    const records = times(between(5, 120), (row) =>
      Object.assign({ id: row }, ...makers.map((make) => make(row))),
    );
    return [table, records];
  });
}

test.each(Array.from({length:60},(_,i)=>i+1))(
  'thirty tables with serial ids have no relations (seed %i)',
  async (seed) => {
    await using place = createTestEngine();
    const facts = [];
    for (const [table, records] of randomTables(seed)) {
      facts.push(await makeTable(place.engine, table, records));
    }
    const { relations, tables } = await infer(facts, place.engine);
    expect(relations).toEqual([]);
    expect([...tables.values()].map(({ key }) => key)).toEqual(facts.map(() => ['id']));
  },
);

const BUSINESS = `customers orders products employees departments invoices shipments payments
  suppliers stores projects tasks users accounts tickets vehicles patients visits courses students
  teachers rooms buildings contracts assets devices sensors readings events campaigns`.split(/\s+/);
const NO_FIELDS_OF_THEM =
  `session_id batch_id cohort group wave class tier grade band zone sector lane
  bay slot shelf bin rack lot_no run_id trial_id plot block unit_no apartment floor kids score stars
  votes clicks days hours age year week rank level severity risk_class credits stage step phase
  version_no attempt page line pos type kind status flag mode channel source medium colour size
  region_code lang currency weekday shift sex salutation position_no external_ref legacy_id tracking
  model_no`.split(/\s+/);

/** Small numbers, padded ones, ones from where ids start, letters and words. */
function randomColumn(seed: number, start: number): () => number | string {
  const { between, one } = seeded(seed);
  const most = one([3, 5, 9, 20, 60, 200]);
  return one([
    () => between(1, most),
    () => start - 1 + between(1, most),
    () => String(between(1, most)).padStart(3, '0'),
    () => one(['A', 'B', 'C', 'D', 'E', 'F', 'G']),
    () => one(['red', 'blue', 'north', 'south', 'open', 'closed', 'gold']),
  ]);
}

test.each(Array.from({length:60},(_,i)=>i+1))('fields of other things lead to none of these (seed %i)', async (seed) => {
  await using place = createTestEngine();
  const { between, one, some } = seeded(seed * 7919);
  const facts = [];
  for (const table of some(BUSINESS, 20)) {
    const start = one([1, 1, 1, 100, 1000, 1001, 10_001]);
    const fields = some(NO_FIELDS_OF_THEM, between(3, 9)).map(
      (field) => [field, randomColumn(between(1, 1e9), start)] as const,
    );
    const records = times(between(5, 150), (row) => ({
      id: start - 1 + row,
      ...Object.fromEntries(fields.map(([field, next]) => [field, next()])),
    }));
    facts.push(await makeTable(place.engine, table, records));
  }
  expect((await infer(facts, place.engine)).relations).toEqual([]);
});

test('a column without values, a table without records and one without columns lead nowhere', async () => {
  await using place = createTestEngine();
  const facts = [
    await makeTable(place.engine, 'people', [
      { id: 'p1', boss: null },
      { id: 'p2', boss: null },
    ]),
    { ...(await makeTable(place.engine, 'teams', [{ id: 'x', people_id: 'p1' }])), rows: 0 },
  ];
  await place.engine.run(`DELETE FROM ${quoteName('teams')}`);
  const empty = facts.map((one) =>
    one.id === 'teams'
      ? { ...one, fields: one.fields.map((field) => ({ ...field, distinct: 0, top: [] })) }
      : one,
  );
  const { relations, tables } = await infer(
    [
      ...empty,
      { ...(facts[0] as (typeof facts)[0]), id: 'none', table: 'none', fields: [], rows: 0 },
    ],
    place.engine,
  );
  expect(relations).toEqual([]);
  expect(tables.get('teams')).toMatchObject({
    key: [],
    labels: [],
    description: '0 records of teams.csv: id, people_id.',
  });
  expect(tables.get('none')?.description).toBe('0 records of people.csv.');
});
