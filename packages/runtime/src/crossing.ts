import { truncate } from '@baton/core';
import type { JobTickets } from '@baton/plans';
import type { CheckRunPorts } from '@baton/plans/jobs';
import type { Transaction } from '@baton/store';
import type { CheckRuns } from '@baton/tickets';
import type { Ticket } from '@baton/tickets/work';
import { machineUptime } from './system-ports.ts';

/** Bounded, because outputs of jobs are: four bytes for a character at most. */
const LONGEST_SUMMARY = 7000;

/** Plans and tickets need each other and know nothing of each other. */
export interface Crossing {
  /** The plans that the checks of tickets are run as. */
  readonly checks: CheckRuns;
  /** The tickets that jobs of plans wait for. */
  readonly tickets: JobTickets;
  /** Lets the job go on that waits for a ticket. */
  onEnded(tx: Transaction, ticket: Ticket): Promise<boolean>;
}

export async function createCrossing(ports: CheckRunPorts): Promise<Crossing> {
  const [plans, { createJobTickets, refOf }] = await Promise.all([
    import('@baton/plans/jobs'),
    import('@baton/tickets/work'),
  ]);
  const checks: CheckRuns = {
    start: (tx, run) => plans.startChecks(tx, ports, run),
    ended: (tx, runs) => plans.endedChecks(tx, runs),
    cancel: (tx, run) => plans.cancelChecks(tx, run, tickets),
    async evidence(run) {
      const evidence = await plans.checkEvidence(ports, run);
      return { ...evidence, dirty: evidence.commit === undefined };
    },
  };
  const tickets = createJobTickets({ ids: ports.ids, checks, uptime: machineUptime });
  return {
    checks,
    tickets,
    async onEnded(tx, ticket) {
      const ref = refOf(ticket);
      const summary = truncate(ticket.resolution, LONGEST_SUMMARY);
      const plan = await plans.settleTicketJob(
        tx,
        ticket.id,
        ticket.state === 'done'
          ? { kind: 'succeeded', outputs: { ticket: ref, summary } }
          : { kind: 'failed', message: `${ref} was cancelled${summary && `: ${summary}`}` },
      );
      return plan !== undefined;
    },
  };
}
