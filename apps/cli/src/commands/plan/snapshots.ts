import { setTimeout as pause } from 'node:timers/promises';
import type { PlanView } from '@baton/runtime';
import type { Job, PlanTools } from './plan-tools.ts';

/** A plan with all its jobs at one moment. */
export interface Snapshot {
  readonly plan: PlanView;
  readonly jobs: readonly Job[];
  /** When it was taken, in wall milliseconds. */
  readonly at: number;
}

/** No person sees more changes than this. */
const SHORTEST_MS = 100;
/** Without any change: whether somebody works on it at all is not told by changes. */
const LONGEST_MS = 5000;

export async function takeSnapshot(plans: PlanTools, id: string): Promise<Snapshot> {
  // In this order: the jobs are then at least as far as the plan.
  const plan = await plans.look({ plan: id });
  const jobs = await plans.jobs(plan.id);
  return { plan, jobs, at: plans.session.baton.clock.now() };
}

/** A plan after each change, until it has ended, does not start by itself, or nobody looks. */
export async function* snapshots(plans: PlanTools, id: string): AsyncGenerator<Snapshot> {
  const { signal, session } = plans;
  const { clock } = session.baton;
  using changes = await plans.watch(id);
  while (!signal.aborted) {
    const started = clock.monotonic();
    const snapshot = await takeSnapshot(plans, id).catch(unlessAborted(signal));
    if (!snapshot) return;
    const took = clock.monotonic() - started;
    yield snapshot;
    if (!goesOn(snapshot.plan)) return;
    // A large plan takes longer to read, and must not keep us busy all the time.
    await pause(Math.max(SHORTEST_MS, took), undefined, { signal }).catch(() => {});
    await changes.next(LONGEST_MS, signal);
  }
}

/** What was never started and waits for a person is nothing to wait for. */
function goesOn({ state, startedAt }: PlanView): boolean {
  if (['succeeded', 'failed', 'cancelled', 'archived', 'draft'].includes(state)) return false;
  return startedAt !== undefined || state === 'waiting';
}

/** An interrupted call is no failure: whoever interrupted it wants to leave. */
function unlessAborted(signal: AbortSignal) {
  return (error: unknown): undefined => {
    if (!signal.aborted) throw error;
  };
}
