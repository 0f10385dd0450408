import { BatonError } from '@baton/core';
import { cancelGroup, cancelWork, type Reading, setGate, type Transaction } from '@baton/store';
import { endPlan, settlePlan } from './lifecycle.ts';
import {
  countWork,
  type Job,
  type Plan,
  QUEUE,
  tables,
  updateJob,
  updatePlan,
  workId,
} from './plan-repository.ts';
import type { JobTickets } from './ports.ts';
import { stopTicketJobs } from './ticket-jobs.ts';

/** Those who run jobs listen here for what they should stop. */
export const STOP_TOPIC = 'jobs/stop';

/** The jobs that somebody wants to be ended. */
export async function stopRequests(tx: Reading): Promise<ReadonlySet<string>> {
  const rows = await tables(tx)
    .selectFrom('plan_jobs')
    .select(['plan_id', 'id'])
    .where('stop', 'is not', null)
    .execute();
  return new Set(rows.map(({ plan_id, id }) => workId(plan_id, id)));
}

/** Nothing more is started; what runs is ended by its worker, which then says so. */
export async function cancelPlan(tx: Transaction, plan: Plan, tickets: JobTickets): Promise<Plan> {
  if (plan.started_at === null) return endPlan(tx, plan, 'cancelled');
  const why = `Plan ${plan.id} was cancelled.`;
  await stopTicketJobs(tx, tickets, { planId: plan.id }, 'cancelled', why);
  await cancelGroup(tx, QUEUE, plan.id);
  const { running = 0 } = await countWork(tx, plan.id);
  if (running > 0) await requestStop(tx, plan);
  return settlePlan(tx, await updatePlan(tx, plan, { state: 'cancelling' }));
}

async function requestStop(tx: Transaction, plan: Plan): Promise<void> {
  const running = await tx.db
    .selectFrom('work')
    .select('id')
    .where('queue', '=', QUEUE)
    .where('state', '=', 'running')
    .where('grp', '=', plan.id)
    .execute();
  for (const { id } of running) {
    await tables(tx)
      .updateTable('plan_jobs')
      .set({ stop: 'cancel' })
      .where('plan_id', '=', plan.id)
      .where('id', '=', id.slice(plan.id.length + 1))
      .where('stop', 'is', null)
      .execute();
  }
  tx.emit(plan.workspace, STOP_TOPIC);
}

/** Ends one job: by its worker if it runs, at once if not. */
export async function stopJob(
  tx: Transaction,
  plan: Plan,
  job: Job,
  into: 'cancelled' | 'failed',
  note: string,
  tickets: JobTickets,
): Promise<void> {
  if (['succeeded', 'failed', 'cancelled'].includes(job.state)) {
    throw new BatonError(
      'job_state',
      `Job ${job.id} is ${job.state}. Nothing was changed.`,
      'Only what has not ended can be stopped.',
    );
  }
  const isRunning = !job.isParked && (job.state === 'running' || job.state === 'scheduled');
  const stop = into === 'failed' ? 'fail' : 'cancel';
  await updateJob(tx, plan.id, job.id, { note, ...(isRunning && { stop }) });
  if (isRunning) tx.emit(plan.workspace, STOP_TOPIC);
  else if (job.isParked)
    await stopTicketJobs(tx, tickets, { planId: plan.id, jobId: job.id }, into, note);
  else await cancelWork(tx, workId(plan.id, job.id), into);
}

export async function pausePlan(tx: Transaction, plan: Plan): Promise<Plan> {
  const maxRunning = plan.max_parallel;
  const limit = maxRunning > 0 ? { maxRunning } : {};
  await setGate(tx, { queue: QUEUE, group: plan.id }, { isPaused: true, ...limit });
  const { running = 0 } = await countWork(tx, plan.id);
  return updatePlan(tx, plan, { state: running > 0 ? 'pausing' : 'paused' });
}
