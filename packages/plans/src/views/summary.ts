import type { Reading } from '@baton/store';
import { countJobs, countWork, type Job, jobsOf, type Plan } from '../plan-repository.ts';
import { isMoving, JOB_STATES, type JobState } from '../states.ts';
import { failuresIn } from './failures.ts';
import { showGit } from './git-view.ts';
import { ticketRefs } from './ticket-refs.ts';
import { iso, seconds } from './times.ts';

const SHOWN = 10;

/** A plan in a few lines: where it stands, what runs, what has failed, what to do next. */
export async function summarize(tx: Reading, plan: Plan, now: number) {
  const jobs = await jobsOf(tx, plan.id);
  const active = jobs.filter(({ state }) => state === 'running' || state === 'scheduled');
  const failed = failuresIn(jobs);
  const ticketOf = await ticketRefs(tx, plan.id, active);
  return {
    ...brief(plan),
    ...(plan.note && { note: plan.note }),
    ...(plan.source && { source: plan.source }),
    ...(plan.after_plan && { after: plan.after_plan }),
    maxParallel: plan.max_parallel,
    createdAt: iso(plan.created_at),
    ...(plan.started_at !== null && {
      startedAt: iso(plan.started_at),
      seconds: seconds(plan.started_at, plan.ended_at ?? now),
    }),
    ...(plan.ended_at !== null && { endedAt: iso(plan.ended_at) }),
    jobs: { total: jobs.length, ...countStates(jobs) },
    active: active
      .slice(0, SHOWN)
      .map((job) => ({ ...describeActive(job, now), ...ticketOf(job) })),
    failed: failed.slice(0, SHOWN),
    ...(plan.git && { git: await showGit(tx, plan) }),
    next: nextStep(plan, failed.length),
  };
}

export function brief({ id, name, state }: Plan) {
  return { id, name, state };
}

function countStates(jobs: readonly Job[]): Partial<Record<JobState, number>> {
  const counts: Partial<Record<JobState, number>> = {};
  for (const { state } of jobs) counts[state] = (counts[state] ?? 0) + 1;
  return Object.fromEntries(
    JOB_STATES.flatMap((state) => (counts[state] ? [[state, counts[state]]] : [])),
  );
}

function describeActive({ id, state, phase, tries, stop, attempt }: Job, now: number) {
  return {
    job: id,
    state,
    ...(phase && { phase }),
    seconds: attempt ? seconds(attempt.startedAt, now) : 0,
    ...(tries > 1 && { attempt: tries }),
    ...(stop && { isStopping: true }),
  };
}

function nextStep({ state }: Plan, failures: number): string {
  if (isMoving(state)) return 'Call plan_get with waitSeconds to wait for the end.';
  switch (state) {
    case 'draft':
      return 'Add jobs with plan_edit, then finalize.';
    case 'pending':
    case 'paused':
      return 'Start or resume it with plan_control.';
    case 'failed':
      return failures > 0
        ? 'Call plan_get with view "failure", then retry with plan_control.'
        : 'Retry with plan_control.';
    case 'cancelled':
      return 'Retry or recover it with plan_control if it is still wanted.';
    default:
      return 'Nothing is left to do.';
  }
}

/** Jobs that have ended, and all. */
export async function progressOf(
  tx: Reading,
  plan: Plan,
): Promise<{ progress: number; total: number }> {
  const { succeeded = 0, failed = 0, cancelled = 0, blocked = 0 } = await countWork(tx, plan.id);
  const total = await countJobs(tx, plan.id);
  return { progress: succeeded + failed + cancelled + blocked, total };
}
