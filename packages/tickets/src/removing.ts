import { type Act, record } from './act.ts';
import { changeTicket, settleReadiness } from './changing.ts';
import { refOf } from './definition.ts';
import type { CheckRuns } from './ports.ts';
import { forgetWords } from './search.ts';
import { isClosed } from './states.ts';
import { type Ticket, tables, ticketById } from './ticket-repository.ts';

/** Removes a ticket for good. What needed it, or was a part of it, goes on without it. */
export async function removeTicket(act: Act, ticket: Ticket, checks: CheckRuns): Promise<void> {
  const { tx } = act;
  if (ticket.run_id) await checks.cancel(tx, ticket.run_id);
  if (!isClosed(ticket.state)) await act.ended({ ...ticket, state: 'cancelled' });
  // Whoever watches it hears of its end.
  await record(act, ticket, { what: 'changed' });
  const detail = { unlinked: `${refOf(ticket)}, which was deleted` };
  const parts = await tables(tx)
    .selectFrom('tickets')
    .selectAll()
    .where('parent_id', '=', ticket.id)
    .execute();
  for (const part of parts) {
    await changeTicket(act, part, { parent_id: null }, { what: 'changed', detail });
  }
  const linked = await tables(tx)
    .selectFrom('ticket_links')
    .innerJoin('tickets', 'tickets.id', 'ticket_links.from_id')
    .select('tickets.id')
    .where('to_id', '=', ticket.id)
    .execute();
  await forgetWords(tx, ticket);
  await tables(tx).deleteFrom('tickets').where('seq', '=', ticket.seq).execute();
  const affected = new Set([
    ...linked.map(({ id }) => id),
    ...(ticket.parent_id ? [ticket.parent_id] : []),
  ]);
  for (const id of affected) {
    const other = await ticketById(tx, id);
    if (!other) continue;
    const noted = await changeTicket(act, other, {}, { what: 'changed', detail });
    await settleReadiness(act, noted, `${refOf(ticket)} was deleted`);
  }
}
