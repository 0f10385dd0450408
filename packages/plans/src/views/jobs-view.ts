import { truncate } from '@baton/core';
import type { Reading } from '@baton/store';
import { countJobs, type Job, jobsFrom, type Plan } from '../plan-repository.ts';
import { ticketRefs } from './ticket-refs.ts';
import { iso, seconds } from './times.ts';

/** An answer should stay below 10 kB, and escaping may make it longer. */
const PAGE_CHARACTERS = 7000;
const PAGE_ROWS = 150;
const MESSAGE_LENGTH = 200;

export interface JobsQuery {
  /** How many jobs come before; below 0: so many before the end. */
  readonly from?: number | undefined;
}

/** All jobs in the order of writing, as many as fit into an answer. */
export async function listJobs(tx: Reading, plan: Plan, { from = 0 }: JobsQuery, now: number) {
  const start = from < 0 ? Math.max(0, (await countJobs(tx, plan.id)) + from) : from;
  // One more than is shown tells whether there is another page.
  const jobs = await jobsFrom(tx, plan.id, start, PAGE_ROWS + 1);
  const ticketOf = await ticketRefs(tx, plan.id, jobs);
  const page: JobRow[] = [];
  let room = PAGE_CHARACTERS;
  for (const job of jobs.slice(0, PAGE_ROWS)) {
    const row = { ...describeRow(job, now), ...ticketOf(job) };
    room -= JSON.stringify(row).length;
    if (room < 0 && page.length > 0) break;
    page.push(row);
  }
  const hasMore = page.length < jobs.length;
  return { from: start, ...(hasMore && { next: start + page.length }), jobs: page };
}

type JobRow = ReturnType<typeof describeRow> & { ticket?: string };

function describeRow(job: Job, now: number) {
  const { id, state, phase, definition, tries, attempt, stop, note } = job;
  const { name, group } = definition;
  // Also of an attempt that is about to be repeated.
  const hasFailed = state === 'failed' || (state !== 'succeeded' && attempt?.state === 'failed');
  const message = hasFailed ? attempt?.message || note : note;
  return {
    id,
    state,
    ...(state === 'running' && phase && { phase }),
    ...(name && { name }),
    ...(group && { group }),
    ...(tries > 0 && { attempt: tries }),
    ...(attempt && {
      startedAt: iso(attempt.startedAt),
      ...(attempt.endedAt !== null && { endedAt: iso(attempt.endedAt) }),
      seconds: seconds(attempt.startedAt, attempt.endedAt ?? now),
    }),
    ...(hasFailed && { reason: attempt?.reason ?? ('failed_by_hand' as const) }),
    ...(message && { message: truncate(message, MESSAGE_LENGTH) }),
    ...(stop && { isStopping: true }),
  };
}
