// Writes the golden database of the newest tables: `npx tsx packages/store/test/write-golden.ts`.
// Once released, a file is never written again: each version of the tables has its own.
import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  addWork,
  claimWork,
  completeWork,
  failWork,
  fingerprint,
  once,
  openStore,
  setGate,
} from '@baton/store';
import { createFakeClock, createFakeIds, createMemoryLog, temporaryFolder } from '@baton/testkit';

const workspace = '/golden';

using folder = temporaryFolder();
const store = await openStore({
  file: path.join(folder.path, 'baton.db'),
  log: createMemoryLog(),
  clock: createFakeClock(),
  ids: createFakeIds(),
});
const { holder } = store.createHolding({ label: 'golden' });
const asked = await fingerprint({ name: 'golden' });
const queue = 'jobs';
await store.write('durable', async (tx) => {
  await once(tx, { scope: 'golden', key: 'first', fingerprint: asked }, async () => ({ id: 'a' }));
  await addWork(tx, [
    { id: 'a', workspace, queue, labels: ['small'] },
    { id: 'b', workspace, queue, needs: ['a'] },
    { id: 'c', workspace, queue, priority: -1 },
    { id: 'd', workspace, queue, needs: ['c', 'b'] },
    { id: 'e', workspace, queue, group: 'paused' },
  ]);
  await setGate(tx, { group: 'paused' }, { isPaused: true });
});
for (const finish of [completeWork, undefined, failWork]) {
  await store.write('durable', async (tx) => {
    const claim = await claimWork(tx, holder, { queue });
    if (claim && finish) await finish(tx, claim, { detail: 'on purpose' });
  });
}
const { schemas } = await store.health();
const target = path.join(import.meta.dirname, 'golden', `store-${schemas.store}.db`);
if (existsSync(target)) throw new Error(`${target} exists; remove it if it was never released`);
await store.backup(target);
await store.close();
