import { cites } from '@baton/e2e/requirements';
import { expect, test } from 'vitest';
import { asking, createWorld, failed, job } from './world.ts';

test('jobs run after what they need, and the plan succeeds with the last of them', async () => {
  await using world = await createWorld();
  const plan = await world.create({
    name: 'p',
    jobs: [job('build', 'lint', 'test'), job('lint'), job('test'), job('ship', 'build')],
  });
  expect(world.ensured).toBe(1);
  expect(await world.states(plan)).toBe('build:pending lint:ready test:ready ship:pending');
  expect(await world.drain()).toEqual(['lint', 'test', 'build', 'ship']);
  expect(await world.stateOf(plan)).toBe('succeeded');
});

test('the longest path goes first, then the order of writing', async () => {
  await using world = await createWorld();
  await world.create({
    name: 'p',
    maxParallel: 1,
    jobs: [
      job('short'),
      job('long'),
      job('after-long', 'long'),
      job('last', 'after-long'),
      job('also'),
    ],
  });
  expect(await world.drain()).toEqual(['long', 'after-long', 'short', 'last', 'also']);
});

test('a failure blocks what needs it, and nothing else', async () => {
  await using world = await createWorld();
  const plan = await world.create({
    name: 'p',
    jobs: [job('bad'), job('after', 'bad'), job('later', 'after'), job('good')],
  });
  await world.end(await world.begin(), failed);
  expect(await world.drain()).toEqual(['good']);
  expect(await world.states(plan)).toBe('bad:failed after:blocked later:blocked good:succeeded');
  expect(await world.stateOf(plan)).toBe('failed');
});

test('a plan never has more jobs running than it allows', async () => {
  await using world = await createWorld();
  await world.create({ name: 'two', maxParallel: 2, jobs: [job('one'), job('two'), job('three')] });
  const first = await world.begin();
  await world.begin();
  expect(await world.tryBegin()).toBeUndefined();
  await world.end(first);
  expect((await world.begin()).job.id).toBe('three');
});

test('0 is no limit, and without a word it is four', async () => {
  await using world = await createWorld();
  const jobs = Array.from({ length: 6 }, (_, index) => job(`job-${index}`));
  await world.create({ name: 'any', maxParallel: 0, jobs });
  for (const _ of jobs) await world.begin();
  await world.create({ name: 'four', jobs });
  for (let count = 0; count < 4; count += 1) await world.begin();
  expect(await world.tryBegin()).toBeUndefined();
});

test('plans take turns: the one with the fewest jobs running goes first', async () => {
  await using world = await createWorld();
  const jobs = [job('one'), job('two'), job('three')];
  const large = await world.create({ name: 'large', jobs: [...jobs, job('four', 'three')] });
  await world.begin();
  await world.begin();
  const small = await world.create({ name: 'small', jobs });
  expect((await world.begin()).plan.id).toBe(small);
  expect((await world.begin()).plan.id).toBe(small);
  expect([large, small]).toContain((await world.begin()).plan.id);
});

test(`${cites('T31')} the same key makes one plan; with other arguments it is refused`, async () => {
  await using world = await createWorld();
  const plan = { name: 'p', jobs: [job('one')], key: 'k' };
  const ids = await Promise.all([world.create(plan), world.create(plan), world.create(plan)]);
  expect(new Set(ids).size).toBe(1);
  expect((await world.service.list({ limit: 10 })).plans).toHaveLength(1);
  await expect(world.create({ ...plan, name: 'other' })).rejects.toMatchObject({
    code: 'key_conflict',
  });
});

test('a draft runs nothing before it is finalized', async () => {
  await using world = await createWorld();
  const plan = await world.create({ name: 'p', draft: true });
  await world.service.edit({ plan, upsert: [job('one')] }, asking);
  expect(await world.tryBegin()).toBeUndefined();
  expect(await world.stateOf(plan)).toBe('draft');
  await world.service.edit({ plan, upsert: [job('two', 'one')], finalize: true }, asking);
  expect(await world.drain()).toEqual(['one', 'two']);
});

test('a draft without jobs cannot be finalized, and what is no draft neither', async () => {
  await using world = await createWorld();
  const empty = await world.create({ name: 'p', draft: true });
  await expect(world.service.edit({ plan: empty, finalize: true }, asking)).rejects.toMatchObject({
    code: 'plan_empty',
  });
  const running = await world.create({ name: 'p', jobs: [job('one')] });
  await expect(world.service.edit({ plan: running, finalize: true }, asking)).rejects.toMatchObject(
    {
      code: 'plan_state',
    },
  );
});

test('a plan after another waits for its success', async () => {
  await using world = await createWorld();
  const first = await world.create({ name: 'first', jobs: [job('one')] });
  const second = await world.create({
    name: 'second',
    after: first.slice(0, 8),
    jobs: [job('two')],
  });
  const third = await world.create({ name: 'third', after: second, jobs: [job('three')] });
  expect(await world.stateOf(second)).toBe('waiting');
  expect(await world.drain()).toEqual(['one', 'two', 'three']);
  expect(await world.stateOf(third)).toBe('succeeded');
  const late = await world.create({ name: 'late', after: first, jobs: [job('four')] });
  expect(await world.stateOf(late)).toBe('running');
});

test('a plan after one that failed stays paused until somebody resumes it', async () => {
  await using world = await createWorld();
  const first = await world.create({ name: 'first', jobs: [job('one')] });
  const second = await world.create({ name: 'second', after: first, jobs: [job('two')] });
  await world.end(await world.begin(), failed);
  expect(await world.stateOf(second)).toBe('paused');
  expect(await world.tryBegin()).toBeUndefined();
  await world.service.control(second, { action: 'resume' });
  expect(await world.drain()).toEqual(['two']);
});

test('what makes no sense is refused with all that is wrong, and nothing is made', async () => {
  await using world = await createWorld();
  const wrong = [
    { name: 'circle', jobs: [job('aaa', 'bbb'), job('bbb', 'aaa')], code: 'plan_graph' },
    { name: 'unknown', jobs: [job('aaa', 'nobody')], code: 'plan_graph' },
    { name: 'twice', jobs: [job('aaa'), job('aaa')], code: 'plan_graph' },
    { name: 'empty', jobs: [], code: 'plan_incomplete' },
    { jobs: [job('aaa')], code: 'plan_incomplete' },
    { name: 'both', file: 'x.yaml', code: 'plan_incomplete' },
    { name: 'after', after: 'nothing', jobs: [job('aaa')], code: 'plan_unknown' },
  ];
  for (const { code, ...plan } of wrong) {
    await expect(world.service.create(plan, asking), plan.name).rejects.toMatchObject({ code });
  }
  expect((await world.service.list({ limit: 10 })).plans).toEqual([]);
});

test('a reference to an output of a job that is not needed is refused', async () => {
  await using world = await createWorld();
  const uses = (needs: string[]) => ({
    id: 'uses',
    needs,
    work: { type: 'shell' as const, command: 'true', env: { V: '${make.version}' } },
  });
  const jobs = [job('make'), job('between', 'make')];
  await expect(world.create({ name: 'p', jobs: [...jobs, uses([])] })).rejects.toMatchObject({
    code: 'reference_unknown',
  });
  await world.create({ name: 'p', jobs: [...jobs, uses(['between'])] });
});

test('a plan comes from a file, which a person has to trust', async () => {
  const asked: unknown[] = [];
  await using world = await createWorld({
    trust: {
      require: async (source) => {
        asked.push(source);
      },
      isTrusted: async () => true,
    },
  });
  world.files.set('plan.yaml', 'name: From a file\njobs:\n  - id: one\n    work: make\n');
  const plan = await world.create({ file: 'plan.yaml', key: 'k' });
  expect(await world.create({ file: 'plan.yaml', key: 'k' })).toBe(plan);
  expect(asked[0]).toMatchObject({
    workspace: '/ws',
    source: 'plan.yaml',
    commands: [{ title: 'one', command: 'make' }],
  });
  expect(await world.drain()).toEqual(['one']);
});
