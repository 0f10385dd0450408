import { createFakeClock, createFakeIds, createMemoryLog } from '@baton/testkit';
import { expect, test } from 'vitest';
import { addWork, cancelWork, findWork, openStore, retryWork } from '../src/index.ts';

test('what is tried again stays blocked while something that it needs is hopeless', async () => {
  const ports = { log: createMemoryLog(), clock: createFakeClock(), ids: createFakeIds() };
  const store = await openStore({ file: ':memory:', ...ports });
  const states = () =>
    store.read(async (db) => {
      const works = await Promise.all(['a', 'b', 'c'].map((id) => findWork({ db }, id)));
      return works.map((work) => work?.state);
    });
  const place = { workspace: '/w', queue: 'q' };
  await store.write('durable', async (tx) => {
    await addWork(tx, [
      { id: 'a', ...place },
      { id: 'b', ...place, needs: ['a'] },
      { id: 'c', ...place, needs: ['b'] },
    ]);
    await cancelWork(tx, 'a');
    await cancelWork(tx, 'b');
    await retryWork(tx, 'b');
  });
  expect(await states()).toEqual(['cancelled', 'blocked', 'blocked']);
  await store.write('durable', (tx) => retryWork(tx, 'a'));
  expect(await states()).toEqual(['ready', 'waiting', 'waiting']);
  await store.close();
});
