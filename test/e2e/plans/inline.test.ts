import { expect, test } from 'vitest';
import { cites } from '../requirements.ts';
import { PlanWorld } from './plan-world.ts';

test(`${cites('PLAN-INLINE')} a server can run jobs itself, and gives them back when its client leaves`, async () => {
  await using world = new PlanWorld();
  const server = world.server('off', { env: { BATON_WORKER: 'inline' } });
  const done = await server.create({ jobs: [{ id: 'quick', work: 'echo ran >> ran' }] });
  expect(await server.ended(done)).toMatchObject({ state: 'succeeded' });
  expect(world.workers()).toEqual([]);
  const plan = await server.create({ jobs: [{ id: 'slow', work: 'sleep 300' }] });
  await server.running(plan, 1);
  expect(await server.program.end()).toMatchObject({ code: 0 });
  expect(world.jobs()).toEqual([]);
  const next = world.server('off');
  expect(await next.get(plan)).toMatchObject({ state: 'running', jobs: { total: 1, ready: 1 } });
  await next.call('plan_control', { plan, action: 'cancel' });
});
