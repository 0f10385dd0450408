import { copyFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { cites } from '@baton/e2e/requirements';
import { openStore } from '@baton/store';
import { createFakeClock, createMemoryLog, temporaryFolder } from '@baton/testkit';
import { ticketsSchema } from '@baton/tickets';
import { expect, test } from 'vitest';
import { createWorld, refusal } from './world.ts';

const golden = path.join(import.meta.dirname, 'golden');
const files = readdirSync(golden).filter((name) => name.endsWith('.db'));
const options = {
  log: createMemoryLog(),
  clock: createFakeClock(Date.UTC(2027, 0, 1)),
  ids: { next: () => crypto.randomUUID() },
  schemas: [ticketsSchema],
};

test.each(files)(
  `${cites('T43')} tickets of every version so far are brought up to date and go on: %s`,
  async (name) => {
    using folder = temporaryFolder();
    const file = path.join(folder.path, 'baton.db');
    copyFileSync(path.join(golden, name), file);
    const store = await openStore({ ...options, file });
    await using world = await createWorld({ store, workspace: '/golden' });
    const { tickets } = await world.call('ticket_find', { state: 'all' });
    const told = tickets.map(({ id, state, title }: Record<string, string>) =>
      [id, state, title].join(' '),
    );
    expect(told).toEqual([
      'T-7 cancelled Same',
      'T-6 blocked Blocked',
      'T-5 ready Which one?',
      'T-4 ready Part',
      'T-3 waiting Needs both',
      'T-2 claimed Claimed',
      'T-1 done Done',
    ]);
    const { ticket } = await world.call('ticket_find', { id: 'T-3' });
    expect(ticket).toMatchObject({ needs: ['T-1', 'T-2'], subtasks: ['T-4'] });
    expect((await world.call('ticket_find', { text: 'may' })).tickets).toMatchObject([
      { id: 'T-6', waitsFor: 'the release' },
    ]);
    expect((await refusal(world.create('Other', { key: 'first' }))).code).toBe('key_conflict');

    const claim = await world.take({ agent: 'golden' });
    expect(claim.id).toBe('T-2');
    await world.report(claim, 'done', { waitSeconds: 0 });
    world.endChecks('passed');
    await world.report(await world.take({ agent: 'anna' }), 'done');
    expect((await world.take()).id).toBe('T-3');
    expect(await world.create('Next')).toBe('T-8');
    expect(await store.check()).toEqual([]);
  },
);

test(`${cites('T43')} the newest tables of tickets have a golden file`, async () => {
  const store = await openStore({ ...options, file: ':memory:' });
  const { schemas } = await store.health();
  await store.close();
  expect(files).toContain(`tickets-${schemas.tickets}.db`);
});
