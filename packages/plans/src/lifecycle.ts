import {
  addWork,
  defineQuery,
  removeGate,
  setGate,
  type Transaction,
  type WorkState,
} from '@baton/store';
import { maxAttempts } from './failure.ts';
import { remainingPaths } from './graph.ts';
import {
  type Job,
  jobsOf,
  type Plan,
  QUEUE,
  tables,
  updatePlan,
  workId,
} from './plan-repository.ts';
import type { PlanState } from './states.ts';

/** Its jobs can be claimed from now on. */
export async function startPlan(tx: Transaction, plan: Plan): Promise<Plan> {
  const jobs = await jobsOf(tx, plan.id);
  await openGate(tx, plan);
  await addWork(tx, newWork(plan, jobs));
  return updatePlan(tx, plan, {
    state: 'running',
    started_at: tx.now,
    ended_at: null,
    note: '',
  });
}

export function newWork(plan: Plan, jobs: readonly Job[]) {
  const definitions = jobs.map(({ definition }) => definition);
  const paths = remainingPaths(definitions);
  return definitions.map(({ id, needs = [], retry = 0 }) => ({
    id: workId(plan.id, id),
    workspace: plan.workspace,
    queue: QUEUE,
    group: plan.id,
    priority: paths.get(id) ?? 1,
    needs: needs.map((needed) => workId(plan.id, needed)),
    maxAttempts: maxAttempts(retry),
  }));
}

export async function openGate(tx: Transaction, plan: Plan): Promise<void> {
  const maxRunning = plan.max_parallel;
  await setGate(tx, { queue: QUEUE, group: plan.id }, maxRunning > 0 ? { maxRunning } : {});
}

/** What is finished or cancelled needs no gate; gates are looked at with every claim. */
export async function endPlan(tx: Transaction, plan: Plan, state: PlanState): Promise<Plan> {
  await removeGate(tx, { queue: QUEUE, group: plan.id });
  const ended = await updatePlan(tx, plan, { state, ended_at: tx.now });
  await startFollowers(tx, ended);
  return ended;
}

const anyOf = (states: readonly Exclude<WorkState, 'succeeded'>[]) =>
  defineQuery((db, { group }: { group: string }) =>
    db
      .selectFrom('work')
      .select('state')
      .where('queue', '=', QUEUE)
      .where('state', 'in', states)
      .where('grp', '=', group)
      .limit(1),
  );
const anyOpen = anyOf(['waiting', 'ready', 'running', 'parked']);
const anyRunning = anyOf(['running']);
const anyFailed = anyOf(['failed', 'blocked']);
const anyCancelled = anyOf(['cancelled']);

/** Something of the plan has ended: is it over now, or at rest? */
export async function settlePlan(tx: Transaction, plan: Plan): Promise<Plan> {
  const group = { group: plan.id };
  const has = async (query: typeof anyOpen) => (await query(tx, group)).length > 0;
  if (!['running', 'pausing', 'paused', 'cancelling'].includes(plan.state)) return plan;
  if (plan.started_at === null) return plan;
  if (!(await has(anyOpen))) return endPlan(tx, plan, await outcome(plan, has));
  if (plan.state === 'pausing' && !(await has(anyRunning))) {
    return updatePlan(tx, plan, { state: 'paused' });
  }
  return plan;
}

async function outcome(
  plan: Plan,
  has: (query: typeof anyOpen) => Promise<boolean>,
): Promise<PlanState> {
  const isCancelled = await has(anyCancelled);
  if (plan.state === 'cancelling' && isCancelled) return 'cancelled';
  if (await has(anyFailed)) return 'failed';
  return isCancelled ? 'cancelled' : 'succeeded';
}

/** Plans that wait for this one start if it has succeeded, and are left to a person if not. */
async function startFollowers(tx: Transaction, plan: Plan): Promise<void> {
  const followers = await plansAfter(tx, plan).where('state', '=', 'waiting').execute();
  for (const follower of followers) await follow(tx, follower, plan.state);
}

function plansAfter(tx: Transaction, { id }: Plan) {
  return tables(tx).selectFrom('plans').selectAll().where('after_plan', '=', id);
}

/** It will be gone: those that come after it must not wait for it, nor believe that it never was. */
export async function leaveFollowers(tx: Transaction, plan: Plan): Promise<void> {
  const hasSucceeded = (plan.archived_from ?? plan.state) === 'succeeded';
  for (const follower of await plansAfter(tx, plan).execute()) {
    if (follower.state === 'waiting') await follow(tx, follower, 'deleted');
    else if (hasSucceeded) await updatePlan(tx, follower, { after_plan: null });
  }
}

const HELD: Partial<Record<PlanState | 'deleted', string>> = {
  failed: 'The plan before it has failed.',
  cancelled: 'The plan before it has been cancelled.',
  deleted: 'The plan before it was deleted.',
};

export async function follow(
  tx: Transaction,
  plan: Plan,
  before: PlanState | 'deleted',
): Promise<Plan> {
  if (before === 'succeeded') return startPlan(tx, plan);
  return updatePlan(tx, plan, { state: 'paused', note: HELD[before] ?? '' });
}
