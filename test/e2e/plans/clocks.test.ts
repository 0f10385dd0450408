import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cites } from '../requirements.ts';
import type { PlanServer } from './plan-server.ts';
import { PlanWorld } from './plan-world.ts';
import { until } from './until.ts';
import { HOUR_MS, TEN_YEARS_MS, WrongClock } from './wrong-clock.ts';

/** Every duration that anybody is shown. */
async function durations(
  server: PlanServer,
  plan: string,
  jobs: readonly string[],
): Promise<number[]> {
  const { seconds } = await server.get(plan);
  const { graph } = await server.get(plan, { view: 'graph' });
  const attempts = await Promise.all(jobs.map((job) => server.attempts(plan, job)));
  return [seconds, graph.criticalPath.seconds, ...attempts.flat().map((each) => each.seconds)];
}

const JOBS = [
  { id: 'first', work: 'true' },
  { id: 'flaky', work: 'echo x >> tries; [ $(wc -l < tries) -gt 1 ]', retry: 1, needs: ['first'] },
  { id: 'last', work: 'true', needs: ['flaky'] },
];
const IDS = JOBS.map(({ id }) => id);

test.each([
  ['ten years ahead', TEN_YEARS_MS],
  ['an hour behind', -HOUR_MS],
])(
  `${cites('T37', 'PLAN-RETRY')} plans run where the clock of the worker, or that of the server, is %s`,
  async (_, shiftMs) => {
    await using world = new PlanWorld();
    const wrong = new WrongClock(world, 'wrong', shiftMs);
    const servers = [world.server('off'), world.server('off', wrong.start)] as const;
    const create = (server: PlanServer) => server.create({ jobs: JOBS });
    const check = async (plan: string) => {
      for (const server of servers) {
        expect(await server.ended(plan)).toMatchObject({ state: 'succeeded' });
        expect(await server.story(plan, 'flaky')).toBe('failed succeeded');
        expect((await durations(server, plan, IDS)).filter((seconds) => seconds < 0)).toEqual([]);
      }
    };
    const wrongWorker = await world.worker(wrong.start);
    await check(await create(servers[0]));
    wrongWorker.child.kill('SIGTERM');
    await wrongWorker.exited;
    rmSync(world.file('tries'));
    await world.worker();
    await check(await create(servers[1]));
  },
);

test.each([
  ['back by an hour', -HOUR_MS],
  ['ahead by ten years', TEN_YEARS_MS],
])(
  `${cites('T37', 'PLAN-RETRY')} a clock that jumps %s while jobs run and wait loses nothing`,
  async (_, jumpMs) => {
    await using world = new PlanWorld();
    const clock = new WrongClock(world, 'all', 0);
    await world.worker(clock.start);
    const server = world.server('off', clock.start);
    const plan = await server.create({
      jobs: [...JOBS, { id: 'slow', work: 'while [ ! -e open ]; do sleep 0.05; done' }],
    });
    await until('the first try', () => world.lines('tries').length === 1);
    clock.set(jumpMs);
    const before = performance.now();
    await until('the second try', () => world.lines('tries').length === 2);
    expect(performance.now() - before).toBeLessThan(30_000);
    const { active } = await server.get(plan);
    expect(active.every(({ seconds }: { seconds: number }) => seconds >= 0)).toBe(true);
    world.write('open', '');
    expect(await server.ended(plan)).toMatchObject({ state: 'succeeded' });
    const shown = await durations(server, plan, [...IDS, 'slow']);
    expect(shown.every((seconds) => seconds >= 0)).toBe(true);
  },
);
