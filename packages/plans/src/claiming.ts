import type { Ids } from '@baton/core';
import {
  type Claim,
  claimWork,
  guardWork,
  type Holder,
  readyGroups,
  type Transaction,
} from '@baton/store';
import { insertAttempt, selectAttempt, selectJob, selectPlan, setTries } from './job-queries.ts';
import { announcePlan, jobOf, type Plan, QUEUE, tables } from './plan-repository.ts';
import { unreapedOf } from './reaping.ts';
import { fairOrder } from './scheduling.ts';
import type { StoredJob } from './stored-job.ts';
import type { AttemptTable, JobTable } from './tables.ts';

/** A job that a worker has to run now. */
export interface Claimed {
  readonly claim: Claim;
  readonly plan: Plan;
  readonly job: ClaimedJob;
  readonly attempt: { readonly id: string; readonly number: number };
  /** Attempts of this job whose processes are not known to be gone. */
  readonly unreaped: readonly string[];
}

interface ClaimedJob {
  readonly id: string;
  readonly definition: StoredJob;
  /** Sealed. */
  readonly env: string;
}

/** The plans that were looked at in a transaction, so that each is read once. */
export type PlanCache = Map<string, Plan>;

/** The job that is next, of the plan whose turn it is. */
export async function claimJob(
  tx: Transaction,
  holder: Holder,
  ids: Ids,
  lastTurns: ReadonlyMap<string, number>,
  plans: PlanCache = new Map(),
): Promise<Claimed | undefined> {
  for (const group of fairOrder(await readyGroups(tx, QUEUE), lastTurns)) {
    const claim = await claimWork(tx, holder, { queue: QUEUE, group });
    if (claim) return beginAttempt(tx, claim, holder.label, ids, plans);
  }
  return undefined;
}

async function beginAttempt(
  tx: Transaction,
  claim: Claim,
  worker: string,
  ids: Ids,
  plans: PlanCache,
): Promise<Claimed> {
  const { planId, jobId } = jobOf(claim.work.id);
  const plan = await cachedPlan(tx, planId, plans);
  const [row] = await selectJob(tx, { planId, jobId });
  if (!row) throw new Error(`There is work of job ${claim.work.id}, which does not exist`);
  const attempt = { id: ids.next(), number: row.tries + 1 };
  await insertAttempt(tx, {
    ...attempt,
    plan_id: planId,
    job_id: jobId,
    trigger: await triggerOf(tx, row, claim),
    state: 'open',
    worker,
    pid: null,
    reason: null,
    message: '',
    exit_code: null,
    signal: null,
    is_reaped: 0,
    started_at: tx.now,
    ended_at: null,
  });
  await setTries(tx, { planId, jobId, tries: attempt.number });
  announcePlan(tx, plan);
  const unreaped = row.tries === 0 ? [] : await unreapedOf(tx, planId, jobId, attempt.id);
  const job = { id: jobId, definition: JSON.parse(row.definition), env: row.env };
  return { claim, plan, job, attempt, unreaped };
}

async function cachedPlan(tx: Transaction, id: string, plans: PlanCache): Promise<Plan> {
  const known = plans.get(id);
  if (known) return known;
  const [plan] = await selectPlan(tx, { id });
  if (!plan) throw new Error(`There is work of plan ${id}, which does not exist`);
  plans.set(id, plan);
  return plan;
}

async function triggerOf(
  tx: Transaction,
  { plan_id: planId, id: jobId, tries: number }: JobTable,
  { work }: Claim,
): Promise<AttemptTable['trigger']> {
  if (number === 0) return 'first';
  const [last] = await selectAttempt(tx, { planId, jobId, number });
  if (last?.state === 'released') return 'rerun';
  // Only a retry by hand lets the queue count from one again.
  if (work.attempts === 1) return 'retry';
  return last?.state === 'lost' ? 'rerun' : 'again';
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
