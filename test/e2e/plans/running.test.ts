import { createRandom } from '@baton/testkit';
import { expect, test } from 'vitest';
import { cites } from '../requirements.ts';
import { PlanWorld } from './plan-world.ts';

const SEED = Number(process.env['BATON_TEST_SEED'] ?? 20260728);
const JOBS = 500;

interface Job {
  readonly id: string;
  readonly work: string;
  readonly needs: readonly string[];
}

/** Each job needs up to three of the thirty before it. */
function randomJobs(): Job[] {
  const random = createRandom(SEED);
  const jobs: Job[] = [];
  for (let index = 0; index < JOBS; index += 1) {
    const near = jobs.slice(-30);
    const count = near.length === 0 ? 0 : random.integer(4);
    const needs = new Set(Array.from({ length: count }, () => random.pick(near).id));
    const id = `job-${index}`;
    jobs.push({ id, work: `echo ${id} >> order`, needs: [...needs] });
  }
  return jobs;
}

test(`${cites('PLAN-RUN')} ${JOBS} jobs run once each, and each after what it needs (seed ${SEED})`, async () => {
  await using world = new PlanWorld();
  const server = world.server('auto');
  const jobs = randomJobs();
  const plan = await server.create({ jobs, maxParallel: 16 });
  expect(await server.ended(plan)).toMatchObject({
    state: 'succeeded',
    jobs: { total: JOBS, succeeded: JOBS },
  });
  const order = world.lines('order');
  expect(order.toSorted()).toEqual(jobs.map(({ id }) => id).sort());
  const position = new Map(order.map((id, index) => [id, index]));
  const at = (id: string) => position.get(id) ?? Number.NaN;
  const early = jobs.flatMap(({ id, needs }) => needs.filter((need) => !(at(need) < at(id))));
  expect(early).toEqual([]);
});
