import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createOrdersRepository } from '../src/index.ts';
import { emptyOrder, withLines } from './sample-orders.ts';

const shippedFile = fileURLToPath(new URL('../data/orders.json', import.meta.url));
let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'acme-orders-'));
  file = path.join(folder, 'orders.json');
});

afterEach(() => rm(folder, { recursive: true }));

test('an order comes back as it was saved, from a file that did not exist', async () => {
  const order = withLines(emptyOrder, ['SPR-010', 3]);
  assert.deepEqual(await createOrdersRepository(file).list(), []);
  await createOrdersRepository(file).save(order);
  assert.deepEqual(await createOrdersRepository(file).get('T-1'), order);
});

test('saving an order that did not change leaves the file as it was', async () => {
  await cp(shippedFile, file);
  const orders = createOrdersRepository(file);
  await orders.save(await orders.get('A-1004'));
  assert.equal(await readFile(file, 'utf8'), await readFile(shippedFile, 'utf8'));
});

test('saves at the same time keep every order and leave no draft behind', async () => {
  const orders = createOrdersRepository(file);
  const ids = ['T-1', 'T-2', 'T-3', 'T-4'];
  await Promise.all(ids.map((id) => orders.save({ ...emptyOrder, id })));
  assert.deepEqual(
    (await orders.list()).map((order) => order.id),
    ids,
  );
  assert.deepEqual(await readdir(folder), ['orders.json']);
});

test('an unknown order is an error', async () => {
  await assert.rejects(createOrdersRepository(file).get('A-9999'), { code: 'UNKNOWN_ORDER' });
});

test('a damaged file is refused and not overwritten', async () => {
  const orders = createOrdersRepository(file);
  const damaged = ['{', '{}', '[null]', JSON.stringify([{ ...emptyOrder, state: 'lost' }])];
  for (const text of damaged) {
    await writeFile(file, text);
    await assert.rejects(orders.list(), { code: 'INVALID_FILE' });
    await assert.rejects(orders.save(emptyOrder), { code: 'INVALID_FILE' });
    assert.equal(await readFile(file, 'utf8'), text);
  }
});
