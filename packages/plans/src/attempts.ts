import type { Ids } from '@baton/core';
import { BatonError } from '@baton/core';
import {
  type Claim,
  cancelWork,
  claimWork,
  completeWork,
  failWork,
  findWork,
  giveBackWork,
  guardWork,
  type Holder,
  type Reading,
  readyGroups,
  type Transaction,
} from '@baton/store';
import { FAILURES, type FailureReason, retryIn } from './failure.ts';
import { settlePlan } from './lifecycle.ts';
import {
  announcePlan,
  findJob,
  type Job,
  jobOf,
  type Plan,
  planById,
  QUEUE,
  tables,
  updateJob,
} from './plan-repository.ts';
import { fairOrder, MAX_JOBS } from './scheduling.ts';
import type { AttemptState, AttemptTable } from './tables.ts';

/** A job that a worker has to run now. */
export interface Claimed {
  readonly claim: Claim;
  readonly plan: Plan;
  readonly job: Job;
  readonly attempt: { readonly id: string; readonly number: number };
  /** Attempts of this job whose processes are not known to be gone. */
  readonly unreaped: readonly string[];
}

/** How an attempt ended. */
export type Result =
  | { readonly kind: 'succeeded'; readonly outputs: Readonly<Record<string, string>> }
  | {
      readonly kind: 'failed';
      readonly reason: FailureReason;
      readonly message: string;
      readonly exitCode?: number;
      readonly signal?: string;
    }
  /** Its worker has to leave. As if it had not been claimed, unless it must not run twice. */
  | { readonly kind: 'released'; readonly hasRun: boolean };

/** The job that is next, of the plan whose turn it is. */
export async function claimJob(
  tx: Transaction,
  holder: Holder,
  ids: Ids,
  lastTurns: ReadonlyMap<string, number>,
): Promise<Claimed | undefined> {
  for (const group of fairOrder(await readyGroups(tx, QUEUE), lastTurns)) {
    const claim = await claimWork(tx, holder, { queue: QUEUE, group });
    if (claim) return beginAttempt(tx, claim, holder, ids);
  }
  return undefined;
}

async function beginAttempt(
  tx: Transaction,
  claim: Claim,
  holder: Holder,
  ids: Ids,
): Promise<Claimed> {
  const { planId, jobId } = jobOf(claim.work.id);
  const plan = await planById(tx, planId);
  if (!plan) throw new Error(`There is work of plan ${planId}, which does not exist`);
  const job = await findJob(tx, planId, jobId);
  const unreaped = job.tries === 0 ? [] : await unreapedOf(tx, planId, jobId);
  const attempt = { id: ids.next(), number: job.tries + 1 };
  await tables(tx)
    .insertInto('plan_attempts')
    .values({
      ...attempt,
      plan_id: planId,
      job_id: jobId,
      trigger: triggerOf(job, claim),
      state: 'open',
      worker: holder.label,
      pid: null,
      reason: null,
      message: '',
      exit_code: null,
      signal: null,
      is_reaped: 0,
      started_at: tx.now,
      ended_at: null,
    })
    .execute();
  await updateJob(tx, planId, jobId, { tries: attempt.number });
  announcePlan(tx, plan);
  return { claim, plan, job, attempt, unreaped };
}

function triggerOf({ attempt }: Job, { work }: Claim): AttemptTable['trigger'] {
  if (!attempt) return 'first';
  if (attempt.state === 'released') return 'rerun';
  // Only a retry by hand lets the queue count from one again.
  if (work.attempts === 1) return 'retry';
  return attempt.state === 'lost' ? 'rerun' : 'again';
}

async function unreapedOf(tx: Transaction, planId: string, jobId: string): Promise<string[]> {
  const rows = await tables(tx)
    .selectFrom('plan_attempts')
    .select('id')
    .where('plan_id', '=', planId)
    .where('job_id', '=', jobId)
    .where('is_reaped', '=', 0)
    .execute();
  return rows.map(({ id }) => id);
}

/** Its process runs. */
export async function recordStart(tx: Transaction, claimed: Claimed, pid: number): Promise<void> {
  await guardWork(tx, claimed.claim);
  await tables(tx)
    .updateTable('plan_attempts')
    .set({ pid })
    .where('id', '=', claimed.attempt.id)
    .execute();
  announcePlan(tx, claimed.plan);
}

/** The attempt is over and nothing of it runs any more. Returns the plan as it is then. */
export async function settleJob(tx: Transaction, claimed: Claimed, given: Result): Promise<Plan> {
  const { claim, attempt } = claimed;
  const { id: planId } = claimed.plan;
  // First of all: whoever comes late may ask for a plan that is gone.
  await guardWork(tx, claim);
  const job = await findJob(tx, planId, claimed.job.id);
  const result = isSpent(job, given) ? LEFT_BEHIND : given;
  const state = await settleWork(tx, claim, job, result);
  const failed = result.kind === 'failed' ? result : undefined;
  const isByHand = state === 'failed' && job.stop === 'fail';
  await closeAttempt(tx, attempt.id, {
    state,
    ...(state === 'failed' && { reason: isByHand ? 'failed_by_hand' : (failed?.reason ?? null) }),
    message: isByHand ? job.note : (failed?.message ?? ''),
    exit_code: failed?.exitCode ?? null,
    signal: failed?.signal ?? null,
    is_reaped: 1,
  });
  await updateJob(tx, planId, job.id, {
    stop: null,
    failures: job.failures + (state === 'failed' && isOwnFault(failed?.reason) ? 1 : 0),
    ...(result.kind === 'succeeded' && { outputs: JSON.stringify(result.outputs) }),
  });
  return settleAfter(tx, planId);
}

const LEFT_BEHIND: Result = {
  kind: 'failed',
  reason: 'worker_lost',
  message: 'Its worker had to leave while it ran; whether it has done its work is not known.',
};

/** What has begun and must not run twice cannot be given to another worker. */
function isSpent({ definition, stop }: Job, result: Result): boolean {
  return result.kind === 'released' && result.hasRun && definition.retry === 'never' && !stop;
}

async function settleWork(
  tx: Transaction,
  claim: Claim,
  job: Job,
  result: Result,
): Promise<AttemptState> {
  if (result.kind === 'succeeded') {
    await completeWork(tx, claim);
    return 'succeeded';
  }
  if (job.stop) {
    await cancelWork(tx, claim.work.id, job.stop === 'fail' ? 'failed' : 'cancelled');
    return job.stop === 'fail' ? 'failed' : 'cancelled';
  }
  if (result.kind === 'released') {
    await giveBackWork(tx, claim);
    return 'released';
  }
  const failures = job.failures + (isOwnFault(result.reason) ? 1 : 0);
  const retryInMs = retryIn(result.reason, { retry: job.definition.retry ?? 0, failures });
  await failWork(tx, claim, {
    detail: result.reason,
    ...(retryInMs !== undefined && { retryInMs, priority: asRetry(claim.work.priority) }),
  });
  return 'failed';
}

/** What is tried again comes before what was not tried yet. */
export function asRetry(priority: number): number {
  return priority >= MAX_JOBS ? priority : priority + MAX_JOBS;
}

function isOwnFault(reason: FailureReason | undefined): boolean {
  return reason !== undefined && FAILURES[reason] !== 'always';
}

async function closeAttempt(
  tx: Transaction,
  id: string,
  change: Partial<AttemptTable>,
): Promise<void> {
  await tables(tx)
    .updateTable('plan_attempts')
    .set({ ...change, ended_at: tx.now })
    .where('id', '=', id)
    .execute();
}

async function settleAfter(tx: Transaction, planId: string): Promise<Plan> {
  const plan = await planById(tx, planId);
  if (!plan) throw new Error(`Plan ${planId} is gone while its jobs run`);
  announcePlan(tx, plan);
  return settlePlan(tx, plan);
}

/**
 * The worker of a job is gone, and the queue has given the job back or has given it up. Called in
 * the same transaction. What the worker left running is ended later, before the next attempt.
 */
export async function loseJob(tx: Transaction, id: string): Promise<void> {
  const { planId, jobId } = jobOf(id);
  const plan = await planById(tx, planId);
  if (!plan) return; // Work of another kind.
  const job = await findJob(tx, planId, jobId);
  const work = await findWork(tx, id);
  const isGivenUp = work?.state === 'failed';
  if (job.attempt) {
    await closeAttempt(tx, job.attempt.id, {
      state: 'lost',
      reason: 'worker_lost',
      message: isGivenUp
        ? 'Its worker died while it ran; whether it has done its work is not known.'
        : 'Its worker died while it ran.',
    });
  }
  if (job.stop && !isGivenUp) {
    await cancelWork(tx, id, job.stop === 'fail' ? 'failed' : 'cancelled');
  }
  if (job.stop) await updateJob(tx, planId, jobId, { stop: null });
  await settleAfter(tx, planId);
}

/** Attempts that are over although their processes may still run. */
export async function unreapedAttempts(tx: Reading): Promise<string[]> {
  const rows = await tables(tx)
    .selectFrom('plan_attempts')
    .select('id')
    .where('is_reaped', '=', 0)
    .where('state', '!=', 'open')
    .execute();
  return rows.map(({ id }) => id);
}

/** Those of these attempts that are over. */
export async function closedAttempts(tx: Reading, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await tables(tx)
    .selectFrom('plan_attempts')
    .select('id')
    .where('id', 'in', ids)
    .where('state', '!=', 'open')
    .execute();
  return rows.map(({ id }) => id);
}

export async function markReaped(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tables(tx)
    .updateTable('plan_attempts')
    .set({ is_reaped: 1 })
    .where('id', 'in', ids)
    .execute();
}

/** Whoever comes late with a result of a job that was taken from him. */
export function isLost(error: unknown): boolean {
  return error instanceof BatonError && error.code === 'lease_lost';
}
