import { escapeLine } from '@baton/core';
import { type Io, print } from '../../io.ts';
import { duration } from '../../style.ts';
import { eventsBetween, type PlanEvent } from './events.ts';
import type { PlanTools } from './plan-tools.ts';
import { type Snapshot, snapshots } from './snapshots.ts';

const WIDEST_NAME = 40;

/** Tells one line for each thing that happens to a plan. Returns what was seen last. */
export async function showLines(
  io: Io,
  plans: PlanTools,
  id: string,
  format: 'text' | 'json',
): Promise<Snapshot | undefined> {
  let last: Snapshot | undefined;
  let problem: string | undefined;
  for await (const snapshot of snapshots(plans, id)) {
    const width = Math.min(WIDEST_NAME, Math.max(...snapshot.jobs.map((job) => job.id.length), 4));
    for (const event of eventsBetween(last, snapshot)) {
      await print(io.stdout, format === 'json' ? JSON.stringify(event) : lineOf(event, width));
    }
    if (snapshot.plan.problem && snapshot.plan.problem !== problem) {
      await print(io.stderr, snapshot.plan.problem);
    }
    problem = snapshot.plan.problem;
    last = snapshot;
  }
  return last;
}

function lineOf(event: PlanEvent, width: number): string {
  const time = new Date(event.time).toTimeString().slice(0, 8);
  const name = event.job ?? 'plan';
  return `${time} ${name.padEnd(width)}  ${escapeLine(wordsFor(event))}`;
}

function wordsFor(event: PlanEvent): string {
  const { job, state, attempt = 1, seconds = 0, reason, message, willRetry } = event;
  if (!job) return `is ${state}${message ? `: ${message}` : ''}`;
  const nth = attempt > 1 ? ` (attempt ${attempt})` : '';
  switch (state) {
    case 'running':
      return `started${nth}`;
    case 'succeeded':
      return `succeeded in ${duration(seconds)}${nth}`;
    case 'failed':
      return `failed: ${reason}: ${message}${nth}${willRetry ? ' It is tried again.' : ''}`;
    default:
      return `${state}${message ? `: ${message}` : ''}`;
  }
}
