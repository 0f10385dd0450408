import { createFakeClock, createFakeIds, createMemoryLog } from '@baton/testkit';
import { expect, test } from 'vitest';
import { addWork, cancelWork, claimWork, openStore, retryWork } from '../src/index.ts';

test('who has lost a claim is told, even if its own process has claimed it anew', async () => {
  const ports = { log: createMemoryLog(), clock: createFakeClock(), ids: createFakeIds() };
  const store = await openStore({ file: ':memory:', ...ports });
  const holding = store.createHolding({ label: 'worker' });
  await store.write('durable', (tx) => addWork(tx, [{ id: 'a', workspace: '/w', queue: 'q' }]));
  const claim = async () => {
    const claimed = await store.write('durable', (tx) =>
      claimWork(tx, holding.holder, { queue: 'q' }),
    );
    const lease = claimed?.lease ?? expect.fail('there is nothing to claim');
    return { lease, lost: holding.keep(lease) };
  };
  const first = await claim();
  await store.write('durable', async (tx) => {
    await cancelWork(tx, 'a');
    await retryWork(tx, 'a');
  });
  const second = await claim();
  await holding.beat();
  expect([first.lost.aborted, second.lost.aborted]).toEqual([true, false]);
  // To drop the old one does not drop the new one.
  holding.drop(first.lease);
  await store.write('durable', (tx) => cancelWork(tx, 'a'));
  await holding.beat();
  expect(second.lost.aborted).toBe(true);
  holding.end();
  await store.close();
});
