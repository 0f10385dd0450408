import { escapeLine, type Ids } from '@baton/core';
import type { Transaction } from '@baton/store';
import type { Act } from './act.ts';
import { changeTicket } from './changing.ts';
import { createTicket, type NewTicket, UNCLAIMED } from './creating.ts';
import { LONGEST_TITLE, refOf } from './definition.ts';
import type { CheckRuns } from './ports.ts';
import { isClosed } from './states.ts';
import { ticketById } from './ticket-repository.ts';

/** A ticket without links: what the job waits for is known to its plan. */
export interface JobTicket extends Omit<NewTicket, 'links'> {
  readonly workspace: string;
  readonly by: string;
}

export interface JobTicketPorts {
  readonly ids: Ids;
  readonly checks: Pick<CheckRuns, 'cancel'>;
  uptime(): number;
}

/** The tickets that jobs of plans make and wait for, for whoever runs those. */
export function createJobTickets({ ids, checks, uptime }: JobTicketPorts) {
  // The job itself is not told: it is what asks.
  const act = (tx: Transaction, by: string): Act => {
    return { tx, by, ids, uptime: uptime(), ended: async () => {} };
  };
  return {
    async open(tx: Transaction, { workspace, by, ...ticket }: JobTicket) {
      // Outputs of other jobs may stand in it, whatever they hold.
      const title = escapeLine(ticket.title).slice(0, LONGEST_TITLE);
      const made = await createTicket(act(tx, by), workspace, { ...ticket, title });
      return { id: made.id, ref: refOf(made) };
    },
    async cancel(tx: Transaction, id: string, why: string) {
      const ticket = await ticketById(tx, id);
      if (!ticket || isClosed(ticket.state)) return;
      if (ticket.run_id) await checks.cancel(tx, ticket.run_id);
      const change = { ...UNCLAIMED, state: 'cancelled', waits_for: '', resolution: why } as const;
      const detail = { state: [ticket.state, 'cancelled'], because: why };
      await changeTicket(act(tx, 'baton'), ticket, change, { what: 'changed', detail });
    },
  };
}
