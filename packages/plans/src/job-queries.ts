import { defineQuery } from '@baton/store';
import type { Plan } from './plan-repository.ts';
import type { AttemptTable, JobTable, PlanTables, TicketTable } from './tables.ts';

// What happens for every job is compiled once: to build a query costs more than to run it.

interface JobKey {
  readonly planId: string;
  readonly jobId: string;
}

export const selectPlan = defineQuery((db, { id }: { id: string }) =>
  db.withTables<PlanTables>().selectFrom('plans').selectAll().where('id', '=', id).$castTo<Plan>(),
);

export const selectJob = defineQuery((db, { planId, jobId }: JobKey) =>
  db
    .withTables<PlanTables>()
    .selectFrom('plan_jobs')
    .selectAll()
    .where('plan_id', '=', planId)
    .where('id', '=', jobId)
    .$castTo<JobTable>(),
);

export const selectAttempt = defineQuery(
  (db, { planId, jobId, number }: JobKey & { readonly number: number }) =>
    db
      .withTables<PlanTables>()
      .selectFrom('plan_attempts')
      .selectAll()
      .where('plan_id', '=', planId)
      .where('job_id', '=', jobId)
      .where('number', '=', number)
      .$castTo<AttemptTable>(),
);

export const insertAttempt = defineQuery((db, given: AttemptTable) =>
  db.withTables<PlanTables>().insertInto('plan_attempts').values({
    id: given.id,
    plan_id: given.plan_id,
    job_id: given.job_id,
    number: given.number,
    trigger: given.trigger,
    state: given.state,
    worker: given.worker,
    pid: given.pid,
    reason: given.reason,
    message: given.message,
    exit_code: given.exit_code,
    signal: given.signal,
    is_reaped: given.is_reaped,
    started_at: given.started_at,
    ended_at: given.ended_at,
  }),
);

export const setPid = defineQuery((db, given: { readonly id: string; readonly pid: number }) =>
  db
    .withTables<PlanTables>()
    .updateTable('plan_attempts')
    .set({ pid: given.pid })
    .where('id', '=', given.id),
);

export type AttemptEnd = Pick<
  AttemptTable,
  'id' | 'state' | 'reason' | 'message' | 'exit_code' | 'signal' | 'is_reaped' | 'ended_at'
>;

export const endAttempt = defineQuery((db, given: AttemptEnd) =>
  db
    .withTables<PlanTables>()
    .updateTable('plan_attempts')
    .set({
      state: given.state,
      reason: given.reason,
      message: given.message,
      exit_code: given.exit_code,
      signal: given.signal,
      is_reaped: given.is_reaped,
      ended_at: given.ended_at,
    })
    .where('id', '=', given.id),
);

/** One try more; returns the job as it is then. */
export const countTry = defineQuery((db, { planId, jobId }: JobKey) =>
  db
    .withTables<PlanTables>()
    .updateTable('plan_jobs')
    .set((row) => ({ tries: row('tries', '+', 1) }))
    .where('plan_id', '=', planId)
    .where('id', '=', jobId)
    .returningAll()
    .$castTo<JobTable>(),
);

export const endJob = defineQuery(
  (db, given: JobKey & { readonly failures: number; readonly outputs: string }) =>
    db
      .withTables<PlanTables>()
      .updateTable('plan_jobs')
      .set({ stop: null, failures: given.failures, outputs: given.outputs })
      .where('plan_id', '=', given.planId)
      .where('id', '=', given.jobId),
);

/** The ticket, if a job still waits for it. */
export const selectOpenTicket = defineQuery((db, given: { readonly ticketId: string }) =>
  db
    .withTables<PlanTables>()
    .selectFrom('plan_tickets')
    .innerJoin('plan_attempts', 'plan_attempts.id', 'plan_tickets.attempt_id')
    .selectAll('plan_tickets')
    .where('plan_attempts.state', '=', 'open')
    .where('plan_tickets.ticket_id', '=', given.ticketId)
    .$castTo<TicketTable>(),
);
