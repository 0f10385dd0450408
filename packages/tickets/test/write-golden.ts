// Writes the golden database of the newest tables: `npx tsx packages/tickets/test/write-golden.ts`.
// Once released, a file is never written again: each version of the tables has its own.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { openStore } from '@baton/store';
import { createFakeClock, createMemoryLog, temporaryFolder } from '@baton/testkit';
import { ticketsSchema } from '@baton/tickets';
import { createWorld } from './world.ts';

using folder = temporaryFolder();
const store = await openStore({
  file: path.join(folder.path, 'baton.db'),
  log: createMemoryLog(),
  clock: createFakeClock(),
  ids: { next: () => crypto.randomUUID() },
  schemas: [ticketsSchema],
});
const world = await createWorld({ store, workspace: '/golden' });

await world.create('Done', { body: 'Whatever it was.', labels: ['old'], key: 'first' });
await world.report(await world.take(), 'done', { summary: 'It is done.', files: ['a.ts'] });
await world.create('Claimed', { priority: 1, checks: ['npm test'], maxAttempts: 2 });
await world.take({ agent: 'golden', leaseSeconds: 60 });
await world.create('Needs both', { needs: ['T-1', 'T-2'] });
await world.create('Part', { parent: 'T-3', assignee: 'anna' });
await world.create('Which one?', { kind: 'question' });
await world.create('Blocked');
await world.call('ticket_update', { id: 'T-6', state: 'blocked', waitsFor: 'the release' });
await world.call('ticket_update', { id: 'T-6', note: 'Not before May.' });
await world.create('Same', { links: [{ type: 'related', ticket: 'T-6' }] });
await world.call('ticket_update', { id: 'T-7', links: [{ type: 'duplicate', ticket: 'T-6' }] });

const { schemas } = await store.health();
const target = path.join(import.meta.dirname, 'golden', `tickets-${schemas.tickets}.db`);
if (existsSync(target)) throw new Error(`${target} exists; remove it if it was never released`);
await store.backup(target);
await store.close();
