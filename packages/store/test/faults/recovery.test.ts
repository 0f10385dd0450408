import { readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cites } from '@baton/e2e/requirements';
import { temporaryFolder } from '@baton/testkit';
import { expect, test } from 'vitest';
import { openHere, refusalOf } from './open-here.ts';
import { addPair, readPairs } from './pairs.ts';

/** As the error says: the file moved away with what belongs to it, and a backup in its place. */
/** As a person does it: never between two steps that this process takes at once. */
async function putInPlace(backup: string, file: string): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
  renameSync(file, `${file}.damaged`);
  renameSync(backup, file);
}

test(`${cites('T20')} a store that cannot be opened works again with a backup in its place`, async () => {
  using folder = temporaryFolder();
  const file = path.join(folder.path, 'store.db');
  const backup = path.join(folder.path, 'backup.db');
  const store = await openHere(file);
  await addPair(store, 'a');
  await store.backup(backup);
  await addPair(store, 'b');
  await store.close();
  truncateSync(file, 8192);
  expect((await refusalOf(() => openHere(file)))?.code).toBe('store_corrupt');

  await putInPlace(backup, file);
  const again = await openHere(file);
  expect(await readPairs(again)).toEqual(['a']);
  await addPair(again, 'c');
  expect(await readPairs(again)).toEqual(['a', 'c']);
  expect(await again.check()).toEqual([]);
  await again.close();
});

test.each(['read', 'write'] as const)(
  `${cites('T20')} an open store that is damaged goes on with a backup: first a %s`,
  async (first) => {
    using folder = temporaryFolder();
    const file = path.join(folder.path, 'store.db');
    const backup = path.join(folder.path, 'backup.db');
    const before = await openHere(file);
    for (const key of ['a', 'b', 'c']) await addPair(before, key, 20_000);
    await before.backup(backup);
    await before.close();
    const bytes = readFileSync(file);
    writeFileSync(file, Buffer.concat([bytes.subarray(0, 32_768), bytes.subarray(32_768).fill(0)]));

    const store = await openHere(file);
    const read = () => readPairs(store);
    const write = () => addPair(store, 'd', 20_000);
    expect((await refusalOf(read))?.code).toBe('store_corrupt');
    await putInPlace(backup, file);
    // Once it is said that the file is another one, so that nobody goes on with what it remembers.
    const use = first === 'read' ? read : write;
    expect(await refusalOf(use)).toMatchObject({
      code: 'store_replaced',
      message: expect.stringContaining('nothing was changed'),
      next: expect.stringContaining('Try again'),
    });
    await write();
    expect(await read()).toEqual(['a', 'b', 'c', 'd']);
    expect(await store.check()).toEqual([]);
    await store.close();
  },
);

test('whoever reads is not cut off when the connections are made anew', async () => {
  using folder = temporaryFolder();
  const file = path.join(folder.path, 'store.db');
  const backup = path.join(folder.path, 'backup.db');
  const store = await openHere(file);
  await addPair(store, 'a');
  await store.backup(backup);
  let goOn = () => {};
  const wait = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let begun = () => {};
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const reading = store.read(async ({ db }) => {
    const first = await db.selectFrom('work').select('id').execute();
    begun();
    await wait;
    return [first, await db.selectFrom('work').select('id').execute()];
  });
  await hasBegun;
  await putInPlace(backup, file);
  const writing = refusalOf(() => addPair(store, 'b'));
  const queued = refusalOf(() => readPairs(store));
  goOn();
  expect(await reading).toEqual([[{ id: 'a' }], [{ id: 'a' }]]);
  expect((await writing)?.code).toBe('store_replaced');
  expect([undefined, 'store_replaced']).toContain((await queued)?.code);
  await addPair(store, 'c');
  expect(await readPairs(store)).toEqual(['a', 'c']);
  await store.close();
});

test('a backup is made while somebody reads', async () => {
  using folder = temporaryFolder();
  const backup = path.join(folder.path, 'backup.db');
  const store = await openHere(path.join(folder.path, 'store.db'));
  await addPair(store, 'a');
  let begun = () => {};
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const reading = store.read(async ({ db }) => {
    await db.selectFrom('work').select('id').execute();
    begun();
    await new Promise((resolve) => setImmediate(resolve));
    return db.selectFrom('work').select('id').execute();
  });
  await hasBegun;
  await store.backup(backup);
  expect(await reading).toEqual([{ id: 'a' }]);
  await store.close();
  const copy = await openHere(backup);
  expect(await readPairs(copy)).toEqual(['a']);
  await copy.close();
});
