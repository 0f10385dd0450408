import type { Act } from './act.ts';
import type { TicketPorts } from './ports.ts';
import type { Ticket } from './ticket-repository.ts';
import { checkedTickets, concludeChecks } from './verifying.ts';

export type ActingPorts = Pick<
  TicketPorts,
  'store' | 'ids' | 'uptime' | 'onEnded' | 'checks' | 'workers'
>;

/** Does something to tickets in one transaction, and sees to it that what may go on then does. */
export async function actOn<Result>(
  { store, ids, uptime, onEnded, workers }: ActingPorts,
  by: string,
  work: (act: Act) => Promise<Result>,
): Promise<Result> {
  let isMoreToDo = false;
  const result = await store.write('durable', async (tx) => {
    isMoreToDo = false;
    const ended = async (ticket: Ticket) => {
      if (await onEnded(tx, ticket)) isMoreToDo = true;
    };
    return work({ tx, by, ids, uptime: uptime(), ended });
  });
  if (isMoreToDo) await workers.ensure();
  return result;
}

/**
 * Tickets whose checks are over are done, or go back to whoever reported them. Everybody who looks
 * at tickets does this first, so that nobody sees what has not been concluded yet.
 */
export async function conclude(ports: ActingPorts, workspace?: string): Promise<void> {
  const { store, checks } = ports;
  const over = await store.read((tx) => checkedTickets(tx, workspace, checks));
  for (const ticket of over) {
    // Output lies in files: it is read before the transaction.
    const evidence = await checks.evidence(ticket.run_id ?? '');
    await actOn(ports, 'baton', (act) => concludeChecks(act, ticket, evidence));
  }
}
