import { readdirSync } from 'node:fs';
import path from 'node:path';
import { KEPT_WORK_POINTS, POINTS, type Point, WORKTREE_POINTS } from '@baton/runner';
import { expect, test } from 'vitest';
import { cites } from '../requirements.ts';
import { PlanWorld } from './plan-world.ts';
import { until } from './until.ts';

/** Where the effect of the job is certain to happen once. */
const EXACTLY_ONCE: readonly Point[] = ['claimed', 'settled'];
/**
 * Some are of jobs in worktrees (git/crashes.test.ts) and of worktrees that go (git/kept-work.test.ts),
 * one is of a job that was lost before (late-worker.test.ts).
 */
const ELSEWHERE: readonly Point[] = [...WORKTREE_POINTS, ...KEPT_WORK_POINTS, 'leftovers ended'];
const HERE = POINTS.filter((point) => !ELSEWHERE.includes(point));

test.each(HERE)(
  `${cites('PLAN-CRASH-POINTS', 'PLAN-NEVER', 'T8', 'T22')} a worker that dies at "%s"`,
  async (point) => {
    await using world = new PlanWorld();
    const server = world.server('auto');
    const worker = await world.worker({
      env: { BATON_TEST_CRASH_AT: point, BATON_TEST_CRASH_JOB: 'first' },
    });
    const never = await server.create({
      jobs: [
        {
          id: 'careful',
          work: 'echo value=1 > $BATON_OUTPUT; echo ran >> careful; sleep 300',
          retry: 'never',
        },
      ],
    });
    await server.running(never, 1);
    await until('the first job', () => world.lines('careful').length === 1);
    const plan = await server.create({
      jobs: [
        { id: 'first', work: 'echo $BATON_ATTEMPT >> first; echo said; sleep 0.1' },
        { id: 'second', work: 'echo ran >> second', needs: ['first'] },
        { id: 'other', work: 'echo ran >> other' },
      ],
    });
    expect(await worker.exited).toMatchObject({ signal: 'SIGKILL' });

    expect(await server.ended(plan)).toMatchObject({ state: 'succeeded' });
    const isSettled = point === 'settled';
    expect(await server.story(plan, 'first')).toBe(isSettled ? 'succeeded' : 'lost succeeded');
    const attempts = await server.attempts(plan, 'first');
    expect(attempts.map(({ trigger }) => trigger)).toEqual(
      isSettled ? ['first'] : ['first', 'rerun'],
    );
    const effects = world.lines('first');
    expect(effects.at(-1)).toBe(isSettled ? '1' : '2');
    if (EXACTLY_ONCE.includes(point)) expect(effects).toHaveLength(1);
    expect(world.lines('second')).toEqual(['ran']);
    expect(await server.story(plan, 'other')).toMatch(/^(lost )?succeeded$/);

    // What runs at most once is not run again, and nothing of it is left.
    expect(await server.ended(never)).toMatchObject({
      state: 'failed',
      failed: [{ job: 'careful', reason: 'worker_lost', attempts: 1 }],
    });
    expect(world.lines('careful')).toEqual(['ran']);
    await world.noJobs();
    const outputs = path.join(world.state, 'jobs');
    await until('the end of their files', () => readdirSync(outputs).length === 0);
  },
);

test(`${cites('PLAN-CRASH-POINTS', 'PLAN-NEVER')} a job that runs at most once is given up where it may have been started`, async () => {
  await using world = new PlanWorld();
  const server = world.server('auto');
  const worker = await world.worker({ env: { BATON_TEST_CRASH_AT: 'claimed' } });
  const plan = await server.create({
    jobs: [{ id: 'careful', work: 'echo ran >> careful', retry: 'never' }],
  });
  await worker.exited;
  expect(await server.ended(plan)).toMatchObject({
    state: 'failed',
    failed: [{ reason: 'worker_lost', message: expect.stringContaining('is not known') }],
  });
  expect(world.lines('careful')).toEqual([]);
  // A person who knows better can run it.
  await server.control(plan, 'retry');
  expect(await server.ended(plan)).toMatchObject({ state: 'succeeded' });
  expect(world.lines('careful')).toEqual(['ran']);
});
