import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { DataWorld, problemsOf } from './data-world.ts';

const CANARY = 'canary-5150';
const SECRET = { secret: true };

/** Categories in every format, each with a field whose values are for nobody. */
function withSecrets(): DataWorld {
  return new DataWorld({
    'people/category.json': JSON.stringify({ fields: { SSN: SECRET } }),
    'people/records.csv': `id,name,ssn\n1,Ann,${CANARY}-1\n2,Bob,"${CANARY}\n-2"\n3,Cleo\n4,Dan,x,${CANARY}-4\n`,
    'people/schema.json': JSON.stringify({
      properties: { ssn: { type: 'integer' }, name: { type: 'string' } },
    }),
    'people/examples/ann.json': JSON.stringify([
      { id: 1, ssn: `${CANARY}-1`, in: [{ ssn: CANARY }] },
    ]),
    'tokens.json': JSON.stringify([
      { id: 1, Token: `${CANARY}-5`, kind: 'a' },
      { id: 2, Token: { of: `${CANARY}-6` }, kind: 'b' },
    ]),
    'lines.ndjson': `{"id":1,"token":"${CANARY}-7"}\n{"id":2,"token":"${CANARY}-8}\n`,
    'latin.tsv': Buffer.from(`id\tname\ttoken\n1\tJos\xe9\t${CANARY}-9\n`, 'latin1'),
    'catalog.yaml': ['tokens', 'lines', 'latin'].reduce(
      (text, name) => `${text}  ${name}: {fields: {token: {secret: true}}}\n`,
      'categories:\n',
    ),
  });
}

it('[T13] values of secret fields are in no answer, log or file', async () => {
  using world = withSecrets();
  const service = world.service();
  const told: unknown[] = [await service.overview(), await service.check()];
  const failed = async (asking: Promise<unknown>) =>
    asking.then(
      (answer) => answer,
      (error: Error) => [String(error), error, (error as { next?: string }).next],
    );
  for (const category of ['people', 'tokens', 'lines', 'latin']) {
    told.push(
      await service.describe(category),
      await service.read(category),
      await service.insights({ category, limit: 30 }),
      await service.search({ category }),
      await service.search({ category, text: 'canary' }),
      await service.search({ category, id: '1', connections: true }),
      await service.query({ sql: `SELECT * FROM ${category}` }),
      await failed(service.query({ sql: `SELECT token, ssn FROM ${category}` })),
      await failed(service.search({ category, filters: { token: { $regex: '.' } } })),
      await failed(service.search({ category, fields: ['ssn'] })),
      await failed(service.search({ category, sort: ['ssn'] })),
    );
  }
  told.push(await service.search({ text: 'canary' }));
  const said = JSON.stringify(told);
  expect(said).toContain('Cleo');
  expect(said).not.toContain(CANARY);
  expect(JSON.stringify(world.log.entries)).not.toContain(CANARY);
  expect(world.state()).toContain('Cleo');
  expect(world.state()).not.toContain(CANARY);
});

it('[T13] a field that becomes secret leaves all answers and, in time, the state', async () => {
  using world = new DataWorld({ 'people.csv': `id,ssn\n1,${CANARY}\n` });
  let now = Date.now();
  const clock = { now: () => now, monotonic: () => performance.now() };
  const service = world.service({ clock });
  expect(JSON.stringify(await service.describe('people'))).toContain(CANARY);
  world.write('catalog.yaml', 'categories: {people: {fields: {ssn: {secret: true}}}}');
  expect(JSON.stringify(await service.describe('people'))).not.toContain(CANARY);
  now += 8 * 24 * 60 * 60 * 1000;
  world.write('more.csv', 'id\n1\n');
  await service.overview();
  expect(world.state()).not.toContain(CANARY);
});

it('[T13] of fields that are called the same, all are secret', async () => {
  using world = new DataWorld({
    'people.csv': `id,ssn,SSN,ssn\n1,${CANARY},${CANARY},${CANARY}\n`,
    'staff.json': JSON.stringify([{ id: 1, ssn: CANARY, Ssn: CANARY }]),
    'catalog.yaml': `categories: {people: {fields: {ssn: {secret: true}}}, staff: {fields: {SSN: {secret: true}}}}`,
  });
  const service = world.service();
  for (const category of ['people', 'staff']) {
    expect((await service.describe(category)).fields.map(({ name }) => name)).toEqual(['id']);
  }
  expect(await problemsOf(service)).toEqual([]);
  expect(world.state()).not.toContain(CANARY);
});

it('[T13] a secret field that no record has is told: its name may be misspelt', async () => {
  using world = new DataWorld({
    'people.csv': 'id,ssn\n1,2\n',
    'catalog.yaml': 'categories: {people: {fields: {sssn: {secret: true}}}}',
  });
  expect(await problemsOf(world.service())).toEqual([
    'data/people.csv:1 warning: No record has a field sssn, which is said to be secret.',
  ]);
});

it('[T13] records of secret fields only are refused', async () => {
  using world = new DataWorld({
    'keys.csv': `key\n${CANARY}\n`,
    'catalog.yaml': 'categories: {keys: {fields: {key: {secret: true}}}}',
  });
  mkdirSync(world.cache, { recursive: true });
  expect(await problemsOf(world.service())).toEqual([
    'data/keys.csv:1 error: All of its fields are secret.',
  ]);
  expect(world.state()).not.toContain(CANARY);
});

it('[T13] what may say which fields are secret and cannot be read withholds the records', async () => {
  using world = new DataWorld({
    'people/records.csv': `id,ssn\n1,${CANARY}\n`,
    'shop/orders.csv': `id,card\n1,${CANARY}\n`,
  });
  writeFileSync(path.join(world.home, 'category.json'), '{"fields":{"ssn":{"secret":true}}}');
  symlinkSync(path.join(world.home, 'category.json'), world.file('people/category.json'));
  world.write('shop/catalog.yaml', 'categories: {orders: {fields: {card: {secret: true}');
  const service = world.service();
  const told = [await service.overview(), await problemsOf(service)];
  expect(JSON.stringify(told)).toContain('This is left out until people/category.json can be read');
  expect(JSON.stringify(told)).toContain('This is left out until shop/catalog.yaml can be read');
  expect((await service.overview()).categories).toEqual([]);
  expect(JSON.stringify(told)).not.toContain(CANARY);
});

it('[T13] what a killed process was reading is removed by the next one', async () => {
  using world = new DataWorld({ 'people.csv': 'id,name\n1,Ann\n' });
  mkdirSync(world.cache, { recursive: true });
  const { pid = 0 } = spawnSync(process.execPath, ['--version']);
  writeFileSync(path.join(world.cache, `new-${pid}-left`), CANARY);
  writeFileSync(path.join(world.cache, `new-${process.pid}-at-work`), 'still being read');
  await world.service().overview();
  expect(world.state()).not.toContain(CANARY);
  expect(world.state()).toContain('still being read');
});
