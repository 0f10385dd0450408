import { BatonError } from '@baton/core';
import type { Reading, StoreTables, Transaction } from '@baton/store';
import type { Kysely, Selectable } from 'kysely';
import { numberIn, refOf } from './definition.ts';
import type { TicketTable, TicketTables } from './tables.ts';
import { selectById, selectByNumber, selectLabels } from './ticket-queries.ts';

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
  const [found] =
    number === undefined
      ? await selectById(tx, { id: reference.toLowerCase() })
      : await selectByNumber(tx, { workspace, number });
  if (found?.workspace === workspace) return found;
  const isGone = number !== undefined && number <= (await lastNumber(tx, workspace));
  const name = number === undefined ? JSON.stringify(reference.slice(0, 100)) : refOf({ number });
  throw new BatonError(
    'ticket_unknown',
    isGone ? `${name} was deleted.` : `There is no ticket ${name} in this workspace.`,
    'Call ticket_find to see the tickets.',
  );
}

export async function ticketById(tx: Reading, id: string): Promise<Ticket | undefined> {
  const [found] = await selectById(tx, { id });
  return found;
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
  return (await labelsOfAll(tx, [seq])).get(seq) ?? [];
}

/** The labels of those that have any. */
export async function labelsOfAll(
  tx: Reading,
  seqs: readonly number[],
): Promise<Map<number, string[]>> {
  const labels = new Map<number, string[]>();
  for (const { ticket_seq, label } of await selectLabels(tx, { seqs: JSON.stringify(seqs) })) {
    labels.set(ticket_seq, [...(labels.get(ticket_seq) ?? []), label]);
  }
  return labels;
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
