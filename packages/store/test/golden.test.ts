import { copyFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { cites } from '@baton/e2e/requirements';
import { attemptsOf, claimWork, completeWork, fingerprint, once, openStore } from '@baton/store';
import { createFakeClock, createFakeIds, createMemoryLog, temporaryFolder } from '@baton/testkit';
import { expect, test } from 'vitest';

const golden = path.join(import.meta.dirname, 'golden');
const files = readdirSync(golden).filter((name) => name.endsWith('.db'));
const queue = 'jobs';

test.each(files)(
  `${cites('T43')} the tables of every version so far are brought up to date: %s`,
  async (name) => {
    using folder = temporaryFolder();
    const file = path.join(folder.path, 'baton.db');
    copyFileSync(path.join(golden, name), file);
    const store = await openStore({
      file,
      log: createMemoryLog(),
      clock: createFakeClock(),
      ids: createFakeIds(),
    });
    const states = () =>
      store.read(async ({ db }) => {
        const rows = await db.selectFrom('work').select(['id', 'state']).orderBy('id').execute();
        return Object.fromEntries(rows.map(({ id, state }) => [id, state]));
      });
    expect(await states()).toEqual({
      a: 'succeeded',
      b: 'running',
      c: 'failed',
      d: 'blocked',
      e: 'ready',
    });
    expect((await store.read((tx) => attemptsOf(tx, 'c'))).map(({ what }) => what)).toEqual([
      'started',
      'failed',
    ]);
    const asked = await fingerprint({ name: 'golden' });
    const repeated = await store.write('durable', (tx) =>
      once(tx, { scope: 'golden', key: 'first', fingerprint: asked }, async () => ({ id: 'new' })),
    );
    expect(repeated).toEqual({ id: 'a' });
    const { holder } = store.createHolding({ label: 'newer' });
    // The group of e is paused, and b is held.
    expect(await store.write('durable', (tx) => claimWork(tx, holder, { queue }))).toBeUndefined();
    await store.write('durable', (tx) => tx.db.deleteFrom('gates').execute());
    await store.write('durable', async (tx) => {
      const claim = await claimWork(tx, holder, { queue });
      if (claim) await completeWork(tx, claim);
    });
    expect(await states()).toMatchObject({ e: 'succeeded' });
    expect(await store.check()).toEqual([]);
    await store.close();
  },
);

test(`${cites('T43')} the newest tables have a golden file`, async () => {
  const store = await openStore({
    file: ':memory:',
    log: createMemoryLog(),
    clock: createFakeClock(),
    ids: createFakeIds(),
  });
  const { schemas } = await store.health();
  await store.close();
  expect(files).toContain(`store-${schemas.store}.db`);
});
