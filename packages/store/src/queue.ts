import { BatonError } from '@baton/core';
import { announce } from './announce.ts';
import { advanceDependents, blockDependents, isBlocked, unblockDependents } from './dependents.ts';
import { outside, roomIn } from './gates.ts';
import { claimLease, guardLease, type Holder, type Lease, releaseLease } from './leases.ts';
import { type Settled, settle } from './needs.ts';
import type { AttemptTable, WorkState, WorkTable } from './tables.ts';
import type { Reading, Transaction } from './transaction.ts';
import {
  changeWork,
  firstReady,
  firstReadyOfGroup,
  insertAttempt,
  readyIn,
} from './work-queries.ts';

export interface NewWork {
  readonly id: string;
  readonly workspace: string;
  readonly queue: string;
  /** What is paused and limited together, such as a plan. */
  readonly group?: string;
  /** Higher comes first; among equals the one that came first. */
  readonly priority?: number;
  /** Ids of work that must have succeeded before; each exists already or is added with it. */
  readonly needs?: readonly string[];
  readonly labels?: readonly string[];
  /** How often it is tried, the first time included. */
  readonly maxAttempts?: number;
}

export interface ClaimFilter {
  readonly queue: string;
  readonly workspace?: string;
  readonly group?: string;
  readonly ids?: readonly string[];
  /** It must have all of them. */
  readonly labels?: readonly string[];
}

export type Work = Omit<WorkTable, 'seq'> & { readonly seq: number };

export interface Claim {
  readonly work: Work;
  readonly lease: Lease;
}

const DEFAULT_ATTEMPTS = 3;

export function leaseName(workId: string): string {
  return `work/${workId}`;
}

/** Adds work. What is added together may need each other, in any order but not in a circle. */
export async function addWork(tx: Transaction, items: readonly NewWork[]): Promise<void> {
  const needs = items.flatMap(({ id, needs = [] }) =>
    [...new Set(needs)].map((needed) => ({ work_id: id, needs_id: needed })),
  );
  const labels = items.flatMap(({ id, labels = [] }) =>
    [...new Set(labels)].map((label) => ({ work_id: id, label })),
  );
  const settled = settle(
    items,
    await statesOf(
      tx,
      needs.map(({ needs_id }) => needs_id),
    ),
  );
  const rows = items.map((item) => newRow(item, settled.get(item.id), tx.now));
  for (const part of parts(rows)) await tx.db.insertInto('work').values(part).execute();
  for (const part of parts(needs)) await tx.db.insertInto('work_needs').values(part).execute();
  for (const part of parts(labels)) await tx.db.insertInto('work_labels').values(part).execute();
  announce(tx, items);
}

function newRow(item: NewWork, settled: Settled | undefined, now: number) {
  return {
    id: item.id,
    workspace: item.workspace,
    queue: item.queue,
    grp: item.group ?? '',
    state: settled?.state ?? 'ready',
    priority: item.priority ?? 0,
    open_needs: settled?.openNeeds ?? 0,
    attempts: 0,
    max_attempts: item.maxAttempts ?? DEFAULT_ATTEMPTS,
    delayed_at: 0,
    delay_ms: 0,
    at: now,
  };
}

async function statesOf({ db }: Transaction, ids: readonly string[]) {
  const states = new Map<string, WorkState>();
  for (const part of parts([...new Set(ids)])) {
    const rows = await db
      .selectFrom('work')
      .select(['id', 'state'])
      .where('id', 'in', part)
      .execute();
    for (const { id, state } of rows) states.set(id, state);
  }
  return states;
}

/** The next piece of work that is ready, leased to the holder. */
export async function claimWork(
  tx: Transaction,
  holder: Holder,
  filter: ClaimFilter,
): Promise<Claim | undefined> {
  const [claim] = await claimSome(tx, holder, filter, 1);
  return claim;
}

/** At most so many; perhaps fewer than there are, but none only if there is none. */
export async function claimSome(
  tx: Transaction,
  holder: Holder,
  filter: ClaimFilter,
  most: number,
): Promise<Claim[]> {
  const claims: Claim[] = [];
  for (const work of await nextReady(tx, filter, most)) claims.push(await take(tx, holder, work));
  return claims;
}

async function take(tx: Transaction, holder: Holder, work: Work): Promise<Claim> {
  const lease = await claimLease(tx, leaseName(work.id), holder);
  if (!lease) throw new Error(`Work ${work.id} is ready and leased at once`);
  const attempts = work.attempts + 1;
  await setState(tx, work, 'running', { attempts });
  const claimed = { ...work, attempts, state: 'running' as const };
  await recordAttempt(tx, claimed, 'started', holder.label);
  return { work: claimed, lease };
}

async function nextReady(tx: Transaction, filter: ClaimFilter, most: number): Promise<Work[]> {
  const { db, now } = tx;
  if (filter.ids?.length === 0) return [];
  const { closed, places } = await roomIn(tx, filter.queue, filter.group);
  const limit = Math.min(most, places);
  const { queue, ...others } = filter;
  if (closed.length === 0 && Object.keys(others).length === 0) {
    return firstReady(tx, { queue, now, limit });
  }
  if (filter.group !== undefined && Object.keys(others).length === 1) {
    // Every gate that was looked at is over all of the group.
    if (closed.some(({ workspace }) => workspace === '')) return [];
    if (closed.length === 0) {
      return firstReadyOfGroup(tx, { queue, group: filter.group, now, limit });
    }
  }
  let ready = readyIn(db, { queue, now, limit });
  if (filter.workspace !== undefined) ready = ready.where('workspace', '=', filter.workspace);
  if (filter.group !== undefined) ready = ready.where('grp', '=', filter.group);
  if (filter.ids) ready = ready.where('id', 'in', filter.ids);
  for (const label of filter.labels ?? []) {
    ready = ready.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('work_labels')
          .select('label')
          .whereRef('work_id', '=', 'work.id')
          .where('label', '=', label),
      ),
    );
  }
  for (const gate of closed) ready = ready.where(outside(gate));
  return ready.execute();
}

export async function completeWork(tx: Transaction, { work, lease }: Claim): Promise<void> {
  await releaseLease(tx, lease);
  await setState(tx, work, 'succeeded');
  await recordAttempt(tx, work, 'succeeded');
  announce(tx, await advanceDependents(tx, work.id));
}

export interface Failure {
  readonly detail: string;
  /** Tried again after so long, if there are attempts left. Without it, it has failed. */
  readonly retryInMs?: number;
  /** The priority of the next try; without it, as before. */
  readonly priority?: number;
}

export async function failWork(
  tx: Transaction,
  { work, lease }: Claim,
  { detail, retryInMs, priority }: Failure,
): Promise<void> {
  await releaseLease(tx, lease);
  await recordAttempt(tx, work, 'failed', '', detail);
  await tryAgain(tx, work, retryInMs);
  if (priority !== undefined) await setPriority(tx, work.id, priority);
}

/** Higher comes first. */
export async function setPriority({ db }: Transaction, workId: string, priority: number) {
  await db.updateTable('work').set({ priority }).where('id', '=', workId).execute();
}

/** Gives it back as if it had not been claimed. */
export async function giveBackWork(tx: Transaction, { work, lease }: Claim): Promise<void> {
  await releaseLease(tx, lease);
  await recordAttempt(tx, work, 'released');
  await setState(tx, work, 'ready', { attempts: work.attempts - 1 });
}

/** Any write on behalf of a claim belongs in a transaction with this. */
export function guardWork(tx: Transaction, { lease }: Claim): Promise<void> {
  return guardLease(tx, lease);
}

/** Its holder is gone. The lease has been taken away in the same transaction. */
export async function loseWork(tx: Transaction, workId: string): Promise<void> {
  const work = await findWork(tx, workId);
  if (work?.state !== 'running') return;
  await recordAttempt(tx, work, 'lost');
  await tryAgain(tx, work, 0);
}

/** What runs is cut off: its holder is refused from now on. Nobody holds what is parked. */
export async function cancelWork(
  tx: Transaction,
  workId: string,
  into: 'cancelled' | 'failed' = 'cancelled',
): Promise<void> {
  const work = await existingWork(tx, workId);
  if (isOver(work.state)) throw wrongState(work, into);
  if (work.state === 'running') {
    await tx.db
      .updateTable('leases')
      .set({ owner: null, process: null })
      .where('name', '=', leaseName(work.id))
      .execute();
  }
  if (work.state === 'running' || work.state === 'parked') await recordAttempt(tx, work, into);
  await setState(tx, work, into);
  announce(tx, await blockDependents(tx, work.id));
}

/** A new chance for what has failed or was cancelled, and for what was blocked by it. */
export async function retryWork(
  tx: Transaction,
  workId: string,
  { keepsCount = false } = {},
): Promise<void> {
  const work = await existingWork(tx, workId);
  if (work.state !== 'failed' && work.state !== 'cancelled') throw wrongState(work, 'tried again');
  const hopeful = work.open_needs === 0 ? 'ready' : 'waiting';
  const state = (await isBlocked(tx, work.id)) ? 'blocked' : hopeful;
  const attempts = keepsCount ? work.attempts : 0;
  await setState(tx, work, state, { attempts, delayed_at: 0, delay_ms: 0 });
  announce(tx, await unblockDependents(tx, work.id));
}

export async function findWork({ db }: Reading, workId: string): Promise<Work | undefined> {
  return db.selectFrom('work').selectAll().where('id', '=', workId).executeTakeFirst();
}

/** Everything that was ever tried, oldest first. Rows are added and never changed. */
export function attemptsOf({ db }: Reading, workId: string) {
  return db
    .selectFrom('attempts')
    .selectAll()
    .where('work_id', '=', workId)
    .orderBy('seq')
    .execute();
}

async function tryAgain(tx: Transaction, work: Work, inMs: number | undefined): Promise<void> {
  if (inMs !== undefined && work.attempts < work.max_attempts) {
    await setState(tx, work, 'ready', { delayed_at: tx.now, delay_ms: inMs });
    return;
  }
  await setState(tx, work, 'failed');
  announce(tx, await blockDependents(tx, work.id));
}

export async function setState(
  tx: Transaction,
  work: Pick<Work, 'id' | 'workspace' | 'queue'>,
  state: WorkState,
  also: { attempts?: number; delayed_at?: number; delay_ms?: number } = {},
): Promise<void> {
  await changeWork(tx, {
    id: work.id,
    state,
    now: tx.now,
    attempts: also.attempts ?? null,
    delayedAt: also.delayed_at ?? null,
    delayMs: also.delay_ms ?? null,
  });
  announce(tx, [work]);
}

export async function recordAttempt(
  tx: Transaction,
  { id, attempts }: Work,
  what: AttemptTable['what'],
  label = '',
  detail = '',
): Promise<void> {
  await insertAttempt(tx, { work_id: id, number: attempts, what, label, detail, at: tx.now });
}

export async function existingWork(tx: Transaction, workId: string): Promise<Work> {
  const work = await findWork(tx, workId);
  if (work) return work;
  throw new BatonError('work_unknown', `There is no ${workId}.`, 'Look for it in the list.');
}

function isOver(state: WorkState): boolean {
  return state === 'succeeded' || state === 'failed' || state === 'cancelled';
}

export function wrongState(work: Work, verb: string): BatonError {
  return new BatonError(
    'work_state',
    `${work.id} is ${work.state} and cannot be ${verb}.`,
    'Look at its state first.',
  );
}

/** A statement takes some thirty thousand values at most. */
export function parts<Item>(items: readonly Item[], size = 500): Item[][] {
  return items.length === 0 ? [] : [items.slice(0, size), ...parts(items.slice(size), size)];
}
