import { cites } from '@baton/e2e/requirements';
import { expect, test } from 'vitest';
import type { Claimed } from '../src/claiming.ts';
import { savePredictions } from '../src/conflicts.ts';
import { saveSteps } from '../src/steps.ts';
import { recordMerged, recordWork, recordWorktree, worktreesOf } from '../src/worktrees.ts';
import { asking, createWorld, failed, lose, NEVER, type World } from './world.ts';

const hash = (letter: string) => letter.repeat(40);
const repositories = {
  examine: async (_: object, names: readonly string[]) =>
    names.map((repository) => ({ repository, root: `/ws/${repository}`, base: hash('b') })),
  stat: async () => ({ files: 0, insertions: 0, deletions: 0, paths: [] }),
  patch: async () => '',
  saveWork: async () => undefined,
  requireTarget: async () => undefined,
};
const work = (id: string, ...needs: string[]) => ({ id, work: `run ${id}`, needs });

function done(id: string) {
  const commits = { start: hash('b'), result: hash(id) };
  return { kind: 'succeeded' as const, outputs: {}, commits };
}

/** The folder of an attempt at job aaa, named by its number. */
function recordTree(world: World, plan: string, { attempt }: Claimed): Promise<void> {
  return world.store.write('relaxed', (tx) =>
    recordWorktree(tx, {
      attempt_id: attempt.id,
      plan_id: plan,
      job_id: 'aaa',
      root: '/ws',
      path: `/trees/${attempt.number}`,
      start_commit: hash('b'),
    }),
  );
}

/** Takes the next job and is done with it. */
async function run(world: World) {
  const claimed = await world.begin();
  await world.end(claimed, done(claimed.job.id.charAt(0)));
  return claimed;
}

test('a job goes on with the commits of its needs, through jobs that have none of their own', async () => {
  await using world = await createWorld({ repositories });
  const plan = await world.create({
    name: 'p',
    git: { target: 'next' },
    jobs: [
      work('aaa'),
      { id: 'ccc', work: 'run', repository: 'api', needs: ['aaa'] },
      work('ddd', 'ccc', 'aaa'),
    ],
  });
  expect((await run(world)).git).toMatchObject({
    needs: [],
    repository: { base_commit: hash('b') },
  });
  expect((await run(world)).git).toMatchObject({ needs: [], repository: { repository: 'api' } });
  expect((await run(world)).git?.needs).toEqual([{ job: 'aaa', commit: hash('a') }]);
  const land = await world.begin();
  expect(land.git?.needs).toEqual([{ job: 'ddd', commit: hash('d') }]);
  await world.end(land, done('e'));
  const last = await world.begin();
  expect(last.git?.needs).toEqual([{ job: 'ccc', commit: hash('c') }]);
  await world.end(last, done('f'));
  expect(await world.stateOf(plan)).toBe('succeeded');
});

test('a failed job keeps its worktree, and a retry goes on there or leaves it', async () => {
  await using world = await createWorld({ repositories });
  const plan = await world.create({ name: 'p', git: {}, jobs: [work('aaa')] });
  const failOnce = async () => {
    const claimed = await world.begin();
    await recordTree(world, plan, claimed);
    await world.end(claimed, failed);
    return claimed;
  };
  const paths = async () =>
    (await world.store.read((tx) => worktreesOf(tx, plan, 'aaa'))).map(({ path }) => path);
  await failOnce();
  expect(await paths()).toEqual(['/trees/1']);
  await world.service.control(plan, { action: 'retry', jobs: ['aaa'], from: 'checks' });
  const resumed = await world.begin();
  expect(resumed.git?.resume).toMatchObject({ phase: 'checks', worktree: { path: '/trees/1' } });
  await world.end(resumed, failed);
  await world.service.control(plan, { action: 'retry', jobs: ['aaa'] });
  const anew = await failOnce();
  expect(anew.git?.resume).toBeUndefined();
  expect(await paths()).toEqual(['/trees/3']);
  await world.service.control(plan, { action: 'clean' });
  expect(await paths()).toEqual([]);
  const from = { action: 'retry', jobs: ['aaa'], from: 'work' } as const;
  await expect(world.service.control(plan, from)).rejects.toMatchObject({ code: 'worktree_gone' });
});

test('work that was done is not done again after a loss, however often it is lost', async () => {
  await using world = await createWorld({ repositories });
  const { store } = world;
  const plan = await world.create({
    name: 'p',
    git: {},
    jobs: [{ ...work('aaa'), retry: 'never' }],
  });
  const first = await world.begin();
  await recordTree(world, plan, first);
  await store.write('relaxed', (tx) => recordWork(tx, first.attempt.id, { size: '3' }));
  // It may not be repeated, but what comes after its work may: once.
  await lose(world, `${plan}/aaa`);
  const second = await world.begin();
  const resume = { phase: 'commit', outputs: { size: '3' }, worktree: { path: '/trees/1' } };
  expect(second.git?.resume).toMatchObject(resume);
  await lose(world, `${plan}/aaa`);
  expect(await world.states(plan)).toBe('aaa:failed land:blocked');
  await world.service.control(plan, { action: 'retry', jobs: ['aaa'], from: 'checks' });
  const third = await world.begin();
  expect(third.git?.resume).toMatchObject({ ...resume, phase: 'checks' });
  // A worker that has to leave gives it back.
  await world.end(third, { kind: 'released', hasRun: true });
  const fourth = await world.begin();
  expect(fourth.git?.resume).toMatchObject({ ...resume, phase: 'checks' });
  await world.end(fourth, failed);
  // Only a person can want it to be done again.
  await world.service.control(plan, { action: 'retry', jobs: ['aaa'] });
  expect((await world.begin()).git?.resume).toBeUndefined();
});

test('what a person asked for is still asked for when its worker is lost', async () => {
  await using world = await createWorld({ repositories });
  const plan = await world.create({ name: 'p', git: {}, jobs: [{ ...work('aaa'), retry: 1 }] });
  const first = await world.begin();
  await recordTree(world, plan, first);
  await world.end(first, { kind: 'failed', reason: 'merge_conflict', message: 'Conflict.' });
  await world.service.control(plan, { action: 'retry', jobs: ['aaa'], from: 'prepare' });
  const resume = { phase: 'prepare', worktree: { path: '/trees/1' } };
  const second = await world.begin();
  expect(second.git?.resume).toMatchObject(resume);
  await lose(world, `${plan}/aaa`, 'ready');
  const third = await world.begin();
  expect(third.git?.resume).toMatchObject(resume);
  // What was resolved is known: the next one begins with that, wherever.
  await world.store.write('durable', (tx) => recordMerged(tx, plan, 'aaa', hash('m')));
  await lose(world, `${plan}/aaa`, 'ready');
  const fourth = await world.begin();
  expect(fourth.git).toMatchObject({ merged: hash('m') });
  expect(fourth.git?.resume).toBeUndefined();
});

test('work that was not done, and must not be repeated, is given up when it is lost', async () => {
  await using world = await createWorld({ repositories });
  const jobs = [{ ...work('aaa'), retry: 'never' as const }];
  const plan = await world.create({ name: 'p', git: {}, jobs });
  await recordTree(world, plan, await world.begin());
  await lose(world, `${plan}/aaa`);
  expect(await world.states(plan)).toBe('aaa:failed land:blocked');
});

test('the step that an attempt was in ends with its worker', async () => {
  await using world = await createWorld({ repositories });
  const plan = await world.create({ name: 'p', git: {}, jobs: [work('aaa')] });
  const claimed = await world.begin();
  const step = (position: number, phase: 'prepare' | 'work', endedAt: number | null) => ({
    ...{ position, phase, command: '', message: '', exit_code: null, commit_id: null },
    ...{ digest: null, log_from: 0, log_to: null, detail: '{}', startedAt: 1, endedAt },
    state: endedAt === null ? ('running' as const) : ('succeeded' as const),
  });
  const steps = [step(0, 'prepare', 2), step(1, 'work', null)];
  await world.store.write('relaxed', (tx) => saveSteps(tx, claimed, steps));
  const shown = async () => {
    const { evidence } = await world.service.look({ plan, view: 'evidence' }, NEVER);
    const steps = evidence?.jobs[0]?.steps ?? [];
    return steps.map(({ phase, state, message = '' }) => [phase, state, message].join(' '));
  };
  expect(await shown()).toEqual(['prepare succeeded ', 'work running ']);
  await lose(world, `${plan}/aaa`);
  expect(await shown()).toEqual([
    'prepare succeeded ',
    'work failed Its worker died while it ran.',
  ]);
});

test('predictions of one repository leave those of another alone', async () => {
  await using world = await createWorld({ repositories });
  const inApi = (id: string) => ({ ...work(id), repository: 'api' });
  const jobs = [work('aaa'), work('bbb'), inApi('ccc'), inApi('ddd')];
  const plan = await world.create({ name: 'p', git: {}, jobs });
  const { plan: row } = await world.begin();
  const save = (jobIds: string[], ...pairs: [string, string][]) =>
    world.store.write('relaxed', (tx) =>
      savePredictions(
        tx,
        row,
        jobIds,
        pairs.map((each) => ({ jobs: each, files: ['a.txt'] })),
      ),
    );
  const known = async () =>
    (await world.service.look({ plan, view: 'summary' }, NEVER)).git?.conflicts?.map(({ jobs }) =>
      jobs.join('+'),
    );
  await save(['aaa', 'bbb'], ['aaa', 'bbb']);
  await save(['ccc', 'ddd'], ['ccc', 'ddd']);
  expect(await known()).toEqual(['aaa+bbb', 'ccc+ddd']);
  await save(['ccc', 'ddd']);
  expect(await known()).toEqual(['aaa+bbb']);
});

test('what lands once more lands the same', async () => {
  await using world = await createWorld({ repositories });
  const plan = await world.create({ name: 'p', git: {}, jobs: [work('aaa')] });
  await run(world);
  const land = await world.begin();
  expect(land.git?.merged).toBeUndefined();
  await world.store.write('durable', (tx) => recordMerged(tx, plan, 'land', hash('e')));
  await world.end(land, { kind: 'failed', reason: 'target_dirty', message: 'Dirty.' });
  await world.service.control(plan, { action: 'land' });
  const again = await world.begin();
  expect(again.git?.merged).toBe(hash('e'));
  await world.end(again, done('e'));
  const { git } = await world.service.look({ plan, view: 'summary' }, NEVER);
  expect(git?.repositories).toMatchObject([{ base: hash('b') }]);
});

test('the landing follows what is edited, and belongs to nobody', async () => {
  await using world = await createWorld({ repositories });
  const plan = await world.create({ name: 'p', git: {}, draft: true });
  await world.service.edit({ plan, upsert: [work('aaa'), work('bbb', 'aaa')] }, asking);
  const needs = async () => {
    const { job } = await world.service.look({ plan, view: 'job', job: 'land' }, NEVER);
    return job?.needs;
  };
  expect(await needs()).toEqual(['bbb']);
  await world.service.edit({ plan, upsert: [work('ccc', 'aaa')], remove: ['bbb'] }, asking);
  expect(await needs()).toEqual(['ccc']);
  for (const change of [{ remove: ['land'] }, { upsert: [work('land')] }]) {
    await expect(world.service.edit({ plan, ...change }, asking)).rejects.toMatchObject({
      code: 'job_id_reserved',
    });
  }
  await world.service.edit({ plan, finalize: true }, asking);
  expect(await world.drain()).toEqual(['aaa', 'ccc', 'land']);
  expect(await world.stateOf(plan)).toBe('succeeded');
  const copy = await world.service.control(plan, { action: 'clone' });
  expect(await world.states(copy.id)).toBe('aaa:pending ccc:pending land:pending');
});

test(`${cites('T49', 'T19')} what the system refuses is said, and nothing is removed; a fault of ours is one`, async () => {
  const full = Object.assign(new Error('ENOSPC: no space left'), { syscall: 'copyfile' });
  let cause: Error = full;
  const saveWork = async () => Promise.reject(cause);
  await using world = await createWorld({ repositories: { ...repositories, saveWork } });
  const plan = await world.create({
    name: 'p',
    git: {},
    jobs: [{ ...work('aaa'), retry: 'never' }],
  });
  const claimed = await world.begin();
  await recordTree(world, plan, claimed);
  await world.end(claimed, { ...failed, keptState: 'as it was' });
  for (const action of ['retry', 'archive', 'clean', 'delete'] as const) {
    cause = full;
    await expect(world.service.control(plan, { action }), action).rejects.toMatchObject({
      code: 'work_not_saved',
      message: expect.stringContaining('ENOSPC: no space left. Nothing was changed.'),
    });
    cause = new TypeError('a fault');
    await expect(world.service.control(plan, { action }), action).rejects.toBe(cause);
  }
  const [tree] = await world.store.read((tx) => worktreesOf(tx, plan, 'aaa'));
  expect(tree).toMatchObject({ state: 'kept', kept_state: 'as it was' });
});
