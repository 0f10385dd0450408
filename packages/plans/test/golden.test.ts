import { copyFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { cites } from '@baton/e2e/requirements';
import { plansSchema } from '@baton/plans';
import { loseJob } from '@baton/plans/jobs';
import { expireLeases, LeaseWatch, openStore } from '@baton/store';
import { createFakeClock, createFakeIds, createMemoryLog, temporaryFolder } from '@baton/testkit';
import { expect, test } from 'vitest';
import { close } from './ticket-world.ts';
import { asking, createWorld, job, NEVER } from './world.ts';

const golden = path.join(import.meta.dirname, 'golden');
const files = readdirSync(golden).filter((name) => name.endsWith('.db'));
const workspace = '/golden';

test.each(files)(
  `${cites('T43')} plans of every version so far are brought up to date and go on: %s`,
  async (name) => {
    using folder = temporaryFolder();
    const file = path.join(folder.path, 'baton.db');
    copyFileSync(path.join(golden, name), file);
    const clock = createFakeClock(Date.UTC(2027, 0, 1));
    const ids = { next: () => crypto.randomUUID() };
    const log = createMemoryLog();
    const store = await openStore({ file, log, clock, ids, schemas: [plansSchema] });
    await using world = await createWorld({ store, clock, workspace });
    const { plans } = await world.service.list({ limit: 10 });
    expect(plans.map(({ name: title, state, jobs }) => `${title} ${state} ${jobs}`)).toEqual([
      'Draft draft 0/0',
      'Next waiting 0/1',
      'Golden running 1/4',
      ...(name === 'plans-1.db' ? [] : ['Asks running 0/1']),
    ]);
    const [, next = '', plan = '', asks] = plans.map(({ id }) => id);
    expect(await world.states(plan)).toBe('lint:succeeded test:ready build:running ship:pending');
    const { job: lint } = await world.service.look({ plan, view: 'job', job: 'lint' }, NEVER);
    expect(lint).toMatchObject({ outputs: { warnings: '3' }, task: 'Look at it.', attempts: 1 });
    const repeated = { name: 'Golden', jobs: [job('other')], key: 'first' };
    await expect(world.service.create(repeated, asking)).rejects.toMatchObject({
      code: 'key_conflict',
    });

    // The worker of that time is gone; another one goes on.
    const watch = new LeaseWatch(clock, { self: '', isDead: () => true });
    await expireLeases(store, watch, loseJob);
    expect(await world.states(plan)).toBe('lint:succeeded test:ready build:ready ship:pending');
    expect(await world.drain()).toEqual(['test', 'build', 'ship', 'last']);
    expect(await world.stateOf(plan)).toBe('succeeded');
    expect(await world.stateOf(next)).toBe('succeeded');
    if (asks) {
      expect(await world.states(asks)).toBe('ask:running');
      expect(await close(world, 'ticket-1')).toBe(asks);
      expect(await world.stateOf(asks)).toBe('succeeded');
    }
    expect(await store.check()).toEqual([]);
  },
);

test(`${cites('T43')} the newest tables of plans have a golden file`, async () => {
  const store = await openStore({
    file: ':memory:',
    log: createMemoryLog(),
    clock: createFakeClock(),
    ids: createFakeIds(),
    schemas: [plansSchema],
  });
  const { schemas } = await store.health();
  await store.close();
  expect(files).toContain(`plans-${schemas.plans}.db`);
});
