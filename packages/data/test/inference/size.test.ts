import { expect, test } from 'vitest';
import {
  type Engine,
  type Field,
  infer,
  quoteText,
  type TableFacts,
} from '../inference-under-test.ts';
import { createTestEngine } from '../test-engine.ts';
import { makeTable, seeded, times } from './make-tables.ts';

test('two hundred tables are compared in a few statements', async () => {
  await using place = createTestEngine();
  const { between, one } = seeded(51);
  const syllables = [
    'ba',
    'do',
    'fi',
    'ga',
    'ku',
    'le',
    'mo',
    'nu',
    'pa',
    'ri',
    'so',
    'tu',
    've',
    'zo',
  ];
  const names = new Set<string>();
  while (names.size < 200) names.add(`${one(syllables)}${one(syllables)}${one(syllables)}ks`);
  const facts: TableFacts[] = [];
  const expected: string[] = [];
  for (const table of names) {
    const parent = facts.length > 0 ? one(facts) : undefined;
    const other = facts.length > 0 ? one(facts) : undefined;
    const leadsTo = parent && { [`${parent.id.slice(0, -1)}_id`]: 1 };
    const made = times(12, (n) => ({
      id: n,
      code: `${table}-${n}`,
      status: one(['open', 'done']),
      quantity: between(1, 12),
      ...(leadsTo && { [Object.keys(leadsTo)[0] ?? '']: between(1, 12) }),
      ...(other && { other: `${other.id}-${between(1, 12)}` }),
    }));
    facts.push(await makeTable(place.engine, table, made));
    if (parent && other) {
      expected.push(`${table}.${parent.id.slice(0, -1)}_id → ${parent.id}.id`);
      expected.push(`${table}.other → ${other.id}.code`);
    }
  }
  let statements = 0;
  const counting: Engine = {
    run: (sql, options) => {
      statements += 1;
      return place.engine.run(sql, options);
    },
  };
  const { relations } = await infer(facts, counting);
  const found = relations.map(
    ({ from, field, to, toField }) => `${from}.${field} → ${to}.${toField}`,
  );
  expect(found.sort()).toEqual(expected.sort());
  expect(statements).toBeLessThanOrEqual(6);
});

test('what does not fit into memory is left out, and the rest is found', async () => {
  await using place = createTestEngine({ memoryMegabytes: 40 });
  const rows = 400_000;
  const large = async (table: string, field: string, value: string): Promise<TableFacts> => {
    const file = quoteText(`${place.folder}/${table}.parquet`);
    await place.engine.run(
      `COPY (SELECT ${value} AS ${field} FROM range(${rows})) TO ${file} (ROW_GROUP_SIZE 20000)`,
    );
    await place.engine.run(`CREATE VIEW ${table} AS FROM read_parquet(${file})`);
    const about: Field = {
      name: field,
      type: 'text',
      sqlType: 'VARCHAR',
      aliases: [],
      missing: 0,
      distinct: rows,
      isUnique: true,
      top: [],
      notes: [],
    };
    return {
      id: table,
      table,
      name: table,
      aliases: [],
      from: table,
      fields: [about],
      rows,
      declared: {},
    };
  };
  const code = `md5(range::VARCHAR) || md5((range + 1)::VARCHAR)`;
  const teams = times(9, (n) => ({ id: `team-${n}`, name: `Team ${n}` }));
  const people = times(30, (n) => ({ id: n, team_id: `team-${1 + (n % 9)}` }));
  const facts = [
    await large('parcels', 'parcel_code', code),
    await large('scans', 'parcel_code', code),
    await makeTable(place.engine, 'teams', teams),
    await makeTable(place.engine, 'people', people),
  ];
  const { relations } = await infer(facts, place.engine);
  expect(relations.map(({ from, to }) => `${from} → ${to}`)).toEqual(['people → teams']);
});
