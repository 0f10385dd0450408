import { cancelWork, completeParked, failParked, parkWork, type Transaction } from '@baton/store';
import type { Claimed } from './claiming.ts';
import { endAttempt, selectJob, selectOpenTicket } from './job-queries.ts';
import { checkOutputs } from './outputs.ts';
import { tables, updateJob, workId } from './plan-repository.ts';
import type { JobTicket, JobTickets } from './ports.ts';
import { settleAttempt, settleJobsPlan } from './settling.ts';
import type { AttemptTable, TicketTable } from './tables.ts';

/** What became of a ticket. */
export type TicketResult =
  | { readonly kind: 'succeeded'; readonly outputs: Readonly<Record<string, string>> }
  | { readonly kind: 'failed'; readonly message: string };

/** From now on the job waits for a ticket, and its worker has nothing more to do with it. */
export async function parkJob(
  tx: Transaction,
  claimed: Claimed,
  ticket: JobTicket,
  tickets: JobTickets,
): Promise<void> {
  const { claim, plan, job, attempt } = claimed;
  const [row] = await selectJob(tx, { planId: plan.id, jobId: job.id });
  if (!row || row.stop) return settleAttempt(tx, claimed, { kind: 'released', hasRun: false });
  // First, because it refuses whoever has lost the job: then there is no ticket.
  await parkWork(tx, claim);
  const { id, ref } = await tickets.open(tx, ticket);
  await tables(tx)
    .insertInto('plan_tickets')
    .values({ ticket_id: id, ref, plan_id: plan.id, job_id: job.id, attempt_id: attempt.id })
    .execute();
}

/**
 * A ticket is over, and so is the job that waits for it, if one does. Returns the id of its plan if
 * more jobs may be ready now: whoever calls this sees to it that a worker lives. Throws if the
 * outputs are none that a job could have written; then the ticket must stay open.
 */
export async function settleTicketJob(
  tx: Transaction,
  ticketId: string,
  result: TicketResult,
): Promise<string | undefined> {
  const [ticket] = await selectOpenTicket(tx, { ticketId });
  if (!ticket) return undefined;
  const { plan_id: planId, job_id: jobId } = ticket;
  if (result.kind === 'succeeded') {
    const outputs = JSON.stringify(checkOutputs(result.outputs));
    await completeParked(tx, workId(planId, jobId));
    await updateJob(tx, planId, jobId, { outputs });
    await closeAttempt(tx, ticket, { state: 'succeeded', reason: null, message: '' });
  } else {
    const reason = 'ticket_failed';
    await failParked(tx, workId(planId, jobId), reason);
    await closeAttempt(tx, ticket, { state: 'failed', reason, message: result.message });
  }
  await settleJobsPlan(tx, planId);
  return result.kind === 'succeeded' ? planId : undefined;
}

/** Ends jobs that wait for tickets, all of a plan or one: nothing of them runs that had to end first. */
export async function stopTicketJobs(
  tx: Transaction,
  tickets: JobTickets,
  which: { readonly planId: string; readonly jobId?: string },
  into: 'cancelled' | 'failed',
  why: string,
): Promise<void> {
  const { planId, jobId } = which;
  let waiting = openTickets(tx).where('plan_tickets.plan_id', '=', planId);
  if (jobId !== undefined) waiting = waiting.where('plan_tickets.job_id', '=', jobId);
  const end =
    into === 'failed'
      ? ({ state: into, reason: 'failed_by_hand', message: why } as const)
      : ({ state: into, reason: null, message: '' } as const);
  for (const ticket of await waiting.execute()) {
    await cancelWork(tx, workId(planId, ticket.job_id), into);
    await closeAttempt(tx, ticket, end);
    // Last: whoever is told of its end finds a job that is over already.
    await tickets.cancel(tx, ticket.ticket_id, why);
  }
}

/** Those that jobs still wait for. */
function openTickets(tx: Transaction) {
  return tables(tx)
    .selectFrom('plan_tickets')
    .innerJoin('plan_attempts', 'plan_attempts.id', 'plan_tickets.attempt_id')
    .selectAll('plan_tickets')
    .where('plan_attempts.state', '=', 'open');
}

function closeAttempt(
  tx: Transaction,
  { attempt_id: id }: TicketTable,
  end: Pick<AttemptTable, 'state' | 'reason' | 'message'>,
): Promise<unknown> {
  return endAttempt(tx, {
    ...end,
    id,
    exit_code: null,
    signal: null,
    is_reaped: 1,
    ended_at: tx.now,
  });
}
