import { expect, test } from 'vitest';
import { cites } from '../requirements.ts';
import { PlanWorld } from './plan-world.ts';
import { until } from './until.ts';

const gated = (id: string) => `echo ${id} >> order; while [ ! -e open-${id} ]; do sleep 0.05; done`;

test(`${cites('PLAN-EDIT')} jobs are put in between, changed and removed while the plan runs`, async () => {
  await using world = new PlanWorld();
  const server = world.server('auto');
  const plan = await server.create({
    maxParallel: 1,
    jobs: [
      { id: 'first', work: gated('first') },
      { id: 'build', work: 'echo build >> order', needs: ['first'] },
      { id: 'unwanted', work: 'echo unwanted >> order' },
      { id: 'changed', work: 'echo old >> order', needs: ['build'] },
    ],
  });
  await server.running(plan, 1);
  const edit = (changes: object) => server.call('plan_edit', { plan, ...changes });
  await edit({
    upsert: [
      { id: 'audit', work: 'echo audit >> order', needs: ['first'] },
      { id: 'build', work: 'echo build >> order', needs: ['audit'] },
      { id: 'changed', work: 'echo new >> order', needs: ['build'] },
    ],
    remove: ['unwanted'],
  });
  await expect(edit({ upsert: [{ id: 'first', work: 'true' }] })).rejects.toMatchObject({
    code: 'job_started',
  });
  await expect(
    edit({ upsert: [{ id: 'audit', work: 'true', needs: ['changed'] }] }),
  ).rejects.toMatchObject({ code: 'plan_graph' });
  world.write('open-first', '');
  expect(await server.ended(plan)).toMatchObject({
    state: 'succeeded',
    jobs: { total: 4, succeeded: 4 },
  });
  expect(world.lines('order')).toEqual(['first', 'audit', 'build', 'new']);
});

test(`${cites('PLAN-EDIT', 'PLAN-LIMITS')} a changed limit holds at once`, async () => {
  await using world = new PlanWorld();
  const server = world.server('auto');
  const ids = ['one', 'two', 'three', 'four', 'five'];
  const plan = await server.create({
    maxParallel: 1,
    jobs: ids.map((id) => ({ id, work: gated(id) })),
  });
  const begun = (count: number) =>
    until(`the start of ${count} jobs`, () => world.lines('order').length === count);
  await begun(1);
  expect((await server.get(plan)).jobs).toMatchObject({ ready: 4 });
  await server.call('plan_edit', { plan, set: { maxParallel: 4 } });
  await begun(4);
  await server.running(plan, 4);
  await server.call('plan_edit', { plan, set: { maxParallel: 3 } });
  const [first = ''] = world.lines('order');
  world.write(`open-${first}`, '');
  // One has gone, three are left: the fifth waits for one more.
  await server.get(plan, { view: 'job', job: first, waitSeconds: 20 });
  expect((await server.get(plan)).jobs).toMatchObject({ running: 3, ready: 1 });
  expect(world.lines('order')).toHaveLength(4);
  for (const id of ids) world.write(`open-${id}`, '');
  expect(await server.ended(plan)).toMatchObject({ state: 'succeeded' });
});

test(`${cites('PLAN-LIMITS')} the limit of the user holds over all plans`, async () => {
  await using world = new PlanWorld({ env: { BATON_MAX_JOBS: '2' } });
  const server = world.server('auto');
  const make = (name: string) =>
    server.create({
      name,
      maxParallel: 0,
      jobs: Array.from({ length: 10 }, (_, index) => ({
        id: `job-${index}`,
        // Whoever is the third at once says so.
        work: 'mkdir -p at-work; touch at-work/$$; ls at-work | wc -l >> together; sleep 0.05; rm at-work/$$',
      })),
    });
  const plans = await Promise.all([make('One'), make('Two')]);
  for (const plan of plans) expect(await server.ended(plan)).toMatchObject({ state: 'succeeded' });
  const together = world.lines('together').map(Number);
  expect(together).toHaveLength(20);
  expect(Math.max(...together)).toBe(2);
});
