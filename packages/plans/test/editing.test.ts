import { expect, test } from 'vitest';
import { asking, createWorld, failed, job } from './world.ts';

test('a job is put between two others while the plan runs', async () => {
  await using world = await createWorld();
  const plan = await world.create({ name: 'p', jobs: [job('first'), job('last', 'first')] });
  const first = await world.begin();
  await world.service.edit(
    { plan, upsert: [job('middle', 'first'), job('last', 'middle')] },
    asking,
  );
  await world.end(first);
  expect(await world.drain()).toEqual(['middle', 'last']);
  expect(await world.stateOf(plan)).toBe('succeeded');
});

test('a job that is new takes part in the order of paths', async () => {
  await using world = await createWorld();
  const plan = await world.create({
    name: 'p',
    maxParallel: 1,
    jobs: [job('busy'), job('one'), job('two')],
  });
  const busy = await world.begin();
  await world.service.edit({ plan, upsert: [job('after-two', 'two')] }, asking);
  await world.end(busy);
  expect(await world.drain()).toEqual(['two', 'one', 'after-two']);
});

test('a removed job is gone; the plan ends when nothing else is left', async () => {
  await using world = await createWorld();
  const plan = await world.create({
    name: 'p',
    jobs: [job('one'), job('two', 'one'), job('three')],
  });
  await world.service.edit({ plan, remove: ['two', 'three'] }, asking);
  expect(await world.states(plan)).toBe('one:ready');
  expect(await world.drain()).toEqual(['one']);
  expect(await world.stateOf(plan)).toBe('succeeded');
});

test('what was blocked can be rewired around the failure', async () => {
  await using world = await createWorld();
  const plan = await world.create({
    name: 'p',
    jobs: [job('bad'), job('after', 'bad'), job('slow')],
  });
  const bad = await world.begin();
  const slow = await world.begin();
  await world.end(bad, failed);
  expect(await world.states(plan)).toBe('bad:failed after:blocked slow:running');
  await world.service.edit({ plan, upsert: [job('after')] }, asking);
  expect(await world.states(plan)).toBe('bad:failed after:ready slow:running');
  await world.end(slow);
  await world.drain();
  expect(await world.stateOf(plan)).toBe('failed');
});

test('what was started cannot be changed, and then nothing is', async () => {
  await using world = await createWorld();
  const plan = await world.create({ name: 'p', jobs: [job('one'), job('two')] });
  await world.begin();
  const before = await world.states(plan);
  for (const change of [
    { upsert: [job('one'), job('new-one')] },
    { remove: ['one'] },
    { remove: ['two', 'one'] },
  ]) {
    await expect(world.service.edit({ plan, ...change }, asking)).rejects.toMatchObject({
      code: 'job_started',
    });
  }
  expect(await world.states(plan)).toBe(before);
});

test('circles, unknown needs and unknown jobs are refused', async () => {
  await using world = await createWorld();
  const plan = await world.create({ name: 'p', jobs: [job('one'), job('two', 'one')] });
  const refused = [
    [{ upsert: [job('one', 'two')] }, 'plan_graph'],
    [{ upsert: [job('three', 'nobody')] }, 'plan_graph'],
    [{ remove: ['one'] }, 'plan_graph'],
    [{ remove: ['nobody'] }, 'job_unknown'],
  ] as const;
  for (const [change, code] of refused) {
    await expect(world.service.edit({ plan, ...change }, asking)).rejects.toMatchObject({ code });
  }
  expect(await world.states(plan)).toBe('one:ready two:pending');
});

test('limit and name can be set while it runs', async () => {
  await using world = await createWorld();
  const plan = await world.create({ name: 'p', maxParallel: 1, jobs: [job('one'), job('two')] });
  await world.begin();
  expect(await world.tryBegin()).toBeUndefined();
  const edited = await world.service.edit({ plan, set: { maxParallel: 2, name: 'new' } }, asking);
  expect(edited.name).toBe('new');
  expect((await world.begin()).job.id).toBe('two');
});

test('variables that are set are those of jobs that start later', async () => {
  await using world = await createWorld();
  const plan = await world.create({
    name: 'p',
    env: { A: '1' },
    jobs: [job('one'), job('two', 'one')],
  });
  const one = await world.begin();
  expect(one.plan.env).toBe('{"A":"1"}');
  await world.service.edit({ plan, set: { env: { B: '2' } } }, asking);
  await world.end(one);
  expect((await world.begin()).plan.env).toBe('{"B":"2"}');
});

test('a plan that is over cannot be edited', async () => {
  await using world = await createWorld();
  const plan = await world.create({ name: 'p', jobs: [job('one')] });
  await world.drain();
  await expect(world.service.edit({ plan, upsert: [job('two')] }, asking)).rejects.toMatchObject({
    code: 'plan_state',
  });
});

test('the last job of a plan cannot be removed, but that of a draft can', async () => {
  await using world = await createWorld();
  const jobs = [job('one'), job('two', 'one')];
  const removeAll = (plan: string) => world.service.edit({ plan, remove: ['one', 'two'] }, asking);
  for (const paused of [true, false]) {
    const plan = await world.create({ name: 'p', jobs, paused });
    await expect(removeAll(plan)).rejects.toMatchObject({ code: 'plan_empty' });
    expect(await world.states(plan)).toMatch(/^one:\w+ two:pending$/);
  }
  const draft = await world.create({ name: 'p', jobs, draft: true });
  await removeAll(draft);
  expect(await world.states(draft)).toBe('');
});

test('a job that is given twice is refused', async () => {
  await using world = await createWorld();
  const plan = await world.create({ name: 'p', jobs: [job('one')] });
  for (const id of ['one', 'new']) {
    const edit = world.service.edit({ plan, upsert: [job(id), job(id)] }, asking);
    await expect(edit).rejects.toMatchObject({ code: 'plan_graph' });
  }
});

test('a job that was cancelled still waits for what was edited meanwhile, if it is retried', async () => {
  await using world = await createWorld();
  const plan = await world.create({ name: 'p', jobs: [job('one'), job('two', 'one')] });
  await world.service.control(plan, { action: 'cancel', jobs: ['two'] });
  await world.service.edit({ plan, upsert: [{ ...job('one'), work: 'other' }] }, asking);
  await world.service.control(plan, { action: 'retry', jobs: ['two'] });
  expect(await world.states(plan)).toBe('one:ready two:pending');
  expect(await world.drain()).toEqual(['one', 'two']);
  expect(await world.stateOf(plan)).toBe('succeeded');
});
