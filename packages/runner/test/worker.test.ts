import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createWorkers, KeepAwake, type OnPoint } from '@baton/runner';
import { createMemoryLog } from '@baton/testkit';
import { expect, test, vi } from 'vitest';
import { createPlace, realClock, statesOf } from './place.ts';

test('runs what there is, and leaves', async () => {
  await using place = await createPlace();
  await place.create([
    { id: 'one', work: 'true' },
    { id: 'two', work: 'true', needs: ['one'] },
  ]);
  expect(await place.worker().run()).toBe(true);
  expect(await statesOf(place.store)).toEqual(['succeeded', 'succeeded']);
  expect((await place.store.health()).leases).toEqual([]);
});

test('looking for lost work again and again is no work', async () => {
  await using place = await createPlace();
  expect(await place.worker({ lookMs: 20, idleMs: 300 }).run()).toBe(true);
});

test('there is one worker; a second has nothing to do', async () => {
  await using place = await createPlace();
  const first = place.worker({ idleMs: 60_000 });
  const working = first.run();
  await vi.waitFor(async () => {
    expect((await place.store.health()).leases).toHaveLength(1);
  });
  expect(await place.worker().run()).toBe(false);
  first.leave();
  expect(await working).toBe(true);
});

test('a worker that is told to leave gives back what runs', async () => {
  await using place = await createPlace();
  await place.create([{ id: 'one', work: 'sleep 300' }]);
  const worker = place.worker({ idleMs: 60_000 });
  const working = worker.run();
  await vi.waitFor(async () => expect(await statesOf(place.store)).toEqual(['running']));
  worker.leave();
  await working;
  expect(await statesOf(place.store)).toEqual(['ready']);
});

test('a worker that waits starts what is added', async () => {
  await using place = await createPlace();
  const worker = place.worker({ idleMs: 60_000 });
  const working = worker.run();
  await vi.waitFor(async () => {
    expect((await place.store.health()).leases).toHaveLength(1);
  });
  await place.create([{ id: 'one', work: 'true' }]);
  await vi.waitFor(async () => expect(await statesOf(place.store)).toEqual(['succeeded']), 10_000);
  worker.leave();
  await working;
});

test.each([
  ['nothing else runs', []],
  ['another job runs', [{ id: 'slow', work: 'while [ ! -e open ]; do sleep 0.05; done' }]],
])('a try that comes due while the worker looks for one is not missed: %s', async (_, others) => {
  let passed = 0;
  await using place = await createPlace({ ...realClock, now: () => Date.now() + passed });
  const tries = path.join(place.folder, 'tries');
  const work = 'echo x >> tries; [ $(wc -l < tries) -gt 1 ]';
  await place.create([...others, { id: 'flaky', work, retry: 1 }]);
  let reads = Number.NEGATIVE_INFINITY;
  const onPoint: OnPoint = (point, job) => {
    if (point === 'settled' && job === 'flaky') reads = 0;
  };
  const read = place.store.read.bind(place.store);
  vi.spyOn(place.store, 'read').mockImplementation((body) => {
    // The first time, the change that the worker has made itself still wakes it up.
    reads += 1;
    if (reads === 2) passed += 60 * 60 * 1000;
    return read(body);
  });
  const worker = place.worker({ idleMs: 60_000, onPoint });
  const working = worker.run();
  await vi.waitFor(() => expect(readFileSync(tries, 'utf8')).toBe('x\nx\n'), 10_000);
  writeFileSync(path.join(place.folder, 'open'), '');
  worker.leave();
  await working;
});

test('the machine is kept awake from the first job to the last, also while one waits for its next try', async () => {
  await using place = await createPlace();
  const calls: string[] = [];
  const awake = new KeepAwake(createMemoryLog(), ['cat'], 0);
  vi.spyOn(awake, 'begin').mockImplementation(() => void calls.push('begin'));
  vi.spyOn(awake, 'end').mockImplementation(() => void calls.push('end'));
  const work = 'echo x >> tries; [ $(wc -l < tries) -gt 1 ]';
  await place.create([
    { id: 'flaky', work, retry: 1 },
    { id: 'after', work: 'true', needs: ['flaky'] },
  ]);
  expect(await place.worker({ awake }).run()).toBe(true);
  expect(await statesOf(place.store)).toEqual(['succeeded', 'succeeded']);
  expect(calls.join(' ')).toMatch(/^begin begin begin( end)+$/);
});

test('a worker is started only if there is work that nobody runs', async () => {
  await using place = await createPlace();
  let started = 0;
  const workers = createWorkers({
    store: place.store,
    log: createMemoryLog(),
    mode: 'auto',
    start: async () => {
      started += 1;
      return undefined;
    },
  });
  await workers.ensure();
  expect(started).toBe(0);
  const { id } = await place.create([{ id: 'one', work: 'true' }]);
  await place.service.control(id, { action: 'pause' });
  await workers.ensure();
  expect(started).toBe(0);
  await place.service.control(id, { action: 'resume' });
  await workers.ensure();
  await workers.ensure();
  expect(started).toBe(1);
});

test('what keeps a worker from starting is told', async () => {
  await using place = await createPlace();
  const options = { store: place.store, log: createMemoryLog() };
  const start = () => Promise.reject(new Error('no such program'));
  const broken = createWorkers({ ...options, mode: 'auto', start });
  await place.create([{ id: 'one', work: 'true' }]);
  await broken.ensure();
  expect(await broken.problem()).toContain('no such program');
  const off = createWorkers({ ...options, mode: 'off', start });
  await off.ensure();
  expect(await off.problem()).toContain('BATON_WORKER=off');
});
