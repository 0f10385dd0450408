import type { TicketResult } from '@baton/plans/jobs';
import type { Model, ModelAttempt, ModelJob } from './model.ts';
import { settle } from './model-lifecycle.ts';

export interface ModelTicket {
  readonly id: string;
  readonly job: ModelJob;
  readonly attempt: ModelAttempt;
  state: 'open' | 'closed' | 'cancelled';
}

/** From now on the job waits for a ticket. */
export function park(model: Model, job: ModelJob, attempt: ModelAttempt): void {
  Object.assign(job, { fate: 'parked', holder: undefined });
  const id = `ticket-${model.tickets.length + 1}`;
  model.tickets.push({ id, job, attempt, state: 'open' });
  settle(model, model.plan(job.plan));
}

export function endTicket(model: Model, ticket: ModelTicket, result: TicketResult): void {
  const { job, attempt } = ticket;
  ticket.state = 'closed';
  const reason = result.kind === 'failed' ? 'ticket_failed' : null;
  Object.assign(attempt, { state: result.kind, reason, isReaped: true });
  job.fate = result.kind;
  if (result.kind === 'succeeded') job.outputs = JSON.stringify(result.outputs);
  settle(model, model.plan(job.plan));
}

/** Somebody wants the job to end: nobody waits for its ticket any more. */
export function stopParked(model: Model, job: ModelJob, fate: 'cancelled' | 'failed'): void {
  const ticket = model.tickets.find((each) => each.job === job && each.state === 'open');
  if (!ticket) throw new Error(`${job.wanted.id} waits for nothing`);
  ticket.state = 'cancelled';
  const reason = fate === 'failed' ? 'failed_by_hand' : null;
  Object.assign(ticket.attempt, { state: fate, reason, isReaped: true });
  job.fate = fate;
}
