import { truncate } from '@baton/core';
import type { Reading } from '@baton/store';
import { type Job, jobsOf, type Plan } from '../plan-repository.ts';
import { iso, seconds } from './times.ts';

/** An answer should stay below 10 kB, and escaping may make it longer. */
const PAGE_CHARACTERS = 7000;
const MESSAGE_LENGTH = 200;

export interface JobsQuery {
  /** How many jobs come before; below 0: so many before the end. */
  readonly from?: number | undefined;
}

/** All jobs in the order of writing, as many as fit into an answer. */
export async function listJobs(tx: Reading, plan: Plan, { from = 0 }: JobsQuery, now: number) {
  const jobs = await jobsOf(tx, plan.id);
  const start = Math.min(from < 0 ? Math.max(0, jobs.length + from) : from, jobs.length);
  const page: ReturnType<typeof describeRow>[] = [];
  let room = PAGE_CHARACTERS;
  for (const job of jobs.slice(start)) {
    const row = describeRow(job, now);
    room -= JSON.stringify(row).length;
    if (room < 0 && page.length > 0) break;
    page.push(row);
  }
  const next = start + page.length;
  return { from: start, ...(next < jobs.length && { next }), jobs: page };
}

function describeRow({ id, state, definition, tries, attempt, stop, note }: Job, now: number) {
  const { name, group } = definition;
  // Also of an attempt that is about to be repeated.
  const hasFailed = state === 'failed' || (state !== 'succeeded' && attempt?.state === 'failed');
  const message = hasFailed ? attempt?.message || note : note;
  return {
    id,
    state,
    ...(name && { name }),
    ...(group && { group }),
    ...(tries > 0 && { attempt: tries }),
    ...(attempt && {
      startedAt: iso(attempt.startedAt),
      seconds: seconds(attempt.startedAt, attempt.endedAt ?? now),
    }),
    ...(hasFailed && { reason: attempt?.reason ?? ('failed_by_hand' as const) }),
    ...(message && { message: truncate(message, MESSAGE_LENGTH) }),
    ...(stop && { isStopping: true }),
  };
}
