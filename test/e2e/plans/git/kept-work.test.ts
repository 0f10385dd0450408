import { existsSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { KEPT_WORK_POINTS } from '@baton/runner';
import { expect, test } from 'vitest';
import { cites } from '../../requirements.ts';
import type { PlanServer } from '../plan-server.ts';
import { pruneEnded } from '../stored-rows.ts';
import { until } from '../until.ts';
import { edit, GitWorld, writeAt } from './git-world.ts';

const FAILING = { git: {}, jobs: [{ id: 'one', work: 'echo made > made.txt; exit 1' }] };

/** The folder that a job of a plan that has failed was left in. */
async function keptTree(server: PlanServer, plan: string, job = 'one'): Promise<string> {
  expect(await server.ended(plan)).toMatchObject({ state: 'failed' });
  const { job: found } = await server.get(plan, { view: 'job', job });
  expect(existsSync(found.git.worktree)).toBe(true);
  return found.git.worktree;
}

function workIn(tree: string): void {
  writeAt(tree, 'shared.txt', 'edited\n');
  writeAt(tree, 'notes/mine.txt', 'added\n');
}

function expectWork(world: GitWorld, ref: string): void {
  expect(world.show(ref, 'shared.txt')).toBe('edited');
  expect(world.show(ref, 'notes/mine.txt')).toBe('added');
  expect(world.show(ref, 'made.txt')).toBe('made');
}

function refsIn(world: GitWorld): string[] {
  return world.git('for-each-ref', '--format=%(refname)', 'refs/baton').split('\n').filter(Boolean);
}

const removed = (tree: string) => until('the end of the worktree', () => !existsSync(tree));

test(`${cites('T49', 'PLAN-RESUME')} what a person has done in a kept worktree outlasts retry, archive, clean, delete and pruning`, async () => {
  await using world = new GitWorld();
  const server = world.server('off');
  await world.worker();
  const actions = ['retry', 'archive', 'clean', 'delete'];
  const plans: string[] = [];
  for (const _ of [...actions, 'prune', 'untouched']) plans.push(await server.create(FAILING));
  const trees: string[] = [];
  for (const plan of plans) trees.push(await keptTree(server, plan));
  for (const tree of trees.slice(0, -1)) workIn(tree);

  const kept: string[] = [];
  for (const [index, action] of actions.entries()) {
    const plan = plans[index] as string;
    const ref = `refs/baton/kept/${plan}/one/1`;
    const answer = await server.control(plan, action);
    expect(answer, action).toMatchObject({ id: plan, kept: [{ job: 'one', ref }] });
    expectWork(world, ref);
    await removed(trees[index] as string);
    kept.push(ref);
  }
  const [pruned, untouched] = plans.slice(-2) as [string, string];
  expect(await server.control(untouched, 'retry')).not.toHaveProperty('kept');
  await removed(trees.at(-1) as string);
  // What the retried ones leave is theirs alone: nobody has been there.
  for (const plan of [plans[0] as string, untouched]) await keptTree(server, plan);
  await pruneEnded(world.state);
  await removed(trees.at(-2) as string);
  kept.push(`refs/baton/kept/${pruned}/one/1`);
  expectWork(world, kept.at(-1) as string);
  // Written down once the files are gone.
  await until('the note of the clean-up', async () => {
    const { job } = await server.get(pruned, { view: 'job', job: 'one' });
    const { phase, note } = job.steps.at(-1);
    return phase === 'clean-up' && note === `What was changed in it is kept as ${kept.at(-1)}.`;
  });
  await pruneEnded(world.state);
  await expect(server.get(pruned)).rejects.toMatchObject({ code: 'plan_unknown' });
  await until('the end of all worktrees', () => world.worktrees().length === 0);
  expect(refsIn(world)).toEqual(kept.sort());
  expect(world.git('status', '--porcelain')).toBe('');
});

test(`${cites('T49', 'PLAN-CONFLICT')} a resolution outlasts landing anew, earlier work an attempt that goes on with it, later work the answer`, async () => {
  await using world = new GitWorld();
  const server = world.server('off');
  const worker = await world.worker();
  const plan = await server.create({
    git: { target: 'next' },
    jobs: [
      { id: 'left', work: edit(5, 'left') },
      { id: 'right', work: edit(5, 'right') },
    ],
  });
  const tree = await keptTree(server, plan, 'land');
  writeAt(tree, 'shared.txt', 'decided\n');
  const landed = await server.control(plan, 'land');
  expect(landed.kept).toEqual([{ job: 'land', ref: `refs/baton/kept/${plan}/land/1` }]);
  expect(world.show(landed.kept[0].ref, 'shared.txt')).toBe('decided');
  await removed(tree);

  const failing = await server.create({ git: {}, jobs: [{ id: 'one', work: 'exit 1' }] });
  const own = await keptTree(server, failing);
  writeAt(own, 'mine.txt', 'first\n');
  world.gitIn(own, 'add', '-A');
  world.gitIn(own, 'commit', '-q', '-m', 'mine');
  expect(await server.control(failing, 'retry', { from: 'work' })).not.toHaveProperty('kept');
  expect(await keptTree(server, failing)).toBe(own);
  worker.child.kill('SIGTERM');
  await worker.exited;
  // Nobody removes it yet, so that somebody can still be at work there.
  const { kept } = await server.control(failing, 'archive');
  expect(world.show(kept[0].ref, 'mine.txt')).toBe('first');
  writeAt(own, 'mine.txt', 'second\n');
  const next = await world.worker();
  await removed(own);
  expect(world.show(`refs/baton/kept/${failing}/one/2`, 'mine.txt')).toBe('second');
  await next.until('its word', () => next.stderr.includes(`${failing}/one/2`));
});

test(`${cites('T49', 'T19')} what cannot be saved is not removed, and says why and what to do`, async () => {
  await using world = new GitWorld();
  const server = world.server('off');
  const worker = await world.worker();
  const plan = await server.create(FAILING);
  const tree = await keptTree(server, plan);
  workIn(tree);
  // As if the disk were full: git can write no ref of ours.
  world.git('update-ref', 'refs/baton/kept', 'HEAD');
  const story = await server.story(plan, 'one');
  for (const action of ['retry', 'archive', 'clean', 'delete']) {
    const refusal = server.control(plan, action);
    await expect(refusal, action).rejects.toMatchObject({
      code: 'work_not_saved',
      message: expect.stringMatching(/job one, .*: git update-ref failed.* Nothing was changed\./),
    });
  }
  expect(await server.get(plan)).toMatchObject({ state: 'failed' });
  expect(await server.story(plan, 'one')).toBe(story);
  await pruneEnded(world.state);
  await worker.until('its refusal', () => worker.stderr.includes(`${tree} stays`));
  expect(readFileSync(path.join(tree, 'notes/mine.txt'), 'utf8')).toBe('added\n');
  expect((await server.get(plan, { view: 'job', job: 'one' })).job.git.worktree).toBe(tree);

  // A repository that is gone, or does not know it any more, keeps nothing either.
  world.git('update-ref', '-d', 'refs/baton/kept');
  const [registered] = world.git('rev-parse', '--git-path', 'worktrees').split('\n');
  rmSync(path.resolve(world.workspace, registered ?? ''), { recursive: true });
  await expect(server.control(plan, 'delete')).rejects.toMatchObject({ code: 'work_not_saved' });
  expect(existsSync(path.join(tree, 'notes/mine.txt'))).toBe(true);
  // Whoever needs none of it removes the folder.
  rmSync(tree, { recursive: true });
  expect(await server.control(plan, 'delete')).toMatchObject({ state: 'deleted' });
});

test(`${cites('T49')} commits outlast a worktree whose folder was moved, and the folder stays`, async () => {
  await using world = new GitWorld();
  const server = world.server('off');
  await world.worker();
  const ways = ['moved', 'linked', 'untouched'];
  const plans: string[] = [];
  for (const _ of ways) plans.push(await server.create(FAILING));
  for (const [index, way] of ways.entries()) {
    const plan = plans[index] as string;
    const tree = await keptTree(server, plan);
    const moved = path.join(world.folder, way);
    if (way !== 'untouched') {
      workIn(tree);
      world.gitIn(tree, 'add', '-A');
      world.gitIn(tree, 'commit', '-q', '-m', 'mine');
    }
    renameSync(tree, moved);
    if (way === 'linked') symlinkSync(moved, tree);
    const ref = `refs/baton/kept/${plan}/one/1`;
    const answer = await server.control(plan, 'archive');
    expect(answer.kept, way).toEqual(way === 'untouched' ? undefined : [{ job: 'one', ref }]);
    if (way !== 'untouched') expectWork(world, ref);
    expect(existsSync(path.join(moved, 'made.txt'))).toBe(true);
  }
  await until('the end of all worktrees', () => world.worktrees().length === 0);
  for (const way of ways) expect(existsSync(path.join(world.folder, way, 'made.txt'))).toBe(true);
  // A commit each, and nothing twice.
  expect(refsIn(world)).toHaveLength(2);
});

test.each(KEPT_WORK_POINTS)(
  `${cites('T49', 'T8', 'PLAN-CRASH-POINTS')} what a person has done is kept once if a worker dies at "%s"`,
  async (point) => {
    await using world = new GitWorld();
    const server = world.server('off');
    const crashing = await world.worker({ env: { BATON_TEST_CRASH_AT: point } });
    const plan = await server.create(FAILING);
    workIn(await keptTree(server, plan));
    await pruneEnded(world.state);
    expect(await crashing.exited).toMatchObject({ signal: 'SIGKILL' });
    expect(world.worktrees()).toHaveLength(1);
    await world.worker();
    await until('the end of the worktree', () => world.worktrees().length === 0);
    expect(refsIn(world)).toEqual([`refs/baton/kept/${plan}/one/1`]);
    expectWork(world, refsIn(world)[0] as string);
  },
);
