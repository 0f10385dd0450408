import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { cites } from '../../requirements.ts';
import type { Result } from '../plan-server.ts';
import { until } from '../until.ts';
import { edit, GitWorld } from './git-world.ts';

test(`${cites('PLAN-WORKTREES', 'PLAN-LANDING')} a hundred jobs, made and watched by two servers`, async () => {
  await using world = new GitWorld();
  const [server, other] = [world.server('auto'), world.server('auto')];
  const ids = Array.from({ length: 100 }, (_, index) => `job-${index}`);
  const plan = await server.create({
    git: { target: 'next' },
    maxParallel: 8,
    key: 'once',
    jobs: ids.map((id, index) => ({
      id,
      work: `echo ${id} > ${id}.txt`,
      needs: index % 10 === 0 ? [] : [`job-${index - 1}`],
    })),
  });
  expect(await other.ended(plan)).toMatchObject({ state: 'succeeded', jobs: { succeeded: 101 } });
  expect(world.files('next').filter((file) => file.startsWith('job-'))).toHaveLength(100);
  const commits = world.git(
    'log',
    '--format=%(trailers:key=Baton-Job,valueonly)',
    '--no-merges',
    'main..next',
  );
  expect(commits.split('\n').filter(Boolean).sort()).toEqual([...ids].sort());
  await world.clean(['main', 'next']);
});

test(`${cites('PLAN-PREDICTION', 'PLAN-CONFLICT')} conflicts of jobs that still run are told, and are gone when they are`, async () => {
  await using world = new GitWorld();
  const server = world.server('auto');
  const blockedBy = (name: string) =>
    `while [ ! -e '${world.file(`../${name}`)}' ]; do sleep 0.05; done`;
  const plan = await server.create({
    git: {},
    jobs: [
      { id: 'one', work: `${edit(5, 'one')}; ${blockedBy('go')}` },
      {
        id: 'two',
        work: `${edit(5, 'two')}; ${blockedBy('back')}; ${edit(5, 'line 5')}; ${edit(1, 'two')}; ${blockedBy('go')}`,
      },
      { id: 'three', work: `${edit(9, 'three')}; ${blockedBy('go')}` },
    ],
  });
  const conflicts = await until('a prediction', async () => (await server.get(plan)).git.conflicts);
  expect(conflicts).toEqual([{ jobs: ['one', 'two'], files: ['shared.txt'] }]);
  const { list } = await server.get(plan, { view: 'jobs' });
  expect(list.jobs.map(({ phase }: Result) => phase)).toEqual(['work', 'work', 'work', undefined]);
  world.write('../back', '');
  await until('its end', async () => !(await server.get(plan)).git.conflicts);
  world.write('../go', '');
  expect(await server.ended(plan)).toMatchObject({ state: 'succeeded' });
});

test(`${cites('PLAN-EXACTLY-ONCE', 'PLAN-LANDING')} two plans that land on one branch at the same time lose nothing of each other`, async () => {
  await using world = new GitWorld();
  const server = world.server('auto');
  const run = promisify(execFile);
  const env = { PATH: process.env.PATH, HOME: world.folder };
  const plans = await Promise.all(
    ['a', 'b', 'c'].map((name) =>
      server.create({
        name,
        git: { target: 'next', verify: ['true'] },
        jobs: ['1', '2'].map((number) => ({
          id: `job-${name}${number}`,
          work: `echo ${name} > ${name}${number}.txt`,
        })),
      }),
    ),
  );
  // Meanwhile somebody fetches, packs and looks around.
  const busy = until('the end of all', async () => {
    for (const args of [['gc', '-q'], ['pack-refs', '--all'], ['status']]) {
      // Git's own clean-up fails where a worktree is just being made.
      await run('git', args, { cwd: world.workspace, env }).catch(() => {});
    }
    const states = await Promise.all(plans.map(async (plan) => (await server.get(plan)).state));
    return states.every((state) => state !== 'running');
  });
  for (const plan of plans) expect(await server.ended(plan)).toMatchObject({ state: 'succeeded' });
  await busy;
  const wanted = ['a1', 'a2', 'b1', 'b2', 'c1', 'c2'].map((name) => `${name}.txt`);
  expect(world.files('next').filter((file) => /^[abc]\d/.test(file))).toEqual(wanted);
  await world.clean(['main', 'next']);
});
