import { BatonError } from '@baton/core';
import { findWork, retryWork, setPriority, type Transaction } from '@baton/store';
import { inOrder } from './graph.ts';
import { openGate, settlePlan, startPlan } from './lifecycle.ts';
import { isBefore, type Resumable } from './phases.ts';
import { type Job, jobsOf, type Plan, updateJob, updatePlan, workId } from './plan-repository.ts';
import { asRetry } from './scheduling.ts';
import { isOver } from './states.ts';
import type { JobToStore } from './stored-job.ts';
import { forgetWork, type WorktreeRow, worktreesOf } from './worktrees.ts';

export interface Retrying {
  /** All that can be retried without it. */
  readonly ids?: readonly string[] | undefined;
  /** What they do from now on. */
  readonly changed?: ReadonlyMap<string, JobToStore>;
  /** They go on in the worktrees that were kept, with this phase. */
  readonly from?: Resumable | undefined;
}

/** Gives failed and cancelled jobs a new chance. `leaving` gets the worktrees that they give up. */
export async function retryJobs(
  tx: Transaction,
  plan: Plan,
  { ids, changed = new Map(), from }: Retrying,
  leaving: WorktreeRow[] = [],
): Promise<Plan> {
  if (plan.started_at === null && !ids) return startPlan(tx, plan);
  const jobs = await jobsOf(tx, plan.id);
  const chosen = choose(jobs, ids);
  if (from) await requireWorktrees(tx, plan, chosen);
  const isWaiting = ['running', 'pausing', 'paused'].includes(plan.state);
  const running = isWaiting
    ? plan
    : await updatePlan(tx, plan, { state: 'running', ended_at: null, note: '' });
  if (!isWaiting) await openGate(tx, running);
  const definitions = jobs.map(({ definition }) => definition);
  for (const { id } of inOrder(definitions)) {
    if (!chosen.has(id)) continue;
    // The newest is where it goes on.
    const given = (await worktreesOf(tx, plan.id, id)).slice(from ? 1 : 0);
    leaving.push(...given.filter(({ kept_state }) => kept_state !== null));
    await retryJob(tx, plan, id, { change: changed.get(id), from });
  }
  const retried = await settlePlan(tx, await updatePlan(tx, running, {}));
  if (isOver(retried.state)) {
    throw nothingToRetry(
      'What these jobs need has failed or was cancelled, too: nothing could run.',
    );
  }
  return retried;
}

async function retryJob(
  tx: Transaction,
  plan: Plan,
  id: string,
  { change, from }: Pick<Retrying, 'from'> & { readonly change: JobToStore | undefined },
): Promise<void> {
  await updateJob(tx, plan.id, id, {
    failures: 0,
    stop: null,
    note: '',
    resume: from ?? null,
    ...(change && { definition: JSON.stringify(change.definition), env: change.env }),
  });
  if (!from || !isBefore('work', from)) await forgetWork(tx, plan.id, id);
  await retryWork(tx, workId(plan.id, id));
  const work = await findWork(tx, workId(plan.id, id));
  if (work) await setPriority(tx, work.id, asRetry(work.priority));
}

async function requireWorktrees(
  tx: Transaction,
  plan: Plan,
  chosen: ReadonlySet<string>,
): Promise<void> {
  for (const id of chosen) {
    if ((await worktreesOf(tx, plan.id, id)).length > 0) continue;
    throw new BatonError(
      'worktree_gone',
      `No worktree of job ${id} was kept. Nothing was changed.`,
      'Leave `from` out: then it begins in a new one.',
    );
  }
}

function choose(jobs: readonly Job[], ids: readonly string[] | undefined): ReadonlySet<string> {
  const retryable = jobs.filter(({ state }) => state === 'failed' || state === 'cancelled');
  if (!ids) {
    if (retryable.length > 0) return new Set(retryable.map(({ id }) => id));
    throw nothingToRetry('No job of the plan has failed or was cancelled.');
  }
  const known = new Set(retryable.map(({ id }) => id));
  const wrong = ids.find((id) => !known.has(id));
  if (wrong === undefined) return new Set(ids);
  const state = jobs.find(({ id }) => id === wrong)?.state;
  throw nothingToRetry(
    state
      ? `Job ${wrong} is ${state}.`
      : `The plan has no job ${JSON.stringify(wrong.slice(0, 100))}.`,
  );
}

function nothingToRetry(message: string): BatonError {
  return new BatonError(
    'job_state',
    `${message} Nothing was changed.`,
    'Only jobs that have failed or were cancelled can be retried, together with what they need.',
  );
}
