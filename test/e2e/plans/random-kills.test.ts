import { setTimeout as pause } from 'node:timers/promises';
import { createRandom, type Random } from '@baton/testkit';
import { expect, test } from 'vitest';
import { cites } from '../requirements.ts';
import type { PlanServer } from './plan-server.ts';
import { PlanWorld } from './plan-world.ts';

const KILLS = Number(process.env['BATON_TEST_KILLS'] ?? 15);
const SEED = Number(process.env['BATON_TEST_SEED'] ?? 20260728);
const JOBS = 30;
const LONGEST_LIFE_MS = 400;
/** On a slow machine a job can be lost each time; its eleventh attempt would be the last one. */
const KILLS_IN_A_ROW = 8;
/** All that was left by those who were killed is done by the last one. */
const PATIENCE_MS = 30_000 + KILLS * 2000;

interface Drawn {
  readonly plan: string;
  readonly file: string;
  readonly jobs: readonly { readonly id: string; readonly needs: readonly string[] }[];
}

async function drawPlan(server: PlanServer, random: Random, file: string): Promise<Drawn> {
  const jobs = Array.from({ length: JOBS }, (_, index) => {
    const needs = index === 0 ? [] : [random.integer(index), random.integer(index)];
    return { id: `job-${index}`, needs: [...new Set(needs)].map((need) => `job-${need}`) };
  });
  const plan = await server.create({
    maxParallel: 1 + random.integer(8),
    jobs: jobs.map((job) => ({ ...job, work: `echo ${job.id} >> ${file}`, retry: 10 })),
  });
  return { plan, file, jobs };
}

async function expectAllDone(world: PlanWorld, server: PlanServer, drawn: Drawn): Promise<void> {
  const { plan, file, jobs } = drawn;
  expect(await server.ended(plan, PATIENCE_MS)).toMatchObject({
    state: 'succeeded',
    jobs: { succeeded: JOBS },
  });
  const order = world.lines(file);
  const first = (id: string) => order.indexOf(id);
  expect(jobs.filter(({ id }) => first(id) < 0)).toEqual([]);
  const isEarly = (id: string, need: string) => order.lastIndexOf(need) > first(id);
  expect(jobs.filter(({ id, needs }) => needs.some((need) => isEarly(id, need)))).toEqual([]);
  for (const { id } of jobs) {
    const story = await server.story(plan, id);
    expect(story).toMatch(/^(lost )*succeeded$/);
    expect(order.filter((each) => each === id).length).toBeLessThanOrEqual(story.split(' ').length);
  }
}

test(`${cites('PLAN-SURVIVES', 'T8')} ${KILLS} workers killed at random moments lose nothing (seed ${SEED})`, {
  timeout: 60_000 + KILLS * 4000,
}, async () => {
  const random = createRandom(SEED);
  await using world = new PlanWorld();
  const server = world.server('off');
  const plans: Drawn[] = [];
  for (let kills = 0; kills < KILLS; kills += 1) {
    plans.push(await drawPlan(server, random, `plan-${kills}`));
    const worker = await world.worker();
    await pause(random.integer(LONGEST_LIFE_MS));
    if (kills % KILLS_IN_A_ROW === KILLS_IN_A_ROW - 1)
      for (const { plan } of plans) await server.ended(plan, PATIENCE_MS);
    worker.child.kill('SIGKILL');
    await worker.exited;
  }
  await world.worker();
  for (const drawn of plans) await expectAllDone(world, server, drawn);
  await world.noJobs();
  expect(await world.baton('store', 'check')).toMatchObject({ stdout: 'No damage found.\n' });
});

test(`${cites('PLAN-SURVIVES', 'PLAN-RETRY')} a job that kills its worker each time is given up, and the others go on`, async () => {
  await using world = new PlanWorld();
  const server = world.server('off');
  const plan = await server.create({
    jobs: [
      { id: 'killer', work: 'echo x >> kills; kill -9 $PPID; sleep 300' },
      { id: 'after', work: 'true', needs: ['killer'] },
      // Whoever runs beside it is lost with it each time.
      { id: 'other', work: 'sleep 0.2; echo x >> other', retry: 5 },
    ],
  });
  const end = server.ended(plan);
  let isOver = false;
  void end.then(() => {
    isOver = true;
  });
  while (!isOver) {
    const worker = await world.worker();
    await Promise.race([worker.exited, end]);
  }
  expect(await end).toMatchObject({
    state: 'failed',
    jobs: { failed: 1, blocked: 1, succeeded: 1 },
  });
  expect(await server.story(plan, 'killer')).toBe('lost lost lost');
  expect(world.lines('kills')).toHaveLength(3);
  await world.noJobs();
});
