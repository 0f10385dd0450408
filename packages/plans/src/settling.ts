import { BatonError } from '@baton/core';
import {
  type Claim,
  cancelWork,
  completeWork,
  failWork,
  findWork,
  giveBackWork,
  guardWork,
  retryWork,
  type Transaction,
} from '@baton/store';
import type { Claimed } from './claiming.ts';
import { FAILURES, type FailureReason, retryIn } from './failure.ts';
import { endAttempt, endJob, selectJob, selectPlan } from './job-queries.ts';
import { settlePlan } from './lifecycle.ts';
import {
  announcePlan,
  findJob,
  gitOf,
  type JobAttempt,
  jobOf,
  type Plan,
  planById,
  tables,
  updateJob,
} from './plan-repository.ts';
import { asRetry } from './scheduling.ts';
import { endSteps, type Step, saveSteps } from './steps.ts';
import type { StoredJob } from './stored-job.ts';
import type { AttemptState, JobTable } from './tables.ts';
import { hasWorked, leaveWorktree } from './worktrees.ts';

/** How an attempt ended. */
export type Result = Ending & {
  /** How far it got, where it works in a worktree. */
  readonly steps?: readonly Step[];
  /** How its worktree is left, where that is kept for people. */
  readonly keptState?: string | undefined;
};

type Ending =
  | {
      readonly kind: 'succeeded';
      readonly outputs: Readonly<Record<string, string>>;
      /** What its worktree began with, and what it has made of that. */
      readonly commits?: { readonly start: string; readonly result: string };
    }
  | {
      readonly kind: 'failed';
      readonly reason: FailureReason;
      readonly message: string;
      readonly exitCode?: number;
      readonly signal?: string;
    }
  /** As if it had not been claimed: its worker has to leave. `hasRun`: it may have had effects. */
  | { readonly kind: 'released'; readonly hasRun: boolean };

/** The attempt is over and nothing of it runs any more. Returns the plan as it is then. */
export async function settleJob(tx: Transaction, claimed: Claimed, result: Result): Promise<Plan> {
  await settleAttempt(tx, claimed, result);
  return settleJobsPlan(tx, claimed.plan.id);
}

/** The same, while the plan is left for `settleJobsPlan`, once for several jobs. */
export async function settleAttempt(
  tx: Transaction,
  claimed: Claimed,
  given: Result,
): Promise<void> {
  const { claim, attempt, job } = claimed;
  const [row] = await selectJob(tx, { planId: claimed.plan.id, jobId: job.id });
  // Whoever comes late may ask for a plan that is gone.
  if (!row) return guardWork(tx, claim);
  const isSpent = mustNotRunAgain(given, job.definition, row) && !(await hasWorked(tx, attempt.id));
  const result = isSpent ? LEFT_BEHIND : given;
  const state = await settleWork(tx, claim, job.definition, row, result);
  const failed = result.kind === 'failed' ? result : undefined;
  const isByHand = state === 'failed' && row.stop === 'fail';
  const reason = isByHand ? 'failed_by_hand' : (failed?.reason ?? null);
  await endAttempt(tx, {
    id: attempt.id,
    state,
    reason: state === 'failed' ? reason : null,
    message: isByHand ? row.note : (failed?.message ?? ''),
    exit_code: failed?.exitCode ?? null,
    signal: failed?.signal ?? null,
    is_reaped: 1,
    ended_at: tx.now,
  });
  await rememberTree(tx, claimed, result, state, given);
  await rememberEnd(tx, row, {
    failures: row.failures + (state === 'failed' && isOwnFault(failed?.reason) ? 1 : 0),
    outputs: result.kind === 'succeeded' ? JSON.stringify(result.outputs) : row.outputs,
  });
}

/** What its worktree has shown and made, and what becomes of that. */
async function rememberTree(
  tx: Transaction,
  claimed: Claimed,
  result: Result,
  state: AttemptState,
  { steps = [], keptState }: Result,
): Promise<void> {
  const { attempt, job, plan } = claimed;
  const git = gitOf(plan);
  if (!git) return;
  await saveSteps(tx, claimed, steps);
  await leaveWorktree(tx, attempt.id, state, git, keptState);
  const commits = result.kind === 'succeeded' ? result.commits : undefined;
  // Whoever goes on for one that had to leave still has to know where.
  const isOver = state !== 'released' && claimed.git?.resume !== undefined;
  if (!commits && !isOver) return;
  await updateJob(tx, plan.id, job.id, {
    ...(isOver && { resume: null }),
    ...(commits && { start_commit: commits.start, result_commit: commits.result }),
  });
}

async function rememberEnd(
  tx: Transaction,
  { plan_id: planId, id: jobId, ...row }: JobTable,
  end: Pick<JobTable, 'failures' | 'outputs'>,
): Promise<void> {
  const isAsBefore = !row.stop && row.failures === end.failures && row.outputs === end.outputs;
  if (!isAsBefore) await endJob(tx, { planId, jobId, ...end });
}

const WORKER_DIED = 'Its worker died while it ran.';

const LEFT_BEHIND: Result = {
  kind: 'failed',
  reason: 'worker_lost',
  message: 'Its worker had to leave while it ran; whether it has done its work is not known.',
};

/** What has begun and must not run twice cannot be given to another worker. */
function mustNotRunAgain(result: Result, { retry }: StoredJob, { stop }: JobTable): boolean {
  return result.kind === 'released' && result.hasRun && retry === 'never' && !stop;
}

/** The first write is one that refuses whoever has lost the job: then nothing has been changed. */
async function settleWork(
  tx: Transaction,
  claim: Claim,
  { retry = 0 }: StoredJob,
  { stop, failures }: JobTable,
  result: Result,
): Promise<AttemptState> {
  if (result.kind === 'succeeded') {
    await completeWork(tx, claim);
    return 'succeeded';
  }
  if (stop) {
    await guardWork(tx, claim);
    await cancelWork(tx, claim.work.id, stop === 'fail' ? 'failed' : 'cancelled');
    return stop === 'fail' ? 'failed' : 'cancelled';
  }
  if (result.kind === 'released') {
    await giveBackWork(tx, claim);
    return 'released';
  }
  const own = failures + (isOwnFault(result.reason) ? 1 : 0);
  const tries = claim.work.attempts;
  const alike = typeof retry === 'object' && {
    alike: await failuresAlike(tx, claim, result.reason),
  };
  const retryInMs = retryIn(result.reason, { retry, failures: own, tries, ...alike });
  await failWork(tx, claim, {
    detail: result.reason,
    ...(retryInMs !== undefined && { retryInMs, priority: asRetry(claim.work.priority) }),
  });
  return 'failed';
}

/** Failures for the same reason since it was last tried by hand, this one included. */
async function failuresAlike(
  tx: Transaction,
  { work: { id } }: Claim,
  reason: FailureReason,
): Promise<number> {
  const { planId, jobId } = jobOf(id);
  const attempts = await tables(tx)
    .selectFrom('plan_attempts')
    .select(['trigger', 'reason'])
    .where('plan_id', '=', planId)
    .where('job_id', '=', jobId)
    .orderBy('number')
    .execute();
  const begin = attempts.findLastIndex(({ trigger }) => trigger === 'first' || trigger === 'retry');
  return 1 + attempts.slice(begin).filter((attempt) => attempt.reason === reason).length;
}

function isOwnFault(reason: FailureReason | undefined): boolean {
  return reason !== undefined && FAILURES[reason] !== 'always';
}

/** Jobs of the plan have ended: is it over now, or at rest? */
export async function settleJobsPlan(tx: Transaction, planId: string): Promise<Plan> {
  const [plan] = await selectPlan(tx, { id: planId });
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
  const { attempt, stop } = await findJob(tx, planId, jobId);
  const isGivenUp =
    (await findWork(tx, id))?.state === 'failed' && !(await goesOn(tx, id, attempt));
  if (attempt) {
    await endAttempt(tx, {
      id: attempt.id,
      state: 'lost',
      reason: 'worker_lost',
      message: isGivenUp
        ? 'Its worker died while it ran; whether it has done its work is not known.'
        : WORKER_DIED,
      exit_code: null,
      signal: null,
      is_reaped: 0,
      ended_at: tx.now,
    });
    await endSteps(tx, attempt.id, WORKER_DIED);
  }
  if (stop && !isGivenUp) await cancelWork(tx, id, stop === 'fail' ? 'failed' : 'cancelled');
  if (stop) await updateJob(tx, planId, jobId, { stop: null });
  const git = gitOf(plan);
  if (git && attempt && (stop || isGivenUp)) await leaveWorktree(tx, attempt.id, 'failed', git);
  await settleJobsPlan(tx, planId);
}

/** What must not be done twice is done, and the rest of the attempt can be: once more, not for ever. */
async function goesOn(
  tx: Transaction,
  workId: string,
  attempt: JobAttempt | undefined,
): Promise<boolean> {
  if (!attempt || attempt.trigger === 'rerun' || !(await hasWorked(tx, attempt.id))) return false;
  await retryWork(tx, workId, { keepsCount: true });
  return true;
}

/** Whoever comes late with a result of a job that was taken from him. */
export function isLost(error: unknown): boolean {
  return error instanceof BatonError && error.code === 'lease_lost';
}
