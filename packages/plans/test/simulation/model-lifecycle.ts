import { ensure } from '@baton/testkit';
import type { PlanState } from '../under-test.ts';
import type { Model, ModelPlan } from './model.ts';

const OVER: readonly PlanState[] = ['succeeded', 'failed', 'cancelled'];

/** A draft is complete: it starts, or waits for the plan before it. */
export function release(model: Model, plan: ModelPlan): void {
  const before = plan.after === null ? undefined : model.plans.get(plan.after);
  const state = before?.archivedFrom ?? before?.state;
  if (plan.after === null || state === 'succeeded') start(model, plan);
  // Of one that was deleted nobody knows any more what had become of it.
  else if (state === undefined || OVER.includes(state)) hold(plan);
  else plan.state = 'waiting';
}

function hold(plan: ModelPlan): void {
  plan.state = 'paused';
}

export function start(model: Model, plan: ModelPlan): void {
  ensure(!plan.isStarted, `${plan.id} is started twice`);
  ensure(plan.jobs.size > 0, `${plan.id} is started without a job`);
  Object.assign(plan, { state: 'running', isStarted: true, isEnded: false });
  ensure(model.canMove(plan), `${plan.id} is started and cannot move`);
}

/** Is it over now, or at rest? */
export function settle(model: Model, plan: ModelPlan): void {
  const isUnderWay = ['running', 'pausing', 'paused', 'cancelling'].includes(plan.state);
  if (!isUnderWay || !plan.isStarted) return;
  if (!model.canMove(plan)) end(model, plan, outcome(model, plan));
  else if (plan.state === 'pausing' && !isAnythingHeld(plan)) plan.state = 'paused';
}

export function isAnythingHeld({ jobs }: ModelPlan): boolean {
  return [...jobs.values()].some(({ fate }) => fate === 'held');
}

function outcome(model: Model, plan: ModelPlan): PlanState {
  const jobs = [...plan.jobs.values()];
  const isCancelled = jobs.some(({ fate }) => fate === 'cancelled');
  if (plan.state === 'cancelling' && isCancelled) return 'cancelled';
  // What is left undone behind a job that was cancelled alone counts as failed too.
  const isLeftUndone = jobs.some((job) => job.fate === 'open' && model.isHopeless(job));
  if (isLeftUndone || jobs.some(({ fate }) => fate === 'failed')) return 'failed';
  return isCancelled ? 'cancelled' : 'succeeded';
}

export function end(model: Model, plan: ModelPlan, state: PlanState): void {
  Object.assign(plan, { state, isEnded: true });
  for (const follower of followers(model, plan)) {
    if (state === 'succeeded') start(model, follower);
    else hold(follower);
  }
}

/** Those that wait for it can wait no longer; others can no longer know what became of it. */
export function remove(model: Model, plan: ModelPlan): void {
  for (const follower of followers(model, plan)) hold(follower);
  if ((plan.archivedFrom ?? plan.state) === 'succeeded') {
    for (const other of model.plans.values()) if (other.after === plan.id) other.after = null;
  }
  model.plans.delete(plan.id);
}

function followers(model: Model, { id }: ModelPlan): ModelPlan[] {
  return [...model.plans.values()].filter(
    ({ after, state }) => after === id && state === 'waiting',
  );
}
