import { expect, test } from 'vitest';
import { cites } from '../requirements.ts';
import { PlanWorld, signal } from './plan-world.ts';
import { changeLeases } from './stored-rows.ts';
import { until } from './until.ts';

// A lease is over after 30 s of silence; the tests shorten that in the store.
const SILENCE_MS = 300;
const ONE_JOB = {
  jobs: [
    {
      id: 'job',
      work: 'echo $BATON_ATTEMPT >> effects; while [ ! -e open ]; do sleep 0.05; done; echo value=$BATON_ATTEMPT > $BATON_OUTPUT',
    },
  ],
};

test(`${cites('PLAN-SURVIVES', 'T17', 'T22')} a worker that was stopped for too long is replaced, and its late result refused`, async () => {
  await using world = new PlanWorld();
  const late = await world.worker();
  const server = world.server('auto');
  const plan = await server.create(ONE_JOB);
  await server.running(plan, 1);
  await until('the first attempt', () => world.lines('effects').length === 1);
  late.child.kill('SIGSTOP');
  await changeLeases(world.state, '%', { silenceMs: SILENCE_MS });
  // Each look of the server counts some of the silence.
  await until('a second attempt', async () => {
    await server.get(plan);
    return world.lines('effects').length === 2;
  });
  const old = world.jobs().filter(({ env }) => env.get('BATON_ATTEMPT') === '1');
  expect(old).toEqual([]);
  late.child.kill('SIGCONT');
  world.write('open', '');
  expect(await server.ended(plan)).toMatchObject({ state: 'succeeded' });
  await late.until('its refusal', () => late.stderr.includes('its result does not count'));
  expect(await server.story(plan, 'job')).toBe('lost succeeded');
  const { job } = await server.get(plan, { view: 'job', job: 'job' });
  expect(job.outputs).toEqual({ value: '2' });
  expect(world.lines('effects')).toEqual(['1', '2']);
});

test(`${cites('PLAN-CRASH-POINTS', 'T22')} a worker that dies at "leftovers ended"`, async () => {
  await using world = new PlanWorld();
  const stopped = await world.worker();
  const server = world.server('auto');
  const plan = await server.create(ONE_JOB);
  await server.running(plan, 1);
  await until('the first attempt', () => world.lines('effects').length === 1);
  stopped.child.kill('SIGSTOP');
  // It has lost its seat and not yet its job: the next one gets the job while it is at work.
  await changeLeases(world.state, 'worker', { isFree: true });
  const crashing = await world.worker({ env: { BATON_TEST_CRASH_AT: 'leftovers ended' } });
  await changeLeases(world.state, 'work/%', { silenceMs: SILENCE_MS });
  const crash = crashing.exited;
  await until('the crash', async () => {
    await server.get(plan);
    return crashing.child.signalCode === 'SIGKILL';
  });
  await crash;
  signal(stopped.child.pid ?? 0, 'SIGKILL');
  world.write('open', '');
  expect(await server.ended(plan)).toMatchObject({ state: 'succeeded' });
  expect(await server.story(plan, 'job')).toBe('lost lost succeeded');
  expect(world.lines('effects')).toEqual(['1', '3']);
  await world.noJobs();
});
