import { setTimeout as pause } from 'node:timers/promises';
import { createRandom, type Random } from '@baton/testkit';
import { expect, test } from 'vitest';
import { cites } from '../../requirements.ts';
import type { PlanServer } from '../plan-server.ts';
import { GitWorld, lines } from './git-world.ts';

const KILLS = Math.ceil(Number(process.env['BATON_TEST_KILLS'] ?? 16) / 2);
const SEED = Number(process.env['BATON_TEST_SEED'] ?? 20261118);
const JOBS = 7;
const LONGEST_LIFE_MS = 900;

interface Drawn {
  readonly plan: string;
  readonly jobs: readonly { readonly id: string; readonly needs: readonly string[] }[];
}

/** Each job writes a file with what it finds of the jobs that it needs, and a line of its own. */
async function drawPlan(server: PlanServer, random: Random, number: number): Promise<Drawn> {
  const jobs = Array.from({ length: JOBS }, (_, index) => {
    const needs = index === 0 ? [] : [random.integer(index), random.integer(index)];
    const isFree = random.integer(3) === 0;
    return {
      id: `p${number}-${index}`,
      needs: isFree ? [] : [...new Set(needs)].map((need) => `p${number}-${need}`),
    };
  });
  const plan = await server.create({
    name: `plan ${number}`,
    maxParallel: 1 + random.integer(4),
    git: {
      base: 'next',
      target: 'next',
      ...(random.integer(2) === 0 && { verify: ['test -f README.md'] }),
    },
    jobs: jobs.map(({ id, needs }) => ({
      id,
      needs,
      retry: 10,
      work: `cat ${needs.map((need) => `${need}.txt`).join(' ')} /dev/null | sort -u > ${id}.txt; echo ${id} >> ${id}.txt`,
      checks: [`grep -q ${id} ${id}.txt`],
    })),
  });
  return { plan, jobs };
}

/** A commit on the target by somebody without a checkout, as a push does it. */
function userCommit(world: GitWorld, random: Random, number: number): string {
  const file = random.integer(2) === 0 ? 'notes.txt' : `user-${number}.txt`;
  for (;;) {
    const parent = world.git('rev-parse', 'next');
    const blob = world.gitWith(`${lines(1, number)}`, 'hash-object', '-w', '--stdin');
    const listed = world.git('ls-tree', '-r', 'next').split('\n');
    const others = listed.filter((line) => !line.endsWith(`\t${file}`));
    const tree = world.gitWith(
      `${[...others, `100644 blob ${blob}\t${file}`].join('\n')}\n`,
      'mktree',
    );
    const commit = world.git('commit-tree', tree, '-p', parent, '-m', `user ${number}`);
    if (world.tryGit('update-ref', 'refs/heads/next', commit, parent)) return commit;
  }
}

/** The refs under which what is in the worktrees of jobs that were given up may be kept. */
async function finish(world: GitWorld, server: PlanServer, drawn: Drawn): Promise<string[]> {
  const givenUp: string[] = [];
  for (let tries = 0; tries < 5; tries += 1) {
    const { state, failed } = await server.ended(drawn.plan, 90_000);
    if (state === 'succeeded') return givenUp;
    // Whoever is lost too often is given up, and a person tries it again.
    expect(failed.map(({ reason }: { reason: string }) => reason)).toEqual(
      failed.map(() => 'worker_lost'),
    );
    for (const { job } of failed) givenUp.push(`refs/baton/kept/${drawn.plan}/${job}/`);
    await server.control(drawn.plan, 'retry');
  }
  throw new Error(`${drawn.plan} does not succeed in ${world.workspace}`);
}

test(`${cites('PLAN-EXACTLY-ONCE', 'PLAN-LANDING', 'PLAN-CLEAN', 'T8')} random plans, ${KILLS} kills and a user who commits: nothing is lost, nothing happens twice (seed ${SEED})`, {
  timeout: 120_000 + KILLS * 10_000,
}, async () => {
  const random = createRandom(SEED);
  await using world = new GitWorld();
  world.git('branch', 'next');
  const server = world.server('off');
  const plans: Drawn[] = [];
  const commits: string[] = [];
  for (let kills = 0; kills < KILLS; kills += 1) {
    if (kills % 2 === 0) plans.push(await drawPlan(server, random, plans.length));
    const worker = await world.worker();
    commits.push(userCommit(world, random, commits.length + 1));
    await pause(random.integer(LONGEST_LIFE_MS));
    worker.child.kill('SIGKILL');
    await worker.exited;
  }
  await world.worker();
  commits.push(userCommit(world, random, commits.length + 1));
  const givenUp: string[] = [];
  for (const drawn of plans) givenUp.push(...(await finish(world, server, drawn)));

  // Every commit of the user is on the target.
  const reachable = new Set(world.git('rev-list', 'next').split('\n'));
  expect(commits.filter((commit) => !reachable.has(commit))).toEqual([]);
  // Each job has one commit there, and one landing brought each plan.
  const trailers = (key: string, ...more: string[]) =>
    world
      .git('log', `--format=%(trailers:key=${key},valueonly)`, ...more, 'main..next')
      .split('\n')
      .filter(Boolean)
      .sort();
  const ids = plans.flatMap(({ jobs }) => jobs.map(({ id }) => id)).sort();
  expect(trailers('Baton-Job', '--no-merges')).toEqual(ids);
  // The tree is that of all jobs together, each with what it had found of those it needs.
  for (const { jobs } of plans) {
    const contents = new Map<string, string[]>();
    for (const { id, needs } of jobs) {
      const found = new Set(needs.flatMap((need) => contents.get(need) ?? []));
      contents.set(id, [...[...found].sort(), id]);
      expect(world.show('next', `${id}.txt`).split('\n')).toEqual(contents.get(id));
    }
  }
  await world.noJobs();
  // Nobody knows what a worker that was lost for good has left half done: it is kept, as a person's.
  const kept = world.git('for-each-ref', '--format=%(refname)', 'refs/baton/kept/').split('\n');
  for (const ref of kept.filter(Boolean)) {
    expect(givenUp.some((refs) => ref.startsWith(refs))).toBe(true);
    world.git('update-ref', '-d', ref);
  }
  await world.clean(['main', 'next']);
  expect(await world.baton('store', 'check')).toMatchObject({ stdout: 'No damage found.\n' });
});
