import { expect, test } from 'vitest';
import { createWorld, job } from './world.ts';

test('single jobs of a plan that never started cannot be retried', async () => {
  await using world = await createWorld();
  const plan = await world.create({ name: 'p', jobs: [job('one'), job('two')], paused: true });
  await world.service.control(plan, { action: 'cancel' });
  const retry = world.service.control(plan, { action: 'retry', jobs: ['one'], work: 'other' });
  await expect(retry).rejects.toMatchObject({ code: 'job_state' });
  await world.service.control(plan, { action: 'retry' });
  expect(await world.drain()).toEqual(['one', 'two']);
});

test('a retry after which nothing could run is refused', async () => {
  await using world = await createWorld();
  const plan = await world.create({ name: 'p', jobs: [job('one'), job('two', 'one')] });
  await world.service.control(plan, { action: 'cancel' });
  const retry = (...jobs: string[]) => world.service.control(plan, { action: 'retry', jobs });
  await expect(retry('two')).rejects.toMatchObject({ code: 'job_state' });
  expect(await world.stateOf(plan)).toBe('cancelled');
  expect(await world.states(plan)).toBe('one:cancelled two:cancelled');
  await retry('two', 'one');
  expect(await world.drain()).toEqual(['one', 'two']);
  expect(await world.stateOf(plan)).toBe('succeeded');
});
