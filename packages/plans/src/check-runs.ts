import { type CheckDefinition, commandText, type Environment, type Ids } from '@baton/core';
import type { LogFiles, Reading, Store, Transaction } from '@baton/store';
import { addPlan, finalizePlan } from './creating.ts';
import type { Sealer } from './environment.ts';
import { findJob, gitOf, jobsOf, type Plan, planById, tables } from './plan-repository.ts';
import type { JobTickets } from './ports.ts';
import { isOver } from './states.ts';
import { stepsOf } from './steps.ts';
import { cancelPlan } from './stopping.ts';
import { sealed, toStore } from './stored-job.ts';
import { showAttempts } from './views/job-view.ts';
import { findLog, readLog } from './views/log-view.ts';

const TAIL_BYTES = 800;

export interface CheckRunPorts {
  readonly store: Store;
  readonly logs: LogFiles;
  readonly ids: Ids;
  readonly sealer: Sealer;
  readonly environment: Environment;
}

/** Runs checks one after the other, as a plan: all of them, whatever comes of the first. */
export async function startChecks(
  tx: Transaction,
  { ids, sealer, environment }: CheckRunPorts,
  run: {
    readonly workspace: string;
    readonly title: string;
    readonly checks: readonly CheckDefinition[];
    /** Each in a clean worktree with this commit; without it in the workspace as it is. */
    readonly commit?: string | undefined;
  },
): Promise<string> {
  const jobs = run.checks.map((work, index) => {
    const job = toStore({ id: `check-${index + 1}`, work }, sealer);
    // What a check leaves behind is none of its result.
    return run.commit ? { ...job, definition: { ...job.definition, discards: true } } : job;
  });
  const draft = await addPlan(tx, ids, {
    workspace: run.workspace,
    name: run.title,
    jobs,
    maxParallel: 1,
    source: '',
    baseEnv: sealed(environment, sealer),
    env: '',
    ...(run.commit && { git: { base: run.commit, keep: 'never' } }),
  });
  const { id } = await finalizePlan(tx, draft, { isPaused: false });
  return id;
}

/** Of these runs, those that are over, or gone. */
export async function endedChecks(tx: Reading, runs: readonly string[]): Promise<string[]> {
  const rows = await tables(tx)
    .selectFrom('plans')
    .select(['id', 'state'])
    .where('id', 'in', runs)
    .execute();
  const open = new Set(rows.flatMap(({ id, state }) => (isOver(state) ? [] : [id])));
  return runs.filter((id) => !open.has(id));
}

export async function cancelChecks(
  tx: Transaction,
  run: string,
  tickets: JobTickets,
): Promise<void> {
  const plan = await planById(tx, run);
  if (plan && !isOver(plan.state)) await cancelPlan(tx, plan, tickets);
}

/** What each check has shown, with the end of what it said. */
export async function checkEvidence({ store, logs }: CheckRunPorts, run: string) {
  const plan = await store.read((tx) => planById(tx, run));
  if (!plan) return { verdict: 'cancelled' as const, checks: [] };
  const jobs = await store.read((tx) => jobsOf(tx, run));
  const checks = await Promise.all(jobs.map(({ id }) => evidenceOf({ store, logs }, plan, id)));
  const verdict =
    plan.state === 'succeeded' ? 'passed' : plan.state === 'failed' ? 'failed' : 'cancelled';
  const commit = gitOf(plan)?.base;
  return { verdict, checks, ...(commit && { commit }) } as const;
}

async function evidenceOf(
  { store, logs }: Pick<CheckRunPorts, 'store' | 'logs'>,
  plan: Plan,
  jobId: string,
) {
  const { job, attempt, place, work } = await store.read(async (tx) => {
    const job = await findJob(tx, plan.id, jobId);
    const steps = job.attempt && plan.git ? await stepsOf(tx, job.attempt.id) : [];
    const work = steps.find(({ phase }) => phase === 'work');
    const [attempt] = await showAttempts(tx, plan.id, jobId, store.clock.now());
    return { job, attempt, work, place: await findLog(tx, plan, job, undefined) };
  });
  const log = place && (await readLog(logs, place, { from: -TAIL_BYTES }, TAIL_BYTES));
  return {
    command: commandText(job.definition.work as CheckDefinition),
    passed: job.state === 'succeeded',
    ...(attempt?.message && { message: attempt.message }),
    ...(attempt && { seconds: attempt.seconds }),
    ...(work && work.exit_code !== null && { exitCode: work.exit_code }),
    ...(work?.digest && { digest: `sha256:${work.digest}` }),
    ...(log?.text && job.state !== 'succeeded' && { output: log.text }),
    log: `baton://plan/${plan.id}/job/${jobId}/log`,
  };
}
