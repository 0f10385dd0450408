import { createFakeClock, createFakeIds, createMemoryLog } from '@baton/testkit';
import { expect, test } from 'vitest';
import {
  addWork,
  claimWork,
  completeWork,
  eventsAfter,
  newestEvent,
  openStore,
} from '../src/index.ts';

test('who waits for another queue is told of what has become ready in it', async () => {
  const ports = { log: createMemoryLog(), clock: createFakeClock(), ids: createFakeIds() };
  const store = await openStore({ file: ':memory:', ...ports });
  const { holder } = store.createHolding({ label: 'worker' });
  await store.write('durable', (tx) =>
    addWork(tx, [
      { id: 'build', workspace: '/a', queue: 'jobs' },
      { id: 'land', workspace: '/b', queue: 'landing', needs: ['build'] },
    ]),
  );
  const before = await store.read((db) => newestEvent({ db }));
  await store.write('durable', async (tx) => {
    const claim = await claimWork(tx, holder, { queue: 'jobs' });
    if (claim) await completeWork(tx, claim);
  });
  const { events } = await store.read((db) => eventsAfter({ db }, before));
  expect(events.map(({ workspace, topic }) => `${workspace} ${topic}`)).toEqual([
    '/a queue/jobs',
    '/b queue/landing',
  ]);
  await store.close();
});
