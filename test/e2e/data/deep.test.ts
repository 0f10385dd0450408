import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { cites } from '../requirements.ts';
import {
  checked,
  dataServer,
  dataWorkspace,
  MOST_OF_ENGINE,
  MOST_RESIDENT,
  mostResident,
} from './data-server.ts';

const DEEP = 200_000;
const WIDE = 1_000_000;
const PET = { 'pets.csv': 'animal\nwalrus\n' };

const nested = (open: string, close: string, depth = DEEP) =>
  `${open.repeat(depth)}1${close.repeat(depth)}`;

/** Keys that fall into one place of a table that hashes by the sum of letters. */
function colliding(count: number): string[] {
  return Array.from({ length: count }, (_, n) =>
    [...n.toString(2).padStart(16, '0')].map((bit) => (bit === '1' ? 'Aa' : 'BB')).join(''),
  );
}

test(`${cites('T27')} deep and wide records are refused by name, and others are there`, async () => {
  const wide = Array.from({ length: WIDE }, (_, n) => `"k${n}":1`).join(',');
  await using workspace = dataWorkspace({
    ...PET,
    'deep-list.json': nested('[', ']'),
    'deep-object.json': `[${nested('{"a":', '}')}]`,
    'deep-line.ndjson': `{"a":${nested('[', ']')}}\n`,
    'open.json': '['.repeat(DEEP),
    'wide.json': `[{${wide}}]`,
    'wide.ndjson': `{${wide}}\n`,
    'wide.csv': `${Array.from({ length: WIDE }, (_, n) => `c${n}`).join(',')}\n`,
  });
  const server = dataServer(workspace);
  expect(await server.ids()).toEqual(['pets']);
  const told = (await checked(workspace)).join('\n');
  for (const name of ['deep-list.json', 'deep-object.json', 'deep-line.ndjson', 'open.json']) {
    expect(told).toContain(`${name}:1: error: This is nested more than 100 deep.`);
  }
  for (const name of ['wide.json', 'wide.ndjson', 'wide.csv']) {
    expect(told).toMatch(
      new RegExp(`${name}:1: error: (?:This has more than 1000 fields|Its first line is longer)`),
    );
  }
  expect(mostResident(server.pid)).toBeLessThan(MOST_RESIDENT);
  for (const engine of server.engines()) {
    expect(mostResident(engine)).toBeLessThan(MOST_OF_ENGINE);
  }
});

test(`${cites('T27')} deep, wide and referring declarations are bounded, and nothing is fetched`, async () => {
  const keys = colliding(20_000).map((key) => `"${key}":1`);
  let visitors = 0;
  const listener = createServer((socket) => {
    visitors += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const reference = { $ref: `http://127.0.0.1:${port}/schema.json` };
  await using workspace = dataWorkspace({
    ...PET,
    'a/records.csv': 'id\n1\n',
    'a/schema.json': JSON.stringify({ properties: { id: reference }, allOf: [reference] }),
    'b/records.csv': 'id\n1\n',
    'b/schema.json': JSON.stringify({ $ref: '#', properties: { id: { $ref: '#' } } }),
    'c/records.csv': 'id\n1\n',
    'c/schema.json': `{"allOf":${nested('[{"allOf":', '}]', 50_000)}}`,
    'd/records.csv': 'id\n1\n',
    'd/category.json': `{"fields":{${keys.join(',')}}}`,
    'e/records.csv': 'id\n1\n',
    'e/relationships.json': nested('{"a":', '}', 50_000),
    'collisions.json': `[{"id":1,"of":{${keys.join(',')}}}]`,
  });
  const server = dataServer(workspace);
  const ids = await server.ids();
  expect(ids).toEqual(expect.arrayContaining(['a', 'b', 'c', 'collisions', 'pets']));
  for (const category of ids) await server.call('data_describe', { category });
  const told = (await checked(workspace)).join('\n');
  for (const name of ['a/schema.json', 'c/schema.json', 'e/relationships.json']) {
    expect(told).toContain(`${name}:`);
  }
  listener.close();
  expect(visitors).toBe(0);
  expect(mostResident(server.pid)).toBeLessThan(MOST_RESIDENT);
});

test(`${cites('T27', 'T16')} filters that are deep or many are refused, and the server goes on`, async () => {
  await using workspace = dataWorkspace(PET);
  const server = dataServer(workspace);
  const deep = (levels: number): object =>
    Array.from({ length: levels }).reduce<object>((inside) => ({ $not: inside }), { animal: 'x' });
  const many = Array.from({ length: 20_000 }, () => ({ animal: 'x' }));
  for (const filters of [
    deep(1000),
    { $or: many },
    { animal: { $in: Array(100_000).fill('x') } },
  ]) {
    expect(await server.code('data_search', { category: 'pets', filters })).toMatch(/^data_/);
  }
  // As much as a message may hold, and more.
  const filters = `{"$or":[${Array(1_000_000).fill('{"a":1}').join(',')}]}`;
  server.program.write(
    `{"jsonrpc":"2.0","id":"many","method":"tools/call","params":{"name":"data_search","arguments":{"category":"pets","filters":${filters}}}}\n`,
  );
  const refused = await server.program.until('a refusal', () =>
    server.program.replies.find(({ id, error }) => id === 'many' || (error && id === null)),
  );
  expect(refused.error ?? refused.result.isError).toBeTruthy();
  expect(await server.ids()).toEqual(['pets']);
  expect(mostResident(server.pid)).toBeLessThan(MOST_RESIDENT);
});
