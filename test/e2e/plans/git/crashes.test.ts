import { WORKTREE_POINTS } from '@baton/runner';
import { expect, test } from 'vitest';
import { cites } from '../../requirements.ts';
import { until } from '../until.ts';
import { edit, GitWorld, writeAt } from './git-world.ts';

/** Points of the job that lands; the others are of the one that works. */
const OF_LANDING = /^(merged|plan branch set|target .*|landed)$/;
/** From here on its work is known to be done. */
const IS_WORKED = new Set<string>([
  ...WORKTREE_POINTS.slice(WORKTREE_POINTS.indexOf('worked')),
  'settled',
]);

/** Before its worktree is removed, and while its work runs. */
const OTHERS = ['spawned', 'settled'] as const;
/** Without a conflict nothing is resolved: below. */
const USUAL = WORKTREE_POINTS.filter((point) => point !== 'resolved');

test.each([...USUAL, ...OTHERS])(
  `${cites('PLAN-EXACTLY-ONCE', 'PLAN-CRASH-POINTS', 'PLAN-CLEAN', 'T8')} a worker that dies at "%s" in a worktree`,
  async (point) => {
    await using world = new GitWorld();
    world.git('branch', 'next');
    const server = world.server('auto');
    const job = OF_LANDING.test(point) ? 'land' : 'one';
    const worker = await world.worker({
      env: { BATON_TEST_CRASH_AT: point, BATON_TEST_CRASH_JOB: job },
    });
    const plan = await server.create({
      git: { target: 'next', verify: ['grep -q one shared.txt'] },
      env: { RAN: world.file('../ran') },
      jobs: [
        { id: 'one', work: `echo ran >> "$RAN"; ${edit(1, 'one')}`, checks: ['true'] },
        { id: 'two', work: edit(9, 'two') },
      ],
    });
    expect(await worker.exited).toMatchObject({ signal: 'SIGKILL' });
    expect(await server.ended(plan)).toMatchObject({ state: 'succeeded' });
    expect(await server.story(plan, job)).toBe(
      point === 'settled' ? 'succeeded' : 'lost succeeded',
    );

    // Work that was done is not done again, and each job has one commit on the target.
    const times = world.lines('../ran').length;
    if (IS_WORKED.has(point)) expect(times).toBe(1);
    const subjects = world.git('log', '--format=%s', '--no-merges', 'main..next').split('\n');
    expect(subjects.sort()).toEqual(['one', 'two']);
    expect(world.git('log', '--format=%s', '--merges', 'main..next').split('\n')).toHaveLength(1);
    expect(world.show('next', 'shared.txt')).toMatch(/^one\n[\s\S]*two$/);
    await world.noJobs();
    await world.clean(['main', 'next']);
    // And nothing more happens once the plan is gone.
    await server.control(plan, 'delete');
    await until('the end of its refs', () => world.git('for-each-ref', 'refs/baton') === '');
  },
);

/** Of a job that goes on with a conflict that was resolved, up to where it is like any other. */
const OF_RESOLUTION = ['claimed', 'resolved', 'worktree recorded'] as const;

test.each(OF_RESOLUTION.flatMap((point) => ['both', 'land'].map((job) => [point, job])))(
  `${cites('PLAN-EXACTLY-ONCE', 'PLAN-CONFLICT', 'T8')} what a person has resolved survives a worker that dies at "%s" of %s`,
  async (point, job) => {
    await using world = new GitWorld();
    const server = world.server('off');
    const first = await world.worker();
    const plan = await server.create({
      // Its verification needs a worktree, too.
      git: { target: 'next', verify: ['true'] },
      jobs: [
        { id: 'left', work: edit(5, 'left') },
        { id: 'right', work: edit(5, 'right') },
        ...(job === 'both' ? [{ id: 'both', work: 'touch both', needs: ['left', 'right'] }] : []),
      ],
    });
    expect(await server.ended(plan)).toMatchObject({ failed: [{ job, reason: 'merge_conflict' }] });
    first.child.kill('SIGTERM');
    await first.exited;
    const { job: kept } = await server.get(plan, { view: 'job', job });
    writeAt(kept.git.worktree, 'shared.txt', 'decided\n');

    const env = { BATON_TEST_CRASH_AT: point, BATON_TEST_CRASH_JOB: job };
    const second = await world.worker({ env });
    await server.control(plan, 'retry', { jobs: [job], from: 'prepare' });
    expect(await second.exited).toMatchObject({ signal: 'SIGKILL' });
    await world.worker();
    expect(await server.ended(plan)).toMatchObject({ state: 'succeeded' });
    expect(world.show('next', 'shared.txt')).toBe('decided');
    await world.clean(['main', 'next']);
  },
);
