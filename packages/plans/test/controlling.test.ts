import { stopRequests } from '@baton/plans/jobs';
import { expect, test } from 'vitest';
import { ACTIONS, type Action } from '../src/actions.ts';
import { createWorld, failed, job, NEVER, succeeded, type World } from './world.ts';

const control = (world: World, plan: string, action: Action, more = {}) =>
  world.service.control(plan, { action, ...more });

test('pause lets what runs end and starts nothing; resume goes on', async () => {
  await using world = await createWorld();
  const plan = await world.create({ name: 'p', jobs: [job('one'), job('two', 'one')] });
  const one = await world.begin();
  expect((await control(world, plan, 'pause')).state).toBe('pausing');
  await world.end(one);
  expect(await world.stateOf(plan)).toBe('paused');
  expect(await world.tryBegin()).toBeUndefined();
  await control(world, plan, 'resume');
  expect(await world.drain()).toEqual(['two']);
});

test('a plan whose last job ends while it is being paused is over', async () => {
  await using world = await createWorld();
  const plan = await world.create({ name: 'p', jobs: [job('one')] });
  const one = await world.begin();
  await control(world, plan, 'pause');
  await world.end(one);
  expect(await world.stateOf(plan)).toBe('succeeded');
});

test('cancel ends what waits at once, and what runs through its worker', async () => {
  await using world = await createWorld();
  const plan = await world.create({
    name: 'p',
    jobs: [job('one'), job('two', 'one'), job('three')],
  });
  const one = await world.begin();
  expect((await control(world, plan, 'cancel')).state).toBe('cancelling');
  expect(await world.states(plan)).toBe('one:running two:cancelled three:cancelled');
  expect(await world.store.read((tx) => stopRequests(tx))).toEqual(new Set([`${plan}/one`]));
  await world.end(one, { kind: 'failed', reason: 'signal', message: 'It was ended.' });
  expect(await world.states(plan)).toBe('one:cancelled two:cancelled three:cancelled');
  expect(await world.stateOf(plan)).toBe('cancelled');
  expect(await world.store.read((tx) => stopRequests(tx))).toEqual(new Set());
});

test('a job that succeeds although its plan is being cancelled has succeeded', async () => {
  await using world = await createWorld();
  const plan = await world.create({ name: 'p', jobs: [job('one')] });
  const one = await world.begin();
  await control(world, plan, 'cancel');
  await world.end(one, succeeded);
  expect(await world.stateOf(plan)).toBe('succeeded');
});

test('single jobs are cancelled or failed by hand, running or not', async () => {
  await using world = await createWorld();
  const plan = await world.create({
    name: 'p',
    jobs: [
      job('one'),
      job('more', 'one'),
      job('most', 'more'),
      job('two'),
      job('after-two', 'two'),
    ],
  });
  const one = await world.begin();
  await control(world, plan, 'fail', { jobs: ['one'], message: 'too slow' });
  await control(world, plan, 'cancel', { jobs: ['two'] });
  expect(await world.states(plan)).toBe(
    'one:running more:pending most:pending two:cancelled after-two:blocked',
  );
  await world.end(one, { kind: 'failed', reason: 'signal', message: 'It was ended.' });
  const { failed: failures } = await world.service.look({ plan, view: 'summary' }, NEVER);
  expect(failures).toEqual([
    { job: 'one', reason: 'failed_by_hand', message: 'too slow', attempts: 1 },
  ]);
  expect(await world.stateOf(plan)).toBe('failed');
});

test('a failed job is tried again as often as it allows, each time later', async () => {
  await using world = await createWorld();
  const plan = await world.create({
    name: 'p',
    jobs: [{ ...job('one'), retry: 2 }, job('two', 'one')],
  });
  for (const wait of [1000, 2000]) {
    await world.end(await world.begin(), failed);
    expect(await world.tryBegin()).toBeUndefined();
    world.clock.advance(wait - 1);
    expect(await world.tryBegin()).toBeUndefined();
    world.clock.advance(1);
  }
  await world.end(await world.begin(), failed);
  expect(await world.states(plan)).toBe('one:failed two:blocked');
});

test('what can never work is not tried again, and what was nobody’s fault is', async () => {
  await using world = await createWorld();
  const plan = await world.create({ name: 'p', jobs: [{ ...job('one'), retry: 5 }, job('two')] });
  await world.end(await world.begin(), { kind: 'failed', reason: 'start_not_found', message: '' });
  expect(await world.states(plan)).toBe('one:failed two:ready');
  await world.end(await world.begin(), {
    kind: 'failed',
    reason: 'start_no_resources',
    message: '',
  });
  expect(await world.states(plan)).toBe('one:failed two:ready');
});

test('a retry by hand frees what was blocked, goes first, and may do other work', async () => {
  await using world = await createWorld();
  const plan = await world.create({
    name: 'p',
    maxParallel: 1,
    jobs: [job('bad'), job('after', 'bad'), job('other'), job('more', 'other')],
  });
  await world.end(await world.begin(), failed);
  const other = await world.begin();
  await control(world, plan, 'retry', { jobs: ['bad'], work: 'make better' });
  await world.end(other);
  const again = await world.begin();
  expect(again.job).toMatchObject({ id: 'bad', definition: { work: { command: 'make better' } } });
  await world.end(again);
  expect(await world.drain()).toEqual(['after', 'more']);
  expect(await world.stateOf(plan)).toBe('succeeded');
});

test('a plan that has failed runs again from what failed', async () => {
  await using world = await createWorld();
  const plan = await world.create({
    name: 'p',
    jobs: [job('good'), job('bad'), job('after', 'bad')],
  });
  await world.end(await world.begin(), failed);
  await world.drain();
  const state = await world.stateOf(plan);
  expect(state).toBe('failed');
  await control(world, plan, 'retry');
  await world.drain();
  expect(await world.stateOf(plan)).toBe('succeeded');
});

test('a cancelled plan can be retried, or recovered to look at it first', async () => {
  await using world = await createWorld();
  for (const action of ['retry', 'recover'] as const) {
    const plan = await world.create({ name: 'p', jobs: [job('one'), job('two', 'one')] });
    await control(world, plan, 'cancel');
    expect(await world.stateOf(plan)).toBe('cancelled');
    await control(world, plan, action);
    expect(await world.stateOf(plan)).toBe(action === 'retry' ? 'running' : 'paused');
    if (action === 'recover') await control(world, plan, 'resume');
    expect(await world.drain()).toEqual(['one', 'two']);
    expect(await world.stateOf(plan)).toBe('succeeded');
  }
});

test('a clone is a new plan of the same jobs that waits for a person', async () => {
  await using world = await createWorld();
  const plan = await world.create({ name: 'p', jobs: [job('one'), job('two', 'one')] });
  await world.drain();
  const copy = await control(world, plan, 'clone');
  expect(copy.id).not.toBe(plan);
  expect(copy.state).toBe('pending');
  await control(world, copy.id, 'start');
  expect(await world.drain()).toEqual(['one', 'two']);
});

test('what is archived is not listed, and comes back as it was', async () => {
  await using world = await createWorld();
  const plan = await world.create({ name: 'p', jobs: [job('one')] });
  await world.drain();
  await control(world, plan, 'archive');
  expect((await world.service.list({ limit: 10 })).plans).toEqual([]);
  expect((await world.service.list({ limit: 10, state: 'archived' })).plans).toHaveLength(1);
  expect((await control(world, plan, 'recover')).state).toBe('succeeded');
});

test('what is deleted is gone with everything that belongs to it', async () => {
  await using world = await createWorld();
  const plan = await world.create({ name: 'p', jobs: [job('one'), job('two', 'one')] });
  await expect(control(world, plan, 'delete')).rejects.toMatchObject({ code: 'plan_state' });
  await world.drain();
  await control(world, plan, 'delete');
  await expect(world.stateOf(plan)).rejects.toMatchObject({ code: 'plan_unknown' });
  for (const table of ['work', 'work_needs', 'attempts', 'plan_jobs', 'plan_attempts', 'gates']) {
    const rows = await world.store.read(({ db }) =>
      db
        .selectFrom(table as 'work')
        .selectAll()
        .execute(),
    );
    expect(rows, table).toEqual([]);
  }
});

test('what a plan cannot do now is refused with what it can', async () => {
  await using world = await createWorld();
  const draft = await world.create({ name: 'd', draft: true });
  for (const action of ACTIONS.filter((each) => !['archive', 'clone', 'delete'].includes(each))) {
    await expect(control(world, draft, action, { jobs: ['one'] }), action).rejects.toMatchObject({
      code: expect.stringMatching(/^plan_state$/),
    });
  }
  await expect(control(world, draft, 'pause')).rejects.toMatchObject({
    next: 'What it can do now: archive.',
  });
});

test('a plan can be named by the beginning of its id', async () => {
  await using world = await createWorld();
  const plan = await world.create({ name: 'p', jobs: [job('one')] });
  expect((await control(world, plan.slice(0, 8), 'pause')).id).toBe(plan);
  for (const wrong of [plan.slice(0, 3), 'nothing', `${plan}x`, '%', '']) {
    await expect(control(world, wrong, 'pause'), wrong).rejects.toMatchObject({
      code: 'plan_unknown',
    });
  }
});
