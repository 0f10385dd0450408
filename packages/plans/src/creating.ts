import type { Ids } from '@baton/core';
import { BatonError } from '@baton/core';
import type { Transaction } from '@baton/store';
import type { GitSettings } from './git-settings.ts';
import { follow, startPlan } from './lifecycle.ts';
import {
  findPlan,
  PLANS_TOPIC,
  type Plan,
  planById,
  tables,
  updatePlan,
} from './plan-repository.ts';
import { isOver } from './states.ts';
import type { JobToStore } from './stored-job.ts';

export interface NewPlan {
  readonly workspace: string;
  readonly name: string;
  readonly jobs: readonly JobToStore[];
  readonly maxParallel: number;
  readonly after?: string | undefined;
  readonly source: string;
  /** Sealed. */
  readonly baseEnv: string;
  readonly env: string;
  readonly git?: GitSettings | undefined;
}

/** Adds a draft. */
export async function addPlan(tx: Transaction, ids: Ids, plan: NewPlan): Promise<Plan> {
  const before = plan.after ? await findPlan(tx, plan.workspace, plan.after) : undefined;
  const row = {
    id: ids.next(),
    workspace: plan.workspace,
    name: plan.name,
    state: 'draft' as const,
    max_parallel: plan.maxParallel,
    after_plan: before?.id ?? null,
    source: plan.source,
    base_env: plan.baseEnv,
    env: plan.env,
    archived_from: null,
    note: '',
    git: plan.git ? JSON.stringify(plan.git) : '',
    created_at: tx.now,
    started_at: null,
    ended_at: null,
  };
  const { seq } = await tables(tx)
    .insertInto('plans')
    .values(row)
    .returning('seq')
    .executeTakeFirstOrThrow();
  await insertJobs(tx, row.id, plan.jobs, 0);
  tx.emit(plan.workspace, PLANS_TOPIC);
  return { seq, ...row };
}

/** A statement takes some thirty thousand values at most. */
const ROWS = 500;

export async function insertJobs(
  tx: Transaction,
  planId: string,
  jobs: readonly JobToStore[],
  firstPosition: number,
): Promise<void> {
  const rows = jobs.map(({ id, definition, env }, index) => ({
    plan_id: planId,
    id,
    position: firstPosition + index,
    definition: JSON.stringify(definition),
    env,
    outputs: '{}',
    stop: null,
    note: '',
    tries: 0,
    failures: 0,
    start_commit: null,
    result_commit: null,
    resume: null,
  }));
  for (let from = 0; from < rows.length; from += ROWS) {
    await tables(tx)
      .insertInto('plan_jobs')
      .values(rows.slice(from, from + ROWS))
      .execute();
  }
}

/** A draft is complete: it starts, waits for the plan before it, or waits for a person. */
export async function finalizePlan(
  tx: Transaction,
  draft: Plan,
  { isPaused }: { readonly isPaused: boolean },
): Promise<Plan> {
  const job = await tables(tx)
    .selectFrom('plan_jobs')
    .select('id')
    .where('plan_id', '=', draft.id)
    .limit(1)
    .executeTakeFirst();
  if (!job) {
    throw new BatonError('plan_empty', 'The plan has no jobs.', 'Add jobs with plan_edit first.');
  }
  const plan = await updatePlan(tx, draft, { state: 'pending' });
  return isPaused ? plan : releasePlan(tx, plan);
}

/** Starts it, unless the plan before it has still to succeed. */
export async function releasePlan(tx: Transaction, plan: Plan): Promise<Plan> {
  if (!plan.after_plan) return startPlan(tx, plan);
  const before = await planById(tx, plan.after_plan);
  // Had it succeeded, nothing would refer to it any more.
  if (!before) return follow(tx, plan, 'deleted');
  const state = before.archived_from ?? before.state;
  return isOver(state) ? follow(tx, plan, state) : updatePlan(tx, plan, { state: 'waiting' });
}
