import type { Ids } from '@baton/core';
import type { Reading, Transaction } from '@baton/store';
import type { HistoryEvent, HistoryRow } from './tables.ts';
import { insertHistory } from './ticket-queries.ts';
import { TICKETS_TOPIC, type Ticket, tables, ticketTopic } from './ticket-repository.ts';

/** Something that somebody does to tickets, in one transaction. */
export interface Act {
  readonly tx: Transaction;
  /** For people: who does it. */
  readonly by: string;
  readonly ids: Ids;
  /** The time of leases, by `TicketPorts.uptime`. */
  readonly uptime: number;
  /** Told of tickets that are done, cancelled or deleted: somebody else may wait for them. */
  ended(ticket: Ticket): Promise<void>;
}

export interface Happening {
  readonly what: HistoryEvent;
  readonly detail?: object;
}

/** Adds to the history. Rows are added and never changed. */
export async function record(
  { tx, by }: Pick<Act, 'tx' | 'by'>,
  ticket: Ticket,
  { what, detail = {} }: Happening,
): Promise<void> {
  await insertHistory(tx, {
    ticket_id: ticket.id,
    version: ticket.version,
    what,
    by,
    detail: JSON.stringify(detail),
    at: tx.now,
  });
  tx.emit(ticket.workspace, ticketTopic(ticket.id));
  tx.emit(ticket.workspace, TICKETS_TOPIC);
}

/** What happened to a ticket after a version, oldest first. */
export function historyAfter(
  tx: Reading,
  { id }: Pick<Ticket, 'id'>,
  version: number,
): Promise<HistoryRow[]> {
  return tables(tx)
    .selectFrom('ticket_history')
    .selectAll()
    .where('ticket_id', '=', id)
    .where('version', '>', version)
    .orderBy('seq')
    .execute();
}
