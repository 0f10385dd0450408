import { BatonError, type CheckDefinition } from '@baton/core';
import type { Transaction } from '@baton/store';
import { ACTIONS, type Action } from './actions.ts';
import { addPlan, finalizePlan, releasePlan } from './creating.ts';
import type { WorkDefinition } from './definition.ts';
import { arranged, isLanding, refuseGitParts } from './git-jobs.ts';
import { landPlan } from './landing.ts';
import { openGate, settlePlan, startPlan } from './lifecycle.ts';
import type { Resumable } from './phases.ts';
import { findJob, gitOf, jobsOf, type Plan, tables, updatePlan } from './plan-repository.ts';
import type { PlanPorts } from './ports.ts';
import { unreapedOfPlan } from './reaping.ts';
import { removePlan } from './removing.ts';
import { retryJobs } from './retrying.ts';
import { isOver, PLAN_TRANSITIONS } from './states.ts';
import { cancelPlan, pausePlan, stopJob } from './stopping.ts';
import { type JobToStore, toStore } from './stored-job.ts';
import { dropWorktrees, keptWorktrees, type WorktreeRow } from './worktrees.ts';

export interface ControlOptions {
  readonly action: Action;
  /** For cancel, retry and fail: only these. */
  readonly jobs?: readonly string[] | undefined;
  /** For retry of one job: what it does from now on. */
  readonly work?: WorkDefinition | undefined;
  readonly checks?: readonly CheckDefinition[] | undefined;
  /** For retry: goes on in the kept worktree, with this phase; without it in a new one. */
  readonly from?: Resumable | undefined;
  /** For land: the branch, and whether it may be the default one. */
  readonly target?: string | undefined;
  readonly intoDefault?: boolean | undefined;
  /** For fail: why. */
  readonly message?: string | undefined;
}

type Handler = (
  tx: Transaction,
  plan: Plan,
  options: ControlOptions,
  ports: PlanPorts,
  outcome: Outcome,
) => Promise<Plan>;

/** What an action takes away, for whoever has to see to it. */
export interface Outcome {
  /** Logs that nobody can ask for any more. */
  readonly logs: string[];
  /** Worktrees that people may have worked in. */
  readonly worktrees: WorktreeRow[];
}

/** What each action does, and in which states of the plan. */
const HANDLERS: Readonly<Record<Action, Handler>> = {
  start: (tx, plan) => {
    allow(plan, 'start', 'started', plan.started_at === null);
    // By hand it starts whatever has become of the plan before it.
    return plan.state === 'pending' && plan.after_plan
      ? releasePlan(tx, plan)
      : startPlan(tx, plan);
  },
  pause: (tx, plan) => {
    allow(plan, 'pause', 'paused');
    return pausePlan(tx, plan);
  },
  resume: async (tx, plan) => {
    allow(plan, 'resume', 'resumed');
    if (plan.started_at === null) return startPlan(tx, plan);
    await openGate(tx, plan);
    return settlePlan(tx, await updatePlan(tx, plan, { state: 'running', note: '' }));
  },
  cancel: async (tx, plan, { jobs }, { tickets }) => {
    if (jobs) return stopJobs(tx, plan, jobs, 'cancelled', 'Cancelled by hand.', tickets);
    allow(plan, 'cancel', 'cancelled');
    return cancelPlan(tx, plan, tickets);
  },
  fail: (tx, plan, { jobs, message }, { tickets }) => {
    if (!jobs) throw jobsNeeded('fail');
    return stopJobs(tx, plan, jobs, 'failed', message ?? 'Failed by hand.', tickets);
  },
  retry: async (tx, plan, { jobs, work, checks, from }, { sealer }, { worktrees }) => {
    const isMoving = ['running', 'pausing', 'paused'].includes(plan.state);
    if (!isMoving || plan.started_at === null) allow(plan, 'retry', 'retried');
    const changed = await changedJob(tx, plan, jobs, { work, checks }, sealer);
    return retryJobs(tx, plan, { ids: jobs, changed, from }, worktrees);
  },
  land: (tx, plan, options, _, { worktrees }) => landPlan(tx, plan, options, worktrees),
  clean: async (tx, plan, _, __, { worktrees }) => {
    if (!isOver(plan.state)) throw stillAtWork(plan);
    worktrees.push(...(await keptWorktrees(tx, plan.id)));
    await dropWorktrees(tx, plan, { refs: false });
    return updatePlan(tx, plan, {});
  },
  recover: async (tx, plan, _, __, { worktrees }) => {
    allow(plan, 'recover', 'recovered');
    if (plan.archived_from) {
      return updatePlan(tx, plan, { state: plan.archived_from, archived_from: null });
    }
    return recoverCancelled(tx, plan, worktrees);
  },
  clone: (tx, plan, _, ports) => clonePlan(tx, plan, ports),
  archive: async (tx, plan, _, __, { worktrees }) => {
    allow(plan, 'archive', 'archived');
    worktrees.push(...(await keptWorktrees(tx, plan.id)));
    await dropWorktrees(tx, plan, { refs: false });
    return updatePlan(tx, plan, { state: 'archived', archived_from: plan.state });
  },
  delete: (tx, plan, _, __, outcome) => deletePlan(tx, plan, outcome),
};

/** Returns the plan as it is then; `outcome` is filled with what it takes away. */
export function controlPlan(
  tx: Transaction,
  plan: Plan,
  options: ControlOptions,
  ports: PlanPorts,
  outcome: Outcome,
): Promise<Plan> {
  return HANDLERS[options.action](tx, plan, options, ports, outcome);
}

function allow(plan: Plan, event: string, verb: string, isAlso = true): void {
  if (isAlso && event in PLAN_TRANSITIONS[plan.state]) return;
  const possible = Object.keys(PLAN_TRANSITIONS[plan.state]).filter((name) =>
    (ACTIONS as readonly string[]).includes(name),
  );
  throw new BatonError(
    'plan_state',
    `Plan ${plan.id} is ${plan.state} and cannot be ${verb}. Nothing was changed.`,
    `What it can do now: ${possible.join(', ') || 'nothing but clone and delete'}.`,
  );
}

async function stopJobs(
  tx: Transaction,
  plan: Plan,
  ids: readonly string[],
  into: 'cancelled' | 'failed',
  note: string,
  tickets: PlanPorts['tickets'],
): Promise<Plan> {
  if (plan.started_at === null || plan.ended_at !== null) {
    throw new BatonError(
      'plan_state',
      `Plan ${plan.id} is ${plan.state}: none of its jobs can be stopped.`,
      'Only jobs of a plan that was started and has not ended can be stopped.',
    );
  }
  for (const id of ids) {
    await stopJob(tx, plan, await findJob(tx, plan.id, id), into, note, tickets);
  }
  return settlePlan(tx, await updatePlan(tx, plan, {}));
}

async function changedJob(
  tx: Transaction,
  plan: Plan,
  ids: readonly string[] | undefined,
  { work, checks }: Pick<ControlOptions, 'work' | 'checks'>,
  sealer: PlanPorts['sealer'],
): Promise<ReadonlyMap<string, JobToStore>> {
  if (work === undefined && checks === undefined) return new Map();
  const [id, ...others] = ids ?? [];
  if (id === undefined || others.length > 0) throw jobsNeeded('retry with new work or checks');
  const { definition, env } = await findJob(tx, plan.id, id);
  const checked = { ...definition, ...(checks && { checks: [...checks] }) };
  if (!gitOf(plan)) refuseGitParts([checked]);
  if (work === undefined) return new Map([[id, { id, definition: checked, env }]]);
  if (isLanding(definition)) throw jobsNeeded('change what lands the results');
  const { variables: _, ...rest } = checked;
  return new Map([[id, toStore({ ...rest, work }, sealer)]]);
}

function jobsNeeded(what: string): BatonError {
  return new BatonError(
    'job_needed',
    `To ${what}, exactly the jobs must be named.`,
    'Pass their ids in `jobs`; new work is for one job at a time.',
  );
}

/** Its cancelled jobs are as if they had not been; a person looks at it and resumes it. */
async function recoverCancelled(
  tx: Transaction,
  plan: Plan,
  leaving: WorktreeRow[],
): Promise<Plan> {
  if (plan.started_at === null) {
    return updatePlan(tx, plan, { state: 'paused', ended_at: null });
  }
  const running = await retryJobs(tx, plan, {}, leaving);
  return pausePlan(tx, running);
}

async function clonePlan(tx: Transaction, plan: Plan, { ids }: PlanPorts): Promise<Plan> {
  const jobs = await jobsOf(tx, plan.id);
  const git = gitOf(plan);
  const draft = await addPlan(tx, ids, {
    workspace: plan.workspace,
    name: plan.name,
    jobs: arranged(
      jobs.map(({ id, definition, env }) => ({ id, definition, env })),
      git,
    ),
    maxParallel: plan.max_parallel,
    source: plan.source,
    baseEnv: plan.base_env,
    env: plan.env,
    git,
  });
  return jobs.length === 0 ? draft : finalizePlan(tx, draft, { isPaused: true });
}

async function deletePlan(tx: Transaction, plan: Plan, outcome: Outcome): Promise<Plan> {
  const isAtRest = ['draft', 'pending', 'succeeded', 'failed', 'cancelled', 'archived'];
  if (!isAtRest.includes(plan.state)) {
    throw new BatonError(
      'plan_state',
      `Plan ${plan.id} is ${plan.state} and cannot be deleted. Nothing was changed.`,
      'Cancel it first.',
    );
  }
  if ((await unreapedOfPlan(tx, plan.id)).length > 0) throw beingTidied(plan);
  const logs = await tables(tx)
    .selectFrom('plan_attempts')
    .innerJoin('logs', 'logs.id', 'plan_attempts.id')
    .select('logs.id')
    .where('plan_attempts.plan_id', '=', plan.id)
    .execute();
  outcome.logs.push(...logs.map(({ id }) => id));
  outcome.worktrees.push(...(await keptWorktrees(tx, plan.id)));
  await removePlan(tx, plan);
  return plan;
}

function stillAtWork({ id, state }: Plan): BatonError {
  return new BatonError(
    'plan_state',
    `Plan ${id} is ${state}: its worktrees may be in use. Nothing was changed.`,
    'Clean it when it has ended, or cancel it first.',
  );
}

/** What nobody knows of any more, nobody could end. */
function beingTidied({ id }: Plan): BatonError {
  return new BatonError(
    'plan_state',
    `Processes that a lost worker has left of plan ${id} are still being ended. Nothing was changed.`,
    'Delete it in a moment.',
  );
}
