import { BatonError } from '@baton/core';
import { loseJob, settleTicketJob, type TicketResult } from '@baton/plans/jobs';
import { createWorkers } from '@baton/runner';
import { expireLeases, LeaseWatch, type Store } from '@baton/store';
import { createMemoryLog } from '@baton/testkit';
import { expect, test, vi } from 'vitest';
import { createPlace, realClock, statesOf } from './place.ts';

const ask = {
  id: 'ask',
  needs: ['count'],
  work: { type: 'ticket' as const, title: `Look at \${count.n} places` },
};
const count = { id: 'count', work: 'echo n=3 >> $BATON_OUTPUT' };
const after = { id: 'after', work: 'true', needs: ['ask'] };
const done: TicketResult = { kind: 'succeeded', outputs: {} };

const settle = (store: Store) =>
  store.write('durable', (tx) => settleTicketJob(tx, 'ticket-1', done));

test('a worker hands a job over and leaves; another goes on when the ticket is over', async () => {
  await using place = await createPlace();
  const { id } = await place.create([count, ask, after]);
  expect(await place.worker().run()).toBe(true);
  expect(await statesOf(place.store)).toEqual(['succeeded', 'parked', 'waiting']);
  expect(place.opened).toMatchObject([
    { title: 'Look at 3 places', by: `job ask of plan ${id}`, workspace: place.folder },
  ]);
  expect((await place.store.health()).leases).toEqual([]);
  expect(await settle(place.store)).toBe(id);
  await place.worker().run();
  expect(await statesOf(place.store)).toEqual(['succeeded', 'succeeded', 'succeeded']);
});

test('a worker that lives goes on as soon as the ticket is over', async () => {
  await using place = await createPlace();
  await place.create([count, ask, after]);
  const worker = place.worker({ idleMs: 60_000 });
  const working = worker.run();
  const are = (...states: string[]) =>
    vi.waitFor(async () => expect(await statesOf(place.store)).toEqual(states), 10_000);
  await are('succeeded', 'parked', 'waiting');
  await settle(place.store);
  await are('succeeded', 'succeeded', 'succeeded');
  worker.leave();
  await working;
});

test('what waits takes no place of the limit of all jobs, and no worker is started for it', async () => {
  await using place = await createPlace();
  const tickets = ['one', 'two', 'three'].map((id) => ({ ...ask, id, needs: ['count'] }));
  await place.create([count, ...tickets, { ...after, needs: ['count'] }]);
  await place.worker({ userLimit: 1 }).run();
  expect((await statesOf(place.store)).sort()).toEqual([
    ...['parked', 'parked', 'parked'],
    ...['succeeded', 'succeeded'],
  ]);
  const start = vi.fn(async () => undefined);
  const log = createMemoryLog();
  await createWorkers({ store: place.store, log, mode: 'auto', start }).ensure();
  expect(start).not.toHaveBeenCalled();
  await settle(place.store);
});

test('a worker that dies before the ticket is there leaves a job that is tried again', async () => {
  await using place = await createPlace();
  await place.create([{ ...ask, needs: [], work: { ...ask.work, title: 'Look' } }]);
  const worker = place.worker({
    onPoint() {
      throw new Error('dead');
    },
  });
  await expect(worker.run()).rejects.toThrow('dead');
  expect(await statesOf(place.store)).toEqual(['running']);
  const watch = new LeaseWatch(realClock, { self: '', isDead: () => true });
  await expireLeases(place.store, watch, loseJob);
  await place.worker().run();
  expect(await statesOf(place.store)).toEqual(['parked']);
  expect(place.opened).toHaveLength(1);
});

test('what the store cannot take now is tried again, and what no ticket can be made of fails', async () => {
  await using place = await createPlace();
  const errors = [
    new BatonError('store_full', 'The disk is full.', 'Make room.'),
    undefined,
    new BatonError('tickets_unavailable', 'There are none.', 'Do without.'),
    new BatonError('tickets_unavailable', 'There are none.', 'Do without.'),
  ];
  const open = vi.fn(async () => {
    const error = errors.shift();
    if (error) throw error;
    return { id: 'ticket-1', ref: 'T-1' };
  });
  const tickets = { open, cancel: async () => {} };
  const again = { ...ask, id: 'again', needs: ['good'] };
  const good = { ...ask, id: 'good', needs: [], work: { ...ask.work, title: 'Look' } };
  const { id } = await place.create([good, { ...again, work: good.work }]);
  await place.worker({ tickets }).run();
  expect(await statesOf(place.store)).toEqual(['parked', 'waiting']);
  await settle(place.store);
  await place.worker({ tickets }).run();
  expect(await statesOf(place.store)).toEqual(['succeeded', 'failed']);
  const call = { signal: AbortSignal.abort(), draining: AbortSignal.abort(), progress: () => {} };
  const { failed } = await place.service.look({ plan: id, view: 'summary' }, call);
  expect(failed).toEqual([
    {
      job: 'again',
      reason: 'ticket_failed',
      message: 'No ticket could be made: There are none. Do without.',
      attempts: 1,
    },
  ]);
});

test('an output that nobody wrote keeps the ticket from being made', async () => {
  await using place = await createPlace();
  await place.create([{ ...count, work: 'true' }, ask]);
  await place.worker().run();
  expect(await statesOf(place.store)).toEqual(['succeeded', 'failed']);
  expect(place.opened).toEqual([]);
});
