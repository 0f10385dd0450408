import { readFileSync } from 'node:fs';
import type { Program } from '@baton/testkit';
import { describe, expect, test } from 'vitest';
import { cites } from '../../requirements.ts';
import type { PlanServer, Result } from '../plan-server.ts';
import { signal } from '../plan-world.ts';
import { changeLeases } from '../stored-rows.ts';
import { until } from '../until.ts';
import { edit, GitWorld } from './git-world.ts';

// A lease is over after 30 s of silence; the tests shorten that in the store.
const SILENCE_MS = 300;
const PLAN = {
  git: { target: 'next', verify: ['grep -q one shared.txt'] },
  jobs: [
    { id: 'one', work: edit(1, 'one'), checks: ['true'] },
    { id: 'two', work: edit(9, 'two') },
  ],
};

/** Three servers, and a worker that stops in the middle of a job. */
async function stoppedAt(world: GitWorld, point: string, job: string) {
  world.git('branch', 'next');
  const worker = await world.workerThatMeets(point, 'kill -STOP $PPID', job);
  const servers = [world.server('auto'), world.server('auto'), world.server('auto')] as const;
  const plan = await servers[0].create(PLAN);
  await until('the stop', () => stateOf(worker) === 'T');
  return { worker, servers, plan };
}

function stateOf({ child }: Program): string {
  const text = readFileSync(`/proc/${child.pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2)[0] ?? '';
}

/** Each look of a server counts some of the silence. */
async function takenOver(world: GitWorld, server: PlanServer, plan: string, job: string) {
  await changeLeases(world.state, '%', { silenceMs: SILENCE_MS });
  await until('the end of its lease', async () =>
    (await server.story(plan, job)).startsWith('lost'),
  );
}

/** It goes on where it was, until it has learnt that the job is not its own any more. */
async function wake(worker: Program): Promise<void> {
  signal(worker.child.pid ?? 0, 'SIGCONT');
  await worker.until('its refusal', () => worker.stderr.includes('its result does not count'));
}

/** All that anybody can see of a plan, and of the repository. */
async function seen(world: GitWorld, server: PlanServer, plan: string) {
  const { git, state, jobs } = await server.get(plan);
  const details = [];
  for (const job of ['one', 'two', 'land']) {
    const { job: found } = await server.get(plan, { view: 'job', job });
    // A worktree is removed beside all this.
    const steps = found.steps.filter(({ phase }: Result) => phase !== 'clean-up');
    const { worktree: _, ...rest } = found.git;
    details.push({ ...found, steps, git: rest }, await server.attempts(plan, job));
  }
  const refs = world.git('for-each-ref', '--format=%(refname) %(objectname)');
  return { git, state, jobs, refs, details };
}

describe.runIf(process.platform === 'linux')(
  'a worker that sleeps past its lease (needs /proc)',
  () => {
    test.each([
      ['worked', 'one'],
      ['merged', 'land'],
      ['target verified', 'land'],
    ])(
      `${cites('T17', 'PLAN-EXACTLY-ONCE')} at "%s" of %s changes nothing when it wakes`,
      async (point, job) => {
        await using world = new GitWorld();
        const { worker, servers, plan } = await stoppedAt(world, point, job);
        await takenOver(world, servers[1], plan, job);
        expect(await servers[1].ended(plan)).toMatchObject({ state: 'succeeded' });
        expect(await servers[2].story(plan, job)).toBe('lost succeeded');
        const before = await seen(world, servers[2], plan);
        await wake(worker);
        expect(await seen(world, servers[2], plan)).toEqual(before);

        // Each job has one commit on the target, brought together once.
        const subjects = world.git('log', '--format=%s', '--no-merges', 'main..next').split('\n');
        expect(subjects.sort()).toEqual(['one', 'two']);
        expect(world.git('log', '--format=%s', '--merges', 'main..next').split('\n')).toHaveLength(
          1,
        );
        await world.clean(['main', 'next']);
      },
    );

    test(`${cites('T17', 'PLAN-LANDING')} does not land what was cancelled meanwhile`, async () => {
      await using world = new GitWorld();
      const { worker, servers, plan } = await stoppedAt(world, 'target verified', 'land');
      expect(await servers[0].control(plan, 'cancel')).toMatchObject({ state: 'cancelling' });
      await takenOver(world, servers[1], plan, 'land');
      expect(await servers[1].ended(plan)).toMatchObject({ state: 'cancelled' });
      const before = await seen(world, servers[2], plan);
      await wake(worker);
      expect(await seen(world, servers[2], plan)).toEqual(before);
      expect(world.git('rev-parse', 'next')).toBe(world.git('rev-parse', 'main'));
    });
  },
);
