import {
  addWork,
  type Claim,
  claimWork,
  completeWork,
  failWork,
  once,
  type Store,
  setGate,
} from '@baton/store';
import { sql } from 'kysely';

/** Some of everything: work in every state, leases, attempts, events, gates, answers to repeat. */
export async function fillStore(store: Store, count: number): Promise<void> {
  const { holder } = store.createHolding({ label: 'a worker' });
  for (let number = 0; number < count; number += 1) {
    await store.write('relaxed', (tx) =>
      once(tx, { scope: 'add', key: `key-${number}`, fingerprint: 'f' }, async () => {
        const id = `work-${number}`;
        const needs = number > 0 && number % 5 === 0 ? [`work-${number - 1}`] : [];
        const labels = number % 3 === 0 ? ['linux', 'fast'] : [];
        await addWork(tx, [
          { id, workspace: `/home/w${number % 7}`, queue: 'jobs', needs, labels },
        ]);
        return { id };
      }),
    );
  }
  const claims: Claim[] = [];
  for (let number = 0; number < count / 2; number += 1) {
    const claim = await store.write('relaxed', (tx) => claimWork(tx, holder, { queue: 'jobs' }));
    if (claim) claims.push(claim);
  }
  for (const [index, claim] of claims.entries()) {
    if (index % 3 === 0) await store.write('relaxed', (tx) => completeWork(tx, claim));
    if (index % 3 === 1) {
      await store.write('relaxed', (tx) => failWork(tx, claim, { detail: 'x'.repeat(index * 20) }));
    }
  }
  await store.write('relaxed', (tx) => setGate(tx, { queue: 'jobs' }, { maxRunning: count }));
}

const TABLES = [
  'schemas',
  'meta',
  'events',
  'leases',
  'work',
  'work_needs',
  'work_labels',
  'gates',
  'attempts',
  'idempotency',
  'logs',
] as const;

/** Every row of every table, as text. */
export function contentsOf(store: Store): Promise<Map<string, readonly string[]>> {
  return store.read(async ({ db }) => {
    const contents = new Map<string, readonly string[]>();
    for (const table of TABLES) {
      const { rows } = await sql`select * from ${sql.table(table)} not indexed`.execute(db);
      contents.set(table, rows.map((row) => JSON.stringify(row)).sort());
    }
    return contents;
  });
}
