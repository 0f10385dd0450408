import { expect, test } from 'vitest';
import { createWorld, failed, job, lose, NEVER, reap, succeeded } from './world.ts';

test('whoever comes late is refused as such, also when the plan is gone', async () => {
  await using world = await createWorld();
  const plan = await world.create({ name: 'p', jobs: [{ ...job('one'), retry: 'never' }] });
  const claimed = await world.begin();
  await lose(world, claimed.claim.work.id);
  await reap(world);
  await world.service.control(plan, { action: 'delete' });
  await expect(world.end(claimed, succeeded)).rejects.toMatchObject({ code: 'lease_lost' });
});

test('what was not the job’s fault takes none of its retries', async () => {
  await using world = await createWorld();
  const plan = await world.create({ name: 'p', jobs: [{ ...job('one'), retry: 1 }] });
  for (const reason of ['log_failed', 'exit_code'] as const) {
    await world.end(await world.begin(), { kind: 'failed', reason, message: '' });
    expect(await world.states(plan)).toBe('one:ready');
    world.clock.advance(60_000);
  }
  await world.end(await world.begin(), failed);
  expect(await world.states(plan)).toBe('one:failed');
});

test('each attempt says what has triggered it', async () => {
  await using world = await createWorld();
  const plan = await world.create({ name: 'p', jobs: [{ ...job('one'), retry: 1 }] });
  const next = async () => {
    world.clock.advance(60_000);
    return world.begin();
  };
  await world.end(await next(), { kind: 'released', hasRun: true });
  await world.end(await next(), { kind: 'failed', reason: 'start_no_resources', message: '' });
  await world.end(await next(), failed);
  await lose(world, (await next()).claim.work.id);
  await world.service.control(plan, { action: 'retry' });
  await world.end(await next());
  const look = { plan, view: 'attempts', job: 'one' } as const;
  const { attempts = [] } = await world.service.look(look, NEVER);
  expect(attempts.map(({ trigger }) => trigger).reverse()).toEqual([
    'first',
    'rerun',
    'again',
    'again',
    'retry',
  ]);
});

test('what must not run twice is not given to another worker once it has begun', async () => {
  await using world = await createWorld();
  const plan = await world.create({ name: 'p', jobs: [{ ...job('one'), retry: 'never' }] });
  await world.end(await world.begin(), { kind: 'released', hasRun: false });
  expect(await world.states(plan)).toBe('one:ready');
  await world.end(await world.begin(), { kind: 'released', hasRun: true });
  expect(await world.states(plan)).toBe('one:failed');
  const { failure } = await world.service.look({ plan, view: 'failure' }, NEVER);
  expect(failure?.jobs[0]).toMatchObject({ reason: 'worker_lost', attempts: 2 });
});

test('who succeeds although a person wants it to fail has nothing to explain', async () => {
  await using world = await createWorld();
  const plan = await world.create({ name: 'p', jobs: [job('one')] });
  const claimed = await world.begin();
  const why = { action: 'fail', jobs: ['one'], message: 'it hangs' } as const;
  await world.service.control(plan, why);
  await world.end(claimed);
  const { attempts } = await world.service.look({ plan, view: 'attempts', job: 'one' }, NEVER);
  expect(attempts?.[0]).toMatchObject({ state: 'succeeded' });
  expect(attempts?.[0]).not.toHaveProperty('message');
});

test('a plan is not forgotten while processes of it may still run', async () => {
  await using world = await createWorld();
  const plan = await world.create({ name: 'p', jobs: [{ ...job('one'), retry: 'never' }] });
  await lose(world, (await world.begin()).claim.work.id);
  expect(await world.stateOf(plan)).toBe('failed');
  const remove = () => world.service.control(plan, { action: 'delete' });
  await expect(remove()).rejects.toMatchObject({ code: 'plan_state' });
  await reap(world);
  await remove();
});
