import type { Ids } from '@baton/core';
import {
  type Claim,
  claimSome,
  guardWork,
  type Holder,
  readyGroups,
  type Transaction,
} from '@baton/store';
import { type GitPart, gitPart } from './git-claim.ts';
import { countTry, insertAttempt, selectAttempt, selectPlan, setPid } from './job-queries.ts';
import { announcePlan, jobOf, type Plan, QUEUE } from './plan-repository.ts';
import { unreapedOf } from './reaping.ts';
import type { Turns } from './scheduling.ts';
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
  /** Where it works, if that is a worktree. */
  readonly git?: GitPart;
}

interface ClaimedJob {
  readonly id: string;
  readonly definition: StoredJob;
  /** Sealed. */
  readonly env: string;
}

export interface Claimer {
  readonly holder: Holder;
  readonly ids: Ids;
  readonly turns: Turns;
}

/** The jobs that are next, each of the plan whose turn it is. */
export async function claimJobs(tx: Transaction, by: Claimer, most: number): Promise<Claimed[]> {
  const claimed: Claimed[] = [];
  const plans = new Map<string, Plan>();
  // Nobody else changes anything in this transaction: what is known need not be asked again.
  const ready = new Set((await readyGroups(tx, QUEUE)).map((group) => ({ ...group })));
  while (claimed.length < most) {
    const next = by.turns.next(ready);
    if (!next) break;
    const filter = { queue: QUEUE, group: next.group };
    // Who is alone need not take turns.
    const wanted = ready.size === 1 ? most - claimed.length : 1;
    const claims = await claimSome(tx, by.holder, filter, wanted);
    if (claims.length === 0) {
      ready.delete(next);
      continue;
    }
    for (const claim of claims) claimed.push(await beginAttempt(tx, claim, by, plans));
    next.running += claims.length;
    by.turns.take(next.group);
  }
  return claimed;
}

async function beginAttempt(
  tx: Transaction,
  claim: Claim,
  { holder, ids }: Claimer,
  plans: Map<string, Plan>,
): Promise<Claimed> {
  const { planId, jobId } = jobOf(claim.work.id);
  const plan = plans.get(planId) ?? (await existingPlan(tx, planId));
  plans.set(planId, plan);
  const [row] = await countTry(tx, { planId, jobId });
  if (!row) throw new Error(`There is work of job ${claim.work.id}, which does not exist`);
  const attempt = { id: ids.next(), number: row.tries };
  await insertAttempt(tx, {
    ...attempt,
    plan_id: planId,
    job_id: jobId,
    trigger: await triggerOf(tx, row, claim),
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
  });
  announcePlan(tx, plan);
  const unreaped = row.tries === 1 ? [] : await unreapedOf(tx, planId, jobId, attempt.id);
  const job = { id: jobId, definition: JSON.parse(row.definition), env: row.env };
  const git = plan.git === '' ? undefined : await gitPart(tx, plan, row, attempt.id);
  return { claim, plan, job, attempt, unreaped, ...(git && { git }) };
}

async function existingPlan(tx: Transaction, id: string): Promise<Plan> {
  const [plan] = await selectPlan(tx, { id });
  if (!plan) throw new Error(`There is work of plan ${id}, which does not exist`);
  return plan;
}

async function triggerOf(
  tx: Transaction,
  { plan_id: planId, id: jobId, tries }: JobTable,
  { work }: Claim,
): Promise<AttemptTable['trigger']> {
  if (tries === 1) return 'first';
  const [last] = await selectAttempt(tx, { planId, jobId, number: tries - 1 });
  if (last?.state === 'released') return 'rerun';
  // Only a retry by hand lets the queue count from one again.
  if (work.attempts === 1) return 'retry';
  return last?.state === 'lost' ? 'rerun' : 'again';
}

/** Its process runs. */
export async function recordStart(tx: Transaction, claimed: Claimed, pid: number): Promise<void> {
  await guardWork(tx, claimed.claim);
  await setPid(tx, { id: claimed.attempt.id, pid });
  announcePlan(tx, claimed.plan);
}
