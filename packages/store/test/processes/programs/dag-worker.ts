import { setTimeout as pause } from 'node:timers/promises';
import {
  type Claim,
  claimWork,
  completeWork,
  expireLeases,
  fingerprint,
  guardWork,
  type Holder,
  LeaseWatch,
  once,
  type Store,
  type Transaction,
} from '@baton/store';
import { createNote } from './race.ts';
import { say } from './requests.ts';
import type { TestTables } from './tables.ts';

export interface Step {
  readonly step: 'claim' | 'create' | 'progress' | 'complete';
  readonly job: string;
  readonly attempt: number;
  /** Of what was created. */
  readonly note?: string;
}

/** Works on a queue until all of it is done. Says each step before it and after it. */
export async function workOnQueue(store: Store, holder: Holder, queue: string): Promise<void> {
  const watch = new LeaseWatch(store.clock, store.processes);
  for (;;) {
    say('asked', { step: 'claim' });
    const claim = await store.write('durable', (tx) => claimWork(tx, holder, { queue }));
    if (claim) {
      await workOnJob(store, claim);
    } else if (await isDone(store, queue)) {
      return;
    } else {
      await expireLeases(store, watch);
      await pause(5);
    }
  }
}

async function workOnJob(store: Store, claim: Claim): Promise<void> {
  const { id: job, attempts: attempt } = claim.work;
  say('acknowledged', { step: 'claim', job, attempt } satisfies Step);
  await take(store, { step: 'create', job, attempt }, await createOnce(job));
  await take(store, { step: 'progress', job, attempt }, async (tx) => {
    await guardWork(tx, claim);
    await createNote(tx, { id: `${job}, attempt ${attempt}`, body: 'half way', writer: 'worker' });
  });
  await take(store, { step: 'complete', job, attempt }, async (tx) => {
    await completeWork(tx, claim);
    const db = tx.db.withTables<TestTables>();
    await db.insertInto('history').values({ job, attempt }).execute();
  });
}

/** A note with a new id, or the one that was created for this job before. */
async function createOnce(job: string): Promise<(tx: Transaction) => Promise<{ note: string }>> {
  const asked = { scope: 'create', key: job, fingerprint: await fingerprint({ job }) };
  return (tx) =>
    once(tx, asked, async () => {
      const note = crypto.randomUUID();
      await createNote(tx, { id: note, body: job, writer: 'create' });
      return { note };
    });
}

async function take(
  store: Store,
  step: Step,
  write: (tx: Transaction) => Promise<unknown>,
): Promise<void> {
  say('asked', step);
  const made = await store.write('durable', write);
  say('acknowledged', { ...step, ...(made as object | undefined) });
}

async function isDone(store: Store, queue: string): Promise<boolean> {
  const open = await store.read(({ db }) =>
    db
      .selectFrom('work')
      .select('id')
      .where('queue', '=', queue)
      .where('state', '!=', 'succeeded')
      .limit(1)
      .executeTakeFirst(),
  );
  return open === undefined;
}
