import path from 'node:path';
import { createFakeClock, createFakeIds, createMemoryLog, temporaryFolder } from '@baton/testkit';
import { expect, test } from 'vitest';
import { openStore } from '../src/index.ts';
import { defineQuery } from '../src/query.ts';

async function openStoreIn(folder: string) {
  const store = await openStore({
    file: path.join(folder, 'baton.db'),
    log: createMemoryLog(),
    clock: createFakeClock(),
    ids: createFakeIds(),
  });
  return Object.assign(store, { [Symbol.asyncDispose]: () => store.close() });
}

test('a query is run with the values of each call', async () => {
  using folder = temporaryFolder();
  await using store = await openStoreIn(folder.path);
  const insert = defineQuery((db, { name, value }: { name: string; value: string }) =>
    db.insertInto('meta').values({ name, value }),
  );
  const namesWith = defineQuery((db, { value, least }: { value: string; least: string }) =>
    db
      .selectFrom('meta')
      .select('name')
      .where('value', 'in', ['always', value])
      .where('name', '>=', least)
      .orderBy('name'),
  );

  await store.write('relaxed', async (tx) => {
    await insert(tx, { name: 'a', value: 'one' });
    await insert(tx, { value: 'two', name: 'b' });
    await insert(tx, { name: 'c', value: 'always' });
  });
  const found = await store.read(async (tx) => [
    await namesWith(tx, { value: 'one', least: 'a' }),
    await namesWith(tx, { value: 'two', least: 'a' }),
    await namesWith(tx, { value: 'one', least: 'b' }),
  ]);

  expect(found).toEqual([
    [{ name: 'a' }, { name: 'c' }],
    [{ name: 'b' }, { name: 'c' }],
    [{ name: 'c' }],
  ]);
});

test('a query is built once, for all transactions of all stores of a kind', async () => {
  using folder = temporaryFolder();
  using otherFolder = temporaryFolder();
  let built = 0;
  const count = defineQuery((db, _: object) => {
    built += 1;
    return db.selectFrom('meta').select(({ fn }) => fn.countAll<number>().as('rows'));
  });
  await using store = await openStoreIn(folder.path);
  await using other = await openStoreIn(otherFolder.path);

  for (let run = 0; run < 3; run += 1) await store.write('relaxed', (tx) => count(tx, {}));
  const rows = await other.write('relaxed', (tx) => count(tx, {}));
  expect(built).toBe(1);
  expect(rows).toEqual([{ rows: 1 }]);
});

test('a query that outlives its transaction is refused', async () => {
  using folder = temporaryFolder();
  await using store = await openStoreIn(folder.path);
  const names = defineQuery((db, _: object) => db.selectFrom('meta').select('name'));
  const late = await store.write('relaxed', async (tx) => tx);

  await expect(names(late, {})).rejects.toThrow('already');
});
