import { cites } from '@baton/e2e/requirements';
import { describe, expect, it } from 'vitest';
import { insights } from '../insights-under-test.ts';
import { catalogueOfTables } from '../query/catalogue-of-tables.ts';
import { createNumbers, day, recordsSql, round } from './records.ts';

const TABLES = Number(process.env['NOISE_TABLES'] ?? 20);
const FIRST_SEED = Number(process.env['NOISE_SEED'] ?? 1);

/** Nothing in it has to do with anything else. */
function noise(seed: number) {
  const numbers = createNumbers(seed);
  const records = Array.from({ length: 60 + numbers.integer(500) }, (_, at) => ({
    id: at + 1,
    height: round(170 + 10 * numbers.normal()),
    income: round(Math.exp(8 + numbers.normal())),
    visits: numbers.integer(12),
    share: round(numbers.uniform(), 4),
    grade: numbers.uniform() < 0.2 ? null : round(numbers.normal(), 3),
    city: numbers.pick(['Oslo', 'Bergen', 'Lyon', 'Nice', 'Bonn', 'Ulm', 'Graz']),
    kind: numbers.pick(['a', 'a', 'a', 'b', 'c']),
    isPaid: numbers.integer(3) === 0,
    colour: numbers.uniform() < 0.1 ? null : numbers.pick(['red', 'green', 'blue']),
    partnerId: 1 + numbers.integer(25),
    bought: day(numbers.integer(900)),
    seen: day(numbers.integer(40)),
  }));
  const partners = Array.from({ length: 25 }, (_, at) => ({
    id: at + 1,
    name: `Partner ${at + 1}`,
    size: round(100 * numbers.uniform()),
    region: numbers.pick(['north', 'south']),
  }));
  return { records, partners };
}

const TYPES = {
  id: 'BIGINT',
  height: 'DOUBLE',
  income: 'DECIMAL(18,2)',
  visits: 'BIGINT',
  share: 'DOUBLE',
  grade: 'DOUBLE',
  city: 'VARCHAR',
  kind: 'VARCHAR',
  isPaid: 'BOOLEAN',
  colour: 'VARCHAR',
  partnerId: 'BIGINT',
  bought: 'DATE',
  seen: 'DATE',
};
const PARTNER_TYPES = { id: 'BIGINT', name: 'VARCHAR', size: 'DOUBLE', region: 'VARCHAR' };

describe(`${cites('DATA-INSIGHTS')} noise`, () => {
  it(`has no associations or trends, but in one of 20 tables (from seed ${FIRST_SEED})`, async () => {
    const seeds = Array.from({ length: TABLES }, (_, at) => FIRST_SEED + at);
    const tables = seeds.map((seed) => ({ seed, ...noise(seed) }));
    await using made = await catalogueOfTables(
      tables.flatMap(({ seed, records, partners }) => [
        { table: `noise${seed}`, sql: recordsSql(TYPES, records) },
        { table: `partners${seed}`, sql: recordsSql(PARTNER_TYPES, partners) },
      ]),
      tables.map(({ seed, records }) => ({
        name: 'partner',
        from: `noise${seed}`,
        field: 'partnerId',
        to: `partners${seed}`,
        toField: 'id',
        cardinality: 'one' as const,
        found: records.length,
        dangling: 0,
      })),
    );
    const misled: string[] = [];
    for (const { seed } of tables) {
      const { findings, tests } = await insights(made.catalogue, made.engine, {
        category: `noise${seed}`,
        limit: 50,
        today: '2026-06-30',
      });
      expect(tests).toBeGreaterThan(30);
      const wrong = findings.filter(({ kind }) => kind === 'association' || kind === 'trend');
      if (wrong.length > 0) misled.push(`${seed}: ${wrong.map(({ what }) => what).join(' ')}`);
    }
    expect(misled.length, misled.join('\n')).toBeLessThanOrEqual(TABLES / 20);
  }, 600_000);
});
