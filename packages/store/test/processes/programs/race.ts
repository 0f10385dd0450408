import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { claimWork, type Holder, type Store, type Transaction } from '@baton/store';
import { say } from './requests.ts';
import { Stretches } from './stretches.ts';
import type { TestTables } from './tables.ts';

/** What a racer was told that it has done. */
export type Acknowledged =
  | { readonly won: string; readonly attempt: number }
  | { readonly created: string }
  | { readonly counted: number };

/** One for the log, and two more when the log is moved into the file. */
const SYNCS_OF_A_COMMIT = 3;

const acknowledge = (what: Acknowledged) => say('acknowledged', what);

/** Claims until nothing is left; beside it, creates rows and counts. */
export async function race(store: Store, holder: Holder, queue: string): Promise<void> {
  for (let turn = 0; ; turn += 1) {
    const claim = await store.write('durable', (tx) => claimWork(tx, holder, { queue }));
    if (!claim) return;
    acknowledge({ won: claim.work.id, attempt: claim.work.attempts });
    if (turn % 2 === 0) {
      const id = `${holder.label} ${turn}`;
      await store.write('durable', (tx) => createNote(tx, { id, body: id, writer: holder.label }));
      acknowledge({ created: id });
    } else {
      acknowledge({ counted: await store.write('durable', (tx) => count(tx, queue)) });
    }
  }
}

export async function createNote(tx: Transaction, note: TestTables['notes']): Promise<void> {
  const db = tx.db.withTables<TestTables>();
  await db.insertInto('notes').values(note).execute();
  await db.insertInto('note_copies').values({ id: note.id, body: note.body }).execute();
  tx.emit('', 'notes');
}

/** Reads and writes in two steps: only the transaction keeps others out in between. */
async function count(tx: Transaction, name: string): Promise<number> {
  const db = tx.db.withTables<TestTables>();
  const row = await db
    .selectFrom('counters')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst();
  const value = (row?.value ?? 0) + 1;
  await db
    .insertInto('counters')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
  return value;
}

/**
 * Writes to the disk as the store does, but shares nothing with anybody. What it takes at most
 * is the noise of the machine.
 */
export async function makeControl(file: string, signal: AbortSignal): Promise<number> {
  const stretches = new Stretches();
  const descriptor = openSync(file, 'w');
  const page = Buffer.alloc(4096);
  while (!signal.aborted) {
    stretches.measure(() => {
      for (let time = 0; time < SYNCS_OF_A_COMMIT; time += 1) {
        writeSync(descriptor, page, 0, page.length, 0);
        fdatasyncSync(descriptor);
      }
    });
    await pause(2);
  }
  closeSync(descriptor);
  return stretches.longestMs;
}
