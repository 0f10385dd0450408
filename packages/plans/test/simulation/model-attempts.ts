import type { Claimed, Result, StoredJob } from '@baton/plans/jobs';
import { ensure, existing } from '@baton/testkit';
import { type Model, type ModelAttempt, type ModelJob, runningIn, type Wanted } from './model.ts';
import { settle } from './model-lifecycle.ts';
import { park } from './model-tickets.ts';

/** Nothing would be better the next time. */
const FINAL = [
  'start_not_found',
  'start_denied',
  'start_bad_folder',
  'start_too_big',
  'output_invalid',
  'output_missing',
  'shell_unknown',
  'ticket_failed',
  'merge_conflict',
  'changes_unexpected',
  'commit_refused',
  'target_dirty',
  'target_protected',
  'repository_unusable',
  'not_trusted',
  'worktree_gone',
  'failed_by_hand',
];
/** The machine's fault. */
const NOT_ITS_FAULT = ['start_no_resources', 'worker_lost', 'log_failed', 'git_failed'];
const TRIES_WITHOUT_FAULT = 3;

/** A worker was given this; whether it should have been is checked here. */
export function claim(model: Model, claimed: Claimed, owner: string, wall: number): void {
  const job = model.job(claimed.plan.id, claimed.job.id);
  const name = `${job.plan}/${job.wanted.id}`;
  const possible = model.claimable(wall);
  ensure(possible.includes(job), `${name} is ${model.stateOf(job)} and claimed`);
  const fewest = Math.min(...possible.map(({ plan }) => runningIn(model.plan(plan))));
  ensure(runningIn(model.plan(job.plan)) === fewest, `it is not the turn of ${name}`);
  const left = job.attempts.filter(({ isReaped }) => !isReaped).map(({ id }) => id);
  ensure(left.join() === claimed.unreaped.join(), `leftovers of ${name}: ${claimed.unreaped}`);
  ensure(claimed.attempt.number === job.attempts.length + 1, `${name} is numbered wrongly`);
  ensure(isWanted(claimed.job.definition, job.wanted), `${name} has other work`);
  job.attempts.push({
    id: claimed.attempt.id,
    triggers: triggersOf(job),
    state: 'open',
    reason: null,
    hasProcess: false,
    isReaped: false,
  });
  Object.assign(job, { fate: 'held', holder: owner, isRetriedByHand: false });
  job.tries += 1;
  ensure(job.tries <= mostTries(job), `${name} is tried too often`);
}

function isWanted({ work }: StoredJob, { command, isTicket }: Wanted): boolean {
  if (work.type === 'ticket') return isTicket && work.title === command;
  return !isTicket && work.type === 'shell' && work.command === command;
}

function mostTries({ wanted: { retry } }: ModelJob): number {
  return retry === 'never' ? 1 : retry + TRIES_WITHOUT_FAULT;
}

function triggersOf({ attempts, isRetriedByHand }: ModelJob): string[] {
  const last = attempts.at(-1);
  if (!last) return ['first'];
  if (isRetriedByHand) return last.state === 'released' ? ['retry', 'rerun'] : ['retry'];
  return last.state === 'lost' || last.state === 'released' ? ['rerun'] : ['again'];
}

export function recordStart(model: Model, { plan, job }: Claimed): void {
  openAttempt(model.job(plan.id, job.id)).hasProcess = true;
}

function openAttempt({ plan, wanted, attempts }: ModelJob): ModelAttempt {
  const last = attempts.at(-1);
  const open = last?.state === 'open' ? last : undefined;
  return existing(open, `${plan}/${wanted.id} has no open attempt`);
}

/** How an attempt ended, or that it waits for a ticket from now on. */
export type Outcome = Result | { readonly kind: 'parked' };

export function finish(
  model: Model,
  { plan, job: { id } }: Claimed,
  outcome: Outcome,
  wall: number,
): void {
  const job = model.job(plan.id, id);
  if (outcome.kind !== 'parked') end(model, job, outcome, wall);
  else if (job.stop) end(model, job, NOT_BEGUN, wall);
  else park(model, job, openAttempt(job));
}

function end(model: Model, job: ModelJob, result: Result, wall: number): void {
  const attempt = openAttempt(job);
  Object.assign(attempt, verdict(job, result), { isReaped: true });
  if (result.kind === 'succeeded') job.outputs = JSON.stringify(result.outputs);
  if (attempt.state === 'released') job.tries -= 1;
  const reason = result.kind === 'failed' && !job.stop ? result.reason : undefined;
  if (reason && !NOT_ITS_FAULT.includes(reason)) job.failures += 1;
  job.fate = fateAfter(job, attempt, reason);
  if (reason && job.fate === 'open') {
    job.delayedAt = wall;
    job.delayMs = delayAfter(job, reason);
  }
  Object.assign(job, { holder: undefined, stop: null });
  settle(model, model.plan(job.plan));
}

const NOT_BEGUN: Result = { kind: 'released', hasRun: false };

function delayAfter({ failures, tries }: ModelJob, reason: string): number {
  const isShortage = NOT_ITS_FAULT.includes(reason);
  return Math.min(isShortage ? 5000 * 2 ** (tries - 1) : 1000 * 2 ** (failures - 1), 60_000);
}

function verdict(job: ModelJob, result: Result): Pick<ModelAttempt, 'state' | 'reason'> {
  if (result.kind === 'succeeded') return { state: 'succeeded', reason: null };
  if (job.stop === 'cancel') return { state: 'cancelled', reason: null };
  if (job.stop === 'fail') return { state: 'failed', reason: 'failed_by_hand' };
  if (result.kind === 'failed') return { state: 'failed', reason: result.reason };
  // What must not run twice is not given to somebody else once it has begun.
  const isSpent = job.wanted.retry === 'never' && result.hasRun;
  return isSpent ? { state: 'failed', reason: 'worker_lost' } : { state: 'released', reason: null };
}

function fateAfter(job: ModelJob, { state }: ModelAttempt, reason: string | undefined) {
  if (state === 'succeeded' || state === 'cancelled') return state;
  if (state === 'released') return 'open';
  return reason && isTriedAgain(job, reason) ? 'open' : 'failed';
}

function isTriedAgain(job: ModelJob, reason: string): boolean {
  const { retry } = job.wanted;
  if (retry === 'never' || FINAL.includes(reason) || job.tries >= mostTries(job)) return false;
  return NOT_ITS_FAULT.includes(reason) || job.failures <= retry;
}

/** Its worker is gone. */
export function lose(model: Model, job: ModelJob, wall: number): void {
  Object.assign(openAttempt(job), { state: 'lost', reason: 'worker_lost' });
  const isGivenUp = job.tries >= mostTries(job);
  const stopped = job.stop === 'fail' ? 'failed' : job.stop === 'cancel' ? 'cancelled' : 'open';
  job.fate = isGivenUp ? 'failed' : stopped;
  Object.assign(job, { holder: undefined, stop: null, delayedAt: wall, delayMs: 0 });
  settle(model, model.plan(job.plan));
}
