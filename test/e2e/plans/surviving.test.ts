import { expect, test } from 'vitest';
import { cites } from '../requirements.ts';
import { PlanWorld, signal } from './plan-world.ts';
import { until } from './until.ts';

test(`${cites('PLAN-RUN', 'PROGRESS')} two servers and a terminal work with one plan`, async () => {
  await using world = new PlanWorld();
  const [maker, watcher] = [world.server('auto'), world.server('auto')];
  const plan = await maker.create({
    jobs: [
      { id: 'gate', work: 'while [ ! -e open ]; do sleep 0.05; done' },
      {
        id: 'after',
        work: 'while [ ! -e finish ]; do sleep 0.05; done; echo ran >> after',
        needs: ['gate'],
      },
    ],
  });
  const end = watcher.call('plan_get', { plan, waitSeconds: 50 }, { progressToken: 'watching' });
  await maker.running(plan, 1);
  const paused = await world.baton('plan', 'control', '--plan', plan, '--action', 'pause');
  expect(paused).toMatchObject({ status: 0, stderr: '' });
  expect(await maker.get(plan)).toMatchObject({ state: 'pausing' });
  const resumed = await world.baton('plan', 'control', '--plan', plan, '--action', 'resume');
  expect(resumed.status).toBe(0);
  world.write('open', '');
  const progress = () =>
    watcher.program.replies
      .filter(({ method }) => method === 'notifications/progress')
      .map(({ params }) => params);
  await watcher.program.until('half of it', () => progress().some((one) => one.progress === 1));
  world.write('finish', '');

  expect(await end).toMatchObject({ state: 'succeeded', jobs: { succeeded: 2 } });
  expect(progress().at(-1)).toMatchObject({ progressToken: 'watching', total: 2 });
  const seen = await world.baton('plan', 'get', '--plan', plan, '--json');
  expect(JSON.parse(seen.stdout)).toEqual(await maker.get(plan));
  expect(await watcher.get(plan)).toEqual(await maker.get(plan));
  expect(world.workers()).toHaveLength(1);
});

test(`${cites('PLAN-SURVIVES')} the window is killed with everything that belongs to it, and the plan goes on`, async () => {
  await using world = new PlanWorld();
  const window = world.server('auto', { command: ['setsid', process.execPath] });
  const plan = await window.create({
    jobs: [
      { id: 'slow', work: 'while [ ! -e open ]; do sleep 0.05; done; echo slow >> order' },
      { id: 'after', work: 'echo after >> order', needs: ['slow'] },
    ],
  });
  await window.running(plan, 1);
  process.kill(-window.pid, 'SIGKILL');
  expect(await window.program.exited).toMatchObject({ signal: 'SIGKILL' });
  expect(world.jobs().length).toBeGreaterThan(0);
  world.write('open', '');
  // Nobody looks at it meanwhile.
  await until('the end of the plan', () => world.lines('order').length === 2);
  const next = world.server('off');
  expect(await next.ended(plan)).toMatchObject({ state: 'succeeded' });
  expect(world.lines('order')).toEqual(['slow', 'after']);
  expect(await next.story(plan, 'slow')).toBe('succeeded');
});

test(`${cites('PLAN-SURVIVES', 'T8', 'T31')} a plan that was acknowledged is there, however soon its server dies`, async () => {
  await using world = new PlanWorld();
  for (const round of [1, 2, 3]) {
    const call = {
      name: 'Release',
      jobs: [{ id: 'only', work: 'echo ran >> effects' }],
      key: `${round}`,
    };
    const server = world.server('auto');
    const { id } = await server.call('plan_create', call);
    signal(server.pid, 'SIGKILL');
    await server.program.exited;
    const next = world.server('auto');
    // Whoever did not hear the answer repeats the call.
    expect(await next.call('plan_create', call)).toMatchObject({ id });
    expect(await next.ended(id)).toMatchObject({ state: 'succeeded' });
    expect(world.lines('effects')).toHaveLength(round);
  }
});

test(`${cites('PLAN-SURVIVES', 'PLAN-NEVER')} a worker that is told to leave gives back what it has begun`, async () => {
  await using world = new PlanWorld();
  const server = world.server('auto');
  const worker = await world.worker();
  const work = 'echo $BATON_JOB_ID >> begun; while [ ! -e open ]; do sleep 0.05; done';
  const plan = await server.create({
    jobs: [
      { id: 'again', work },
      { id: 'once', work, retry: 'never' },
      { id: 'after', work: 'echo after >> begun', needs: ['again'] },
    ],
  });
  await server.running(plan, 2);
  await until('both', () => world.lines('begun').length === 2);
  worker.child.kill('SIGTERM');
  expect(await worker.exited).toEqual({ code: 0, signal: null });
  world.write('open', '');
  expect(await server.ended(plan)).toMatchObject({
    state: 'failed',
    failed: [{ job: 'once', attempts: 1 }],
    jobs: { succeeded: 2 },
  });
  expect(await server.story(plan, 'again')).toBe('released succeeded');
  expect(world.lines('begun').toSorted()).toEqual(['after', 'again', 'again', 'once']);
});

test(`${cites('PLAN-KEY', 'T31')} the same key from two servers at once makes one plan`, async () => {
  await using world = new PlanWorld();
  const servers = [world.server('auto'), world.server('auto')];
  const call = { name: 'Release', jobs: [{ id: 'only', work: 'echo ran >> effects' }], key: 'k' };
  const made = await Promise.all(
    [...servers, ...servers].map((server) => server.call('plan_create', call)),
  );
  expect(new Set(made.map(({ id }) => id)).size).toBe(1);
  const [server] = servers;
  if (!server) throw new Error('no server');
  expect((await server.call('plan_list')).plans).toHaveLength(1);
  await server.ended(made[0].id);
  expect(world.lines('effects')).toEqual(['ran']);
  await expect(server.call('plan_create', { ...call, name: 'Other' })).rejects.toMatchObject({
    code: 'key_conflict',
  });
});
