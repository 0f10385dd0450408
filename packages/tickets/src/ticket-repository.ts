import { BatonError } from '@baton/core';
import type { Reading, StoreTables, Transaction } from '@baton/store';
import { type Kysely, type Selectable, sql } from 'kysely';
import { numberIn, refOf } from './definition.ts';
import type { TicketTable, TicketTables } from './tables.ts';

export type Ticket = Selectable<TicketTable>;

export function ticketTopic(id: string): string {
  return `ticket/${id}`;
}
/** For those who wait for any ticket. */
export const TICKETS_TOPIC = 'tickets';

export function tables({ db }: Reading): Kysely<StoreTables & TicketTables> {
  return db.withTables<TicketTables>();
}

/** By its number in the workspace, or by its id. */
export async function findTicket(
  tx: Reading,
  workspace: string,
  reference: string,
): Promise<Ticket> {
  const number = numberIn(reference);
  const found = await tables(tx)
    .selectFrom('tickets')
    .selectAll()
    .where('workspace', '=', workspace)
    .where(number === undefined ? 'id' : 'number', '=', number ?? reference.toLowerCase())
    .executeTakeFirst();
  if (found) return found;
  const isGone = number !== undefined && number <= (await lastNumber(tx, workspace));
  const name = number === undefined ? JSON.stringify(reference.slice(0, 100)) : refOf({ number });
  throw new BatonError(
    'ticket_unknown',
    isGone ? `${name} was deleted.` : `There is no ticket ${name} in this workspace.`,
    'Call ticket_find to see the tickets.',
  );
}

export async function ticketById(tx: Reading, id: string): Promise<Ticket | undefined> {
  return tables(tx).selectFrom('tickets').selectAll().where('id', '=', id).executeTakeFirst();
}

async function lastNumber(tx: Reading, workspace: string): Promise<number> {
  const row = await tables(tx)
    .selectFrom('ticket_numbers')
    .select('last')
    .where('workspace', '=', workspace)
    .executeTakeFirst();
  return row?.last ?? 0;
}

/** The next number of a workspace, or the wanted one if it was never given. */
export async function takeNumber(
  tx: Transaction,
  workspace: string,
  wanted?: number,
): Promise<number> {
  const last = await lastNumber(tx, workspace);
  const number = wanted !== undefined && wanted > last ? wanted : last + 1;
  await tables(tx)
    .insertInto('ticket_numbers')
    .values({ workspace, last: number })
    .onConflict((conflict) => conflict.column('workspace').doUpdateSet({ last: number }))
    .execute();
  return number;
}

export async function labelsOf(tx: Reading, seq: number): Promise<string[]> {
  const rows = await tables(tx)
    .selectFrom('ticket_labels')
    .select('label')
    .where('ticket_seq', '=', seq)
    .orderBy('label')
    .execute();
  return rows.map(({ label }) => label);
}

export async function addLabels(
  tx: Transaction,
  { workspace, seq }: Pick<Ticket, 'workspace' | 'seq'>,
  labels: readonly string[],
): Promise<void> {
  if (labels.length === 0) return;
  await tables(tx)
    .insertInto('ticket_labels')
    .values([...new Set(labels)].map((label) => ({ workspace, label, ticket_seq: seq })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function removeLabels(
  tx: Transaction,
  { seq }: Pick<Ticket, 'seq'>,
  labels: readonly string[],
): Promise<void> {
  if (labels.length === 0) return;
  await tables(tx)
    .deleteFrom('ticket_labels')
    .where('ticket_seq', '=', seq)
    .where('label', 'in', labels)
    .execute();
}

/** The state is a literal, so that partial indexes are used. */
export function inState(tx: Reading, workspace: string | undefined, state: Ticket['state']) {
  const rows = tables(tx)
    .selectFrom('tickets')
    .selectAll()
    .where(sql<boolean>`state = ${sql.lit(state)}`);
  return workspace === undefined ? rows : rows.where('workspace', '=', workspace);
}
