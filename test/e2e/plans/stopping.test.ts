import { expect, test } from 'vitest';
import { cites } from '../requirements.ts';
import { PlanWorld, signal } from './plan-world.ts';
import { until } from './until.ts';

const MANY = Array.from({ length: 40 }, (_, index) => `job-${index}`);

test(`${cites('PLAN-PAUSE')} nothing starts while a plan is paused, and all of it runs in the end`, async () => {
  await using world = new PlanWorld();
  const server = world.server('auto');
  const plan = await server.create({
    maxParallel: 8,
    jobs: MANY.map((id) => ({
      id,
      work: `echo ${id} >> begun; while [ ! -e open ]; do sleep 0.1; done; echo ${id} >> done`,
    })),
  });
  await server.running(plan, 8);
  expect(await server.control(plan, 'pause')).toMatchObject({ state: 'pausing' });
  world.write('open', '');
  expect(await server.ended(plan)).toMatchObject({ state: 'paused' });
  expect(world.lines('begun')).toHaveLength(8);
  expect(world.lines('done').toSorted()).toEqual(world.lines('begun').toSorted());
  await world.noJobs();
  await server.control(plan, 'resume');
  expect(await server.ended(plan)).toMatchObject({ state: 'succeeded' });
  expect(world.lines('begun').toSorted()).toEqual(MANY.toSorted());
});

test(`${cites('PLAN-CANCEL', 'T21')} all processes of a cancelled plan are gone, and no job starts any more`, async () => {
  await using world = new PlanWorld();
  const server = world.server('auto');
  const plan = await server.create({
    maxParallel: 8,
    jobs: MANY.map((id) => ({ id, work: `echo ${id} >> begun; sleep 300 & sleep 300` })),
  });
  await server.running(plan, 8);
  await until('all eight', () => world.lines('begun').length === 8);
  await server.control(plan, 'cancel');
  expect(await server.ended(plan)).toMatchObject({ state: 'cancelled', jobs: { cancelled: 40 } });
  expect(world.jobs()).toEqual([]);
  expect(world.lines('begun')).toHaveLength(8);
});

test(`${cites('PLAN-CANCEL', 'T21')} who ignores TERM is killed, who left the group too, and last words are kept`, async () => {
  await using world = new PlanWorld();
  const server = world.server('auto');
  const plan = await server.create({
    jobs: [
      { id: 'deaf', work: 'echo up >> up; (trap "" TERM; sleep 300)& wait' },
      { id: 'deaf-all', work: 'trap "" TERM; echo up >> up; while :; do sleep 1; done' },
      {
        id: 'runaway',
        work: 'setsid sh -c \'trap "" TERM; echo up >> up; sleep 300\' >/dev/null 2>&1 & echo up >> up; wait',
      },
      {
        id: 'last-words',
        work: 'trap "echo was told to end; exit 3" TERM; echo up >> up; while :; do sleep 0.05; done',
      },
    ],
  });
  await until('all of them', () => world.lines('up').length === 5);
  await server.running(plan, 4);
  await server.control(plan, 'cancel');
  expect(await server.ended(plan)).toMatchObject({ state: 'cancelled', jobs: { cancelled: 4 } });
  expect(world.jobs()).toEqual([]);
  expect((await server.log(plan, 'last-words')).text).toContain('was told to end\n');
  expect(await server.story(plan, 'deaf')).toBe('cancelled');
});

test(`${cites('PLAN-SURVIVES', 'T22')} nothing of a dead worker is left once another has come`, async () => {
  await using world = new PlanWorld();
  const server = world.server('auto');
  const worker = await world.worker();
  const plan = await server.create({
    maxParallel: 6,
    jobs: Array.from({ length: 6 }, (_, index) => ({
      id: `job-${index}`,
      work:
        index % 2 === 0
          ? '[ -e again ] || sleep 300'
          : '[ -e again ] || setsid sh -c "sleep 300" >/dev/null 2>&1',
    })),
  });
  await server.running(plan, 6);
  const old = new Set(world.jobs().map(({ env }) => env.get('BATON_JOB')));
  expect(old.size).toBe(6);
  world.write('again', '');
  signal(worker.child.pid ?? 0, 'SIGKILL');
  await worker.exited;
  expect(await server.ended(plan)).toMatchObject({ state: 'succeeded' });
  expect(world.jobs().filter(({ env }) => old.has(env.get('BATON_JOB')))).toEqual([]);
});
