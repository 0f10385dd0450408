import { isFull } from './claiming.ts';
import { MAX_CYCLES, refOf } from './definition.ts';
import type { TicketPorts } from './ports.ts';
import { isClosed, isHeld, TICKET_STATES } from './states.ts';
import { type Ticket, tables } from './ticket-repository.ts';
import { evidenceOf, leaseLeft } from './views/ticket-view.ts';

const OPEN_STATES = TICKET_STATES.filter((state) => !isClosed(state));

/** Why there is nothing to do, and what to do about it. */
export async function whyNothing({ store, workspace, maxClaims }: TicketPorts): Promise<string> {
  if (await store.read((tx) => isFull(tx, workspace, maxClaims))) {
    return `${maxClaims} tickets are claimed, and no more may be at once (maxClaims). Call again with waitSeconds, or stop.`;
  }
  const counts = await store.read((tx) =>
    tables(tx)
      .selectFrom('tickets')
      .select(['state', ({ fn }) => fn.countAll<number>().as('count')])
      .where('workspace', '=', workspace)
      // By its index alone: most tickets are closed, and none of them is counted.
      .where('state', 'in', OPEN_STATES)
      .groupBy('state')
      .orderBy('state')
      .execute(),
  );
  const there = counts.map(({ state, count }) => `${count} ${state}`).join(', ') || 'none are open';
  return `Nothing is ready that matches (tickets: ${there}). Call again with waitSeconds to wait for work, or stop.`;
}

/** What somebody hears who has reported. */
export async function outcomeOf(ports: TicketPorts, ticket: Ticket) {
  const isChecked = ticket.report_outcome === 'done' && ticket.checks !== '[]';
  const evidence = isChecked ? await ports.store.read((tx) => evidenceOf(tx, ticket)) : undefined;
  const problem = ticket.state === 'verifying' ? await ports.workers.problem() : undefined;
  const isCurrent = ticket.state !== 'verifying';
  return {
    id: refOf(ticket),
    state: ticket.state,
    ...(evidence && isCurrent && { evidence }),
    ...(problem && { problem }),
    next: nextStep(ticket),
  };
}

function nextStep(ticket: Ticket): string {
  const ref = refOf(ticket);
  switch (ticket.state) {
    case 'verifying':
      return `Its checks still run: wait with ticket_find {id: "${ref}", waitSeconds: 50}.`;
    case 'claimed':
      return `Its checks failed (round ${ticket.cycles} of ${MAX_CYCLES}): look at the evidence, put it right, and report again with the same token.`;
    case 'blocked':
      return `It waits for ${ticket.waits_for}. Take other work with ticket_next.`;
    case 'failed':
      return 'It has been tried as often as it may be; a person decides. Take other work with ticket_next.';
    default:
      return 'Take the next one with ticket_next.';
  }
}

/** What somebody hears who has changed a ticket. */
export function changeView(ports: TicketPorts, ticket: Ticket) {
  return {
    id: refOf(ticket),
    state: ticket.state,
    version: ticket.version,
    ...(isHeld(ticket.state) && { leaseSecondsLeft: leaseLeft(ticket, ports.uptime()) }),
    next: whatNext(ticket),
  };
}

/** What can be done with a ticket as it is, by whoever looks at it. */
export function whatNext({ state, kind }: Ticket): string {
  switch (state) {
    case 'waiting':
      return 'It is ready when what it waits for is done.';
    case 'ready':
      return kind === 'agent'
        ? 'ticket_next hands it out.'
        : 'A person finds it with `baton inbox`.';
    case 'claimed':
      return 'Whoever has it says what became of it with ticket_report.';
    case 'verifying':
      return 'Wait for its checks with ticket_find {id, waitSeconds}.';
    case 'blocked':
    case 'failed':
      return 'A person finds it with `baton inbox`; ticket_update {state: "ready"} opens it again.';
    case 'done':
    case 'cancelled':
      return 'ticket_update {state: "ready"} opens it again.';
  }
}
