import { BatonError } from '@baton/core';
import { announce } from './announce.ts';
import { addWork, findWork, type NewWork, parts } from './queue.ts';
import type { WorkState } from './tables.ts';
import type { Transaction } from './transaction.ts';

const UNSTARTED: readonly WorkState[] = ['waiting', 'ready', 'blocked'];

/**
 * Brings work that has not been started in line with a new list: what is new is added, what is
 * known gets its new needs and priority and keeps its place in the order of arrival. Everything
 * that waits for changed work must be in the list too.
 */
export async function rearrangeWork(tx: Transaction, items: readonly NewWork[]): Promise<void> {
  const places = await placesOf(
    tx,
    items.map(({ id }) => id),
  );
  // What has failed or was cancelled needs it too, for the case that somebody tries it again.
  const others = await needsOfOthers(tx, [...places.keys()]);
  await removeRows(tx, [...places.keys()]);
  await addWork(tx, items);
  for (const part of parts(others)) await tx.db.insertInto('work_needs').values(part).execute();
  for (const [id, seq] of places) {
    await tx.db.updateTable('work').set({ seq }).where('id', '=', id).execute();
  }
}

/** What needs some of this work without being part of it. */
async function needsOfOthers(tx: Transaction, ids: readonly string[]) {
  const inside = new Set(ids);
  const needs: { work_id: string; needs_id: string }[] = [];
  for (const part of parts(ids)) {
    const rows = await tx.db
      .selectFrom('work_needs')
      .selectAll()
      .where('needs_id', 'in', part)
      .execute();
    needs.push(...rows.filter(({ work_id }) => !inside.has(work_id)));
  }
  return needs;
}

/** Takes work away that has not been started and that nothing else needs. */
export async function removeWork(tx: Transaction, ids: readonly string[]): Promise<void> {
  const places = await placesOf(tx, ids);
  await removeRows(tx, [...places.keys()]);
}

/** Removes all work of a group and everything that is known about it, unless some of it is under way. */
export async function removeGroup(tx: Transaction, queue: string, group: string): Promise<void> {
  const rows = await tx.db
    .selectFrom('work')
    .select(['id', 'state'])
    .where('queue', '=', queue)
    .where('grp', '=', group)
    .execute();
  const begun = rows.find(({ state }) => state === 'running' || state === 'parked');
  if (begun) throw isStarted(begun.id, begun.state);
  const ids = rows.map(({ id }) => id);
  for (const part of parts(ids)) {
    await tx.db.deleteFrom('attempts').where('work_id', 'in', part).execute();
  }
  await removeRows(tx, ids);
}

async function placesOf(
  tx: Transaction,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const places = new Map<string, number>();
  for (const id of ids) {
    const work = await findWork(tx, id);
    if (!work) continue;
    if (!UNSTARTED.includes(work.state)) throw isStarted(id, work.state);
    places.set(id, work.seq);
    announce(tx, [work]);
  }
  return places;
}

async function removeRows({ db }: Transaction, ids: readonly string[]): Promise<void> {
  for (const part of parts(ids)) {
    await db.deleteFrom('work_needs').where('needs_id', 'in', part).execute();
    await db.deleteFrom('work').where('id', 'in', part).execute();
  }
}

function isStarted(id: string, state: WorkState): BatonError {
  return new BatonError(
    'work_state',
    `${id} is ${state} and cannot be changed any more. Nothing was changed.`,
    'Change only what has not been started.',
  );
}

/** Cancels all of a group that has not been started, in one step. */
export async function cancelGroup(tx: Transaction, queue: string, group: string): Promise<void> {
  const changed = await tx.db
    .updateTable('work')
    .set({ state: 'cancelled', at: tx.now })
    .where('queue', '=', queue)
    .where('state', 'in', UNSTARTED)
    .where('grp', '=', group)
    .returning(['workspace', 'queue'])
    .execute();
  announce(tx, changed);
}
