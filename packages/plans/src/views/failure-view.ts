import type { LogFiles, Reading } from '@baton/store';
import { dependentsOf } from '../graph.ts';
import { type Job, jobsOf, type Plan } from '../plan-repository.ts';
import { runSettings } from '../stored-job.ts';
import { worktreesOf } from '../worktrees.ts';
import { showSteps } from './evidence-view.ts';
import { describeFailure } from './failures.ts';
import { commandOf, showAttempts } from './job-view.ts';
import { findLog, readLog } from './log-view.ts';

const SHOWN_JOBS = 3;
const SHOWN_IDS = 20;
const TAIL_BYTES = 1500;

/** All that one needs to know about what went wrong, in one answer. */
export async function showFailure(
  read: <Result>(work: (tx: Reading) => Promise<Result>) => Promise<Result>,
  logs: LogFiles,
  plan: Plan,
  jobId: string | undefined,
  now: number,
) {
  const jobs = await read((tx) => jobsOf(tx, plan.id));
  const failed = jobs.filter(({ id, state }) => (jobId ? id === jobId : state === 'failed'));
  const shown = failed.slice(0, SHOWN_JOBS);
  return {
    failed: failed.length,
    ...(failed.length > shown.length && {
      alsoFailed: failed
        .slice(SHOWN_JOBS)
        .map(({ id }) => id)
        .slice(0, SHOWN_IDS),
    }),
    jobs: await Promise.all(shown.map((job) => explain(read, logs, plan, jobs, job, now))),
  };
}

async function explain(
  read: <Result>(work: (tx: Reading) => Promise<Result>) => Promise<Result>,
  logs: LogFiles,
  plan: Plan,
  jobs: readonly Job[],
  job: Job,
  now: number,
) {
  const { place, attempts, steps, worktree } = await read(async (tx) => ({
    place: await findLog(tx, plan, job, undefined),
    attempts: await showAttempts(tx, plan.id, job.id, now),
    steps: plan.git && job.attempt ? await showSteps(tx, job.attempt.id, now) : [],
    worktree: plan.git ? (await worktreesOf(tx, plan.id, job.id))[0]?.path : undefined,
  }));
  const { cwd } = runSettings(job.definition.work);
  const definitions = jobs.map(({ definition }) => definition);
  const blocked = [...dependentsOf(definitions, job.id)];
  return {
    ...describeFailure(job),
    command: commandOf(job.definition),
    ...(cwd && { cwd }),
    history: attempts.slice(0, 3),
    blocks: blocked.slice(0, SHOWN_IDS),
    ...(worktree && { worktree }),
    ...(steps.length > 0 && { steps }),
    ...(place && { log: await readLog(logs, place, { from: -TAIL_BYTES }, TAIL_BYTES) }),
  };
}
