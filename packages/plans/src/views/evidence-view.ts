import type { Reading } from '@baton/store';
import { tables } from '../plan-repository.ts';
import { type StepRow, stepsOf } from '../steps.ts';
import { seconds } from './times.ts';

/** An answer should stay below 10 kB, and escaping may make it longer. */
const PAGE_CHARACTERS = 7000;

/** A step as it is shown. What has ended says how; `log` is where its output stands. */
function describeStep(step: StepRow, now: number) {
  const detail = JSON.parse(step.detail) as { conflict?: unknown; note?: string };
  return {
    phase: step.phase,
    state: step.state,
    ...(step.command && { command: step.command }),
    ...(step.message && { message: step.message }),
    ...(step.exit_code !== null && { exitCode: step.exit_code }),
    seconds: seconds(step.started_at, step.ended_at ?? now),
    ...(step.commit_id && { commit: step.commit_id }),
    ...(step.digest && { digest: `sha256:${step.digest}` }),
    ...(step.log_to !== null &&
      step.log_to > step.log_from && { log: { from: step.log_from, to: step.log_to } }),
    ...(detail.note && { note: detail.note }),
    ...(detail.conflict !== undefined && { conflict: detail.conflict as ConflictView }),
  };
}

/** What a merge has run into: the two that do not fit, where, and where it can be resolved. */
interface ConflictView {
  jobs: string[];
  files: { path: string; kind: string; hunks: { line: number; text: string }[] }[];
  worktree?: string;
}

/** All that is known of one attempt at a job. */
export async function showSteps(tx: Reading, attemptId: string, now: number) {
  return (await stepsOf(tx, attemptId)).map((step) => describeStep(step, now));
}

interface EvidenceQuery {
  readonly job?: string | undefined;
  readonly attempt?: number | undefined;
  readonly from?: number | undefined;
}

/** What the checks of jobs have shown, of each in its newest attempt, as many jobs as fit. */
export async function showEvidence(
  tx: Reading,
  planId: string,
  { job, attempt, from = 0 }: EvidenceQuery,
  now: number,
) {
  let query = tables(tx)
    .selectFrom('plan_jobs as job')
    .innerJoin('plan_attempts as attempt', (join) => {
      const ofJob = join
        .onRef('attempt.plan_id', '=', 'job.plan_id')
        .onRef('attempt.job_id', '=', 'job.id');
      return attempt === undefined
        ? ofJob.onRef('attempt.number', '=', 'job.tries')
        : ofJob.on('attempt.number', '=', attempt);
    })
    .select(['job.id', 'job.position', 'attempt.id as attempt_id', 'attempt.number'])
    .where('job.plan_id', '=', planId)
    .where('job.position', '>=', from)
    .orderBy('job.position');
  if (job !== undefined) query = query.where('job.id', '=', job);
  const jobs: Evidence[] = [];
  let room = PAGE_CHARACTERS;
  for (const row of await query.execute()) {
    const steps = await showSteps(tx, row.attempt_id, now);
    if (steps.length === 0) continue;
    const evidence = { job: row.id, attempt: row.number, steps };
    room -= JSON.stringify(evidence).length;
    if (room < 0 && jobs.length > 0) return { jobs, next: row.position };
    jobs.push(evidence);
  }
  return { jobs };
}

interface Evidence {
  readonly job: string;
  readonly attempt: number;
  readonly steps: Awaited<ReturnType<typeof showSteps>>;
}
