import { commandText } from '@baton/core';
import type { Reading } from '@baton/store';
import { repositoryOf, worksInTree } from '../git-jobs.ts';
import { dependentsOf } from '../graph.ts';
import {
  type AttemptRow,
  findJob,
  gitOf,
  type Job,
  jobsOf,
  type Plan,
  tables,
} from '../plan-repository.ts';
import { runSettings, type StoredJob } from '../stored-job.ts';
import { worktreesOf } from '../worktrees.ts';
import { showSteps } from './evidence-view.ts';
import { ticketRefs } from './ticket-refs.ts';
import { iso, seconds } from './times.ts';

const SHOWN_ATTEMPTS = 20;
const SHOWN_IDS = 50;

export async function showJob(tx: Reading, plan: Plan, jobId: string, now: number) {
  const job = await findJob(tx, plan.id, jobId);
  const all = (await jobsOf(tx, plan.id)).map(({ definition }) => definition);
  const { definition, state, outputs, tries, stop, note } = job;
  const { cwd, timeoutSeconds } = runSettings(definition.work);
  const ticketOf = await ticketRefs(tx, plan.id, [job]);
  return {
    id: job.id,
    state,
    ...(definition.name && { name: definition.name }),
    ...(definition.task && { task: definition.task }),
    ...(definition.group && { group: definition.group }),
    command: commandOf(definition),
    ...ticketOf(job),
    needs: definition.needs ?? [],
    neededBy: [...dependentsOf(all, jobId)].slice(0, SHOWN_IDS),
    ...(cwd && { cwd }),
    ...(timeoutSeconds && { timeoutSeconds }),
    ...(definition.variables && { variables: [...definition.variables] }),
    retry: definition.retry ?? 0,
    attempts: tries,
    outputs,
    ...(stop && { isStopping: true }),
    ...(note && { note }),
    ...(await showWorktree(tx, plan, job, now)),
    ...(job.attempt && { last: await newestAttempt(tx, plan.id, jobId, now) }),
  };
}

/** Where it works or worked, with what, and how far its newest attempt got. */
async function showWorktree(tx: Reading, plan: Plan, job: Job, now: number) {
  const { definition, start, result, attempt } = job;
  if (!gitOf(plan) || !worksInTree(definition)) return {};
  const [worktree] = await worktreesOf(tx, plan.id, job.id);
  const { touches, apart } = definition;
  return {
    git: {
      repository: repositoryOf(definition),
      ...(start && { start }),
      ...(result && { commit: result }),
      ...(worktree && { worktree: worktree.path }),
      ...(touches && { touches }),
      ...(apart && { apart: [...apart] }),
    },
    ...(attempt && { steps: await showSteps(tx, attempt.id, now) }),
  };
}

async function newestAttempt(tx: Reading, planId: string, jobId: string, now: number) {
  const [newest] = await showAttempts(tx, planId, jobId, now);
  return newest;
}

/** The newest first. */
export async function showAttempts(tx: Reading, planId: string, jobId: string, now: number) {
  const rows = await tables(tx)
    .selectFrom('plan_attempts')
    .selectAll()
    .where('plan_id', '=', planId)
    .where('job_id', '=', jobId)
    .orderBy('number', 'desc')
    .limit(SHOWN_ATTEMPTS)
    .execute();
  return rows.map((row) => describeAttempt(row, now));
}

function describeAttempt(row: AttemptRow, now: number) {
  return {
    number: row.number,
    trigger: row.trigger,
    state: row.state,
    ...(row.reason && { reason: row.reason }),
    ...(row.message && { message: row.message }),
    ...(row.exit_code !== null && { exitCode: row.exit_code }),
    ...(row.signal && { signal: row.signal }),
    startedAt: iso(row.started_at),
    seconds: seconds(row.started_at, row.ended_at ?? now),
    worker: row.worker,
    ...(row.pid !== null && row.state === 'open' && { pid: row.pid }),
  };
}

/** What runs, or what it waits for, in words. */
export function commandOf({ work }: StoredJob): string {
  if (work.type === 'ticket') return `ticket: ${work.title}`;
  if (work.type === 'land') return work.target ? `land on ${work.target}` : 'land';
  return commandText(work);
}
