import { keepUp } from '@baton/store';
import { expect, test } from 'vitest';
import { prunePlans } from '../src/removing.ts';
import { createWorld, failed, job, lose, reap, type World } from './world.ts';

const DAY = 24 * 60 * 60 * 1000;

/** As hourly upkeep finds it after so many days. */
async function keepUpAfter(world: World, days: number): Promise<void> {
  world.clock.advance(days * DAY);
  for (let hour = 0; hour < 2; hour += 1) {
    await keepUp(world.store, { prunings: async () => [prunePlans] });
    world.clock.advance(DAY / 24);
  }
}

async function rows(world: World, table: 'work' | 'plans' | 'plan_jobs' | 'plan_attempts') {
  const { count } = await world.store.read(({ db }) =>
    db
      .withTables<Record<string, object>>()
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  );
  return Number(count);
}

test('a plan that ended 90 days ago is gone with everything that belongs to it', async () => {
  await using world = await createWorld();
  const old = await world.create({ name: 'old', jobs: [job('one'), job('two', 'one')] });
  const bad = await world.create({ name: 'bad', jobs: [{ ...job('red'), retry: 0 }] });
  await world.service.control(bad, { action: 'pause' });
  await world.drain();
  await world.service.control(bad, { action: 'resume' });
  await world.end(await world.begin(), failed);
  await world.service.control(bad, { action: 'archive' });
  await keepUpAfter(world, 89);
  expect(await rows(world, 'plans')).toBe(2);
  await keepUpAfter(world, 2);
  await expect(world.stateOf(old)).rejects.toMatchObject({ code: 'plan_unknown' });
  for (const table of ['plans', 'plan_jobs', 'plan_attempts', 'work'] as const) {
    expect(await rows(world, table), table).toBe(0);
  }
});

test('what may still be wanted is kept, however old it is', async () => {
  await using world = await createWorld();
  const jobs = [{ ...job('one'), retry: 'never' as const }];
  const lost = await world.create({ name: 'lost', jobs });
  await lose(world, (await world.begin()).claim.work.id);
  const kept = [
    await world.create({ name: 'draft', jobs, draft: true }),
    await world.create({ name: 'paused', jobs, paused: true }),
    await world.create({ name: 'runs', jobs: [job('one'), job('two')] }),
  ];
  await world.end(await world.begin());
  await keepUpAfter(world, 400);
  expect(await Promise.all([...kept, lost].map((plan) => world.stateOf(plan)))).toEqual([
    'draft',
    'pending',
    'running',
    'failed',
  ]);
  // Its processes may still have run; now they are known to be gone.
  await reap(world);
  await keepUpAfter(world, 1);
  expect(await rows(world, 'plans')).toBe(3);
});
