import { BatonError } from '@baton/core';
import { defineQuery, type Tables } from './query.ts';
import type { LeaseTable } from './tables.ts';
import type { Reading, Transaction } from './transaction.ts';

/** The right to work on something. Whoever has lost it is refused by `guard` and `release`. */
export interface Lease {
  readonly name: string;
  readonly number: number;
  readonly owner: string;
}

/** Who claims: a process, or somebody whom only a token connects with us. */
export interface Holder {
  /** Secret enough to be a token. */
  readonly owner: string;
  /** For people: who holds it. */
  readonly label: string;
  /** If the process is dead, so is the lease. Left out for those who outlive a process. */
  readonly process?: string;
  readonly schemas: string;
  /** Without a beat for this long the lease is over. */
  readonly silenceMs: number;
}

export type HeldLease = LeaseTable & { readonly owner: string };

interface Taken extends Omit<Holder, 'process'> {
  readonly name: string;
  readonly process: string | null;
  readonly since: number;
}

const takeIfFree = defineQuery((db, given: Taken) => {
  const held = {
    owner: given.owner,
    process: given.process,
    label: given.label,
    schemas: given.schemas,
    beats: 0,
    silence_ms: given.silenceMs,
    since: given.since,
  };
  return db
    .insertInto('leases')
    .values({ name: given.name, number: 1, ...held })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet((row) => ({ ...held, number: row('leases.number', '+', 1) }))
        .where('leases.owner', 'is', null),
    )
    .returning('number');
});

/** `undefined` if somebody else has it. */
export async function claimLease(
  tx: Transaction,
  name: string,
  holder: Holder,
): Promise<Lease | undefined> {
  const [row] = await takeIfFree(tx, {
    ...holder,
    name,
    process: holder.process ?? null,
    since: tx.now,
  });
  return row && { name, number: row.number, owner: holder.owner };
}

const beatOwn = defineQuery((db, lease: Lease) =>
  ownRow(db, lease)
    .set((row) => ({ beats: row('beats', '+', 1) }))
    .returning('name'),
);

/** To be called in every transaction that writes on behalf of a lease. Counts as a beat. */
export async function guardLease(tx: Transaction, lease: Lease): Promise<void> {
  const [row] = await beatOwn(tx, lease);
  if (!row) throw await leaseLost(tx, lease);
}

const releaseOwn = defineQuery((db, lease: Lease) =>
  ownRow(db, lease).set({ owner: null, process: null }).returning('name'),
);

export async function releaseLease(tx: Transaction, lease: Lease): Promise<void> {
  const [row] = await releaseOwn(tx, lease);
  if (!row) throw await leaseLost(tx, lease);
}

/** One beat for everything that an owner holds. Returns what that still is. */
export function beatLeases({ db }: Transaction, owner: string): Promise<Lease[]> {
  return db
    .updateTable('leases')
    .set((row) => ({ beats: row('beats', '+', 1) }))
    .where('owner', '=', owner)
    .returning(['name', 'number', 'owner'])
    .execute() as Promise<Lease[]>;
}

export function heldLeases({ db }: Reading): Promise<HeldLease[]> {
  return db.selectFrom('leases').selectAll().where('owner', 'is not', null).execute() as Promise<
    HeldLease[]
  >;
}

/** Takes a lease away, unless it has been beaten or claimed anew since it was looked at. */
export async function expireLease({ db }: Transaction, seen: HeldLease): Promise<boolean> {
  const row = await db
    .updateTable('leases')
    .set({ owner: null, process: null })
    .where('name', '=', seen.name)
    .where('owner', '=', seen.owner)
    .where('number', '=', seen.number)
    .where('beats', '=', seen.beats)
    .returning('name')
    .executeTakeFirst();
  return row !== undefined;
}

function ownRow(db: Tables, { name, owner, number }: Lease) {
  return db
    .updateTable('leases')
    .where('name', '=', name)
    .where('owner', '=', owner)
    .where('number', '=', number);
}

async function leaseLost({ db }: Transaction, lease: Lease): Promise<BatonError> {
  const row = await db
    .selectFrom('leases')
    .select(['number', 'owner', 'label'])
    .where('name', '=', lease.name)
    .executeTakeFirst();
  const by = row?.owner && row.owner !== lease.owner ? `: ${row.label} has it now` : '';
  return new BatonError(
    'lease_lost',
    `The claim on ${lease.name} is over${by}. Nothing was changed.`,
    'Stop working on it, and claim something again: it was given back, cancelled, or taken over after a silence.',
  );
}
