import type { PlanView } from '@baton/runtime';
import type { Job } from './plan-tools.ts';
import type { Snapshot } from './snapshots.ts';

/** Something that has happened to a job, or without one to the plan. */
export interface PlanEvent {
  readonly time: string;
  readonly plan?: string;
  readonly job?: string;
  readonly state: Job['state'] | PlanView['state'];
  readonly attempt?: number;
  readonly seconds?: number;
  readonly reason?: string;
  readonly message?: string;
  /** An attempt has failed, and there will be another one. */
  readonly willRetry?: boolean;
}

/** What has happened between two looks at a plan, or before the first, in order. */
export function eventsBetween(before: Snapshot | undefined, after: Snapshot): PlanEvent[] {
  const known = new Map(before?.jobs.map((job) => [job.id, job]));
  const events = after.jobs.flatMap((job) => jobEvents(known.get(job.id), job, after.at));
  const { id, state, note, startedAt } = after.plan;
  const isNews = before?.plan.state !== state || before.plan.note !== note;
  const isOver = ['succeeded', 'failed', 'cancelled'].includes(state);
  // What was so before the first look began when the plan did, before its jobs.
  const time = (!before && startedAt) || new Date(after.at).toISOString();
  const own = { time, plan: id, state, ...(note && { message: note }) };
  const sorted = events.toSorted((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
  // The end of the plan is told by its summary.
  return isNews && !isOver ? [own, ...sorted] : sorted;
}

function jobEvents(before: Job | undefined, job: Job, now: number): PlanEvent[] {
  const willRetry = isToRetry(job);
  const isNews =
    before?.state !== job.state ||
    before.attempt !== job.attempt ||
    isToRetry(before) !== willRetry;
  const isQuiet = ['pending', 'ready', 'scheduled'].includes(job.state) && !willRetry;
  if (!isNews || isQuiet) return [];
  const { id, state, attempt, startedAt, endedAt, seconds = 0, reason, message } = job;
  const hasRun = attempt !== undefined && state !== 'blocked';
  const time = state === 'running' ? startedAt : hasRun ? endedAt : undefined;
  return [
    {
      time: time ?? new Date(now).toISOString(),
      job: id,
      state: willRetry ? 'failed' : state,
      ...(attempt && { attempt }),
      ...(hasRun && state !== 'running' && { seconds }),
      ...(reason && { reason }),
      ...(message && { message }),
      ...(willRetry && { willRetry }),
    },
  ];
}

function isToRetry({ state, reason }: Job): boolean {
  return reason !== undefined && (state === 'ready' || state === 'pending');
}
