import type { Reading } from '@baton/store';
import { type Ticket, tables } from './ticket-repository.ts';

/** What keeps a ticket from being worked on: needs that are not done, and its own open parts. */
export async function openNeeds(tx: Reading, id: string): Promise<Ticket[]> {
  const needs = await tables(tx)
    .selectFrom('ticket_links')
    .innerJoin('tickets', 'tickets.id', 'ticket_links.to_id')
    .selectAll('tickets')
    .where('ticket_links.from_id', '=', id)
    .where('ticket_links.type', '=', 'needs')
    .where('tickets.state', '!=', 'done')
    .orderBy('tickets.number')
    .execute();
  const parts = await tables(tx)
    .selectFrom('tickets')
    .selectAll()
    .where('parent_id', '=', id)
    .where('closed_at', 'is', null)
    .orderBy('number')
    .execute();
  const known = new Set(needs.map((need) => need.id));
  return [...needs, ...parts.filter((part) => !known.has(part.id))];
}

export async function restingState(tx: Reading, id: string): Promise<'ready' | 'waiting'> {
  return (await openNeeds(tx, id)).length > 0 ? 'waiting' : 'ready';
}
