import { type Ticket, tables } from '../under-test.ts';
import type { World } from '../world.ts';

/** What must be true of the rows after every step, whatever has happened. */
export async function checkRows({ store }: World): Promise<void> {
  await store.read(async (tx) => {
    const tickets = await tables(tx).selectFrom('tickets').selectAll().execute();
    const links = await tables(tx).selectFrom('ticket_links').selectAll().execute();
    const history = await tables(tx)
      .selectFrom('ticket_history')
      .select(['ticket_id', 'version'])
      .orderBy('seq')
      .execute();
    const byId = new Map(tickets.map((ticket) => [ticket.id, ticket]));
    for (const ticket of tickets) {
      checkTicket(ticket);
      const needs = links.filter((link) => link.from_id === ticket.id && link.type === 'needs');
      const open = needs.some((link) => byId.get(link.to_id)?.state !== 'done');
      const parts = tickets.filter((part) => part.parent_id === ticket.id);
      const waits = open || parts.some((part) => part.closed_at === null);
      if (ticket.state === 'ready') expectThat(!waits, ticket, 'is ready and waits');
      if (ticket.state === 'waiting') expectThat(waits, ticket, 'waits for nothing');
      const told = history.flatMap((row) => (row.ticket_id === ticket.id ? [row.version] : []));
      const all = Array.from({ length: ticket.version }, (_, index) => index + 1);
      expectThat(told.join() === all.join(), ticket, 'has changed without history');
    }
  });
}

function checkTicket(ticket: Ticket): void {
  const isHeld = ticket.state === 'claimed' || ticket.state === 'verifying';
  expectThat(isHeld === (ticket.claim_token !== null), ticket, 'is held by nobody, or by somebody');
  const isClosed = ticket.state === 'done' || ticket.state === 'cancelled';
  expectThat(isClosed === (ticket.closed_at !== null), ticket, 'is closed and open');
  expectThat(
    (ticket.state === 'verifying') === (ticket.run_id !== null),
    ticket,
    'has a stray run',
  );
  expectThat((ticket.state === 'blocked') === (ticket.waits_for !== ''), ticket, 'waits for whom?');
}

function expectThat(isTrue: boolean, { number, state }: Ticket, message: string): void {
  if (!isTrue) throw new Error(`T-${number} (${state}) ${message}`);
}
