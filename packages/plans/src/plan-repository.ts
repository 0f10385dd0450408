import { BatonError } from '@baton/core';
import {
  defineQuery,
  type Reading,
  type StoreTables,
  type Transaction,
  type WorkState,
} from '@baton/store';
import type { Kysely, Selectable } from 'kysely';
import type { FailureReason } from './failure.ts';
import type { GitSettings } from './git-settings.ts';
import type { Phase } from './phases.ts';
import { canBecome, type JobState, PLAN_TRANSITIONS, type PlanState } from './states.ts';
import type { StoredJob } from './stored-job.ts';
import type { AttemptState, AttemptTable, JobTable, PlanTable, PlanTables } from './tables.ts';

export type Plan = Selectable<PlanTable>;
export type AttemptRow = Selectable<AttemptTable>;

export interface Job {
  readonly id: string;
  readonly position: number;
  readonly definition: StoredJob;
  readonly env: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly state: JobState;
  /** How far its newest attempt got, where it works in a worktree. */
  readonly phase: Phase | null;
  /** It waits for a ticket, and nothing of it runs. */
  readonly isParked: boolean;
  readonly stop: JobTable['stop'];
  readonly note: string;
  readonly tries: number;
  readonly failures: number;
  readonly start: string | null;
  readonly result: string | null;
  /** The newest attempt. */
  readonly attempt: JobAttempt | undefined;
}

export interface JobAttempt {
  readonly id: string;
  readonly trigger: AttemptTable['trigger'];
  readonly state: AttemptState;
  readonly reason: FailureReason | null;
  readonly message: string;
  readonly startedAt: number;
  readonly endedAt: number | null;
}

/** How its jobs work with git; `undefined` if they work in the workspace itself. */
export function gitOf({ git }: Pick<Plan, 'git'>): GitSettings | undefined {
  return git === '' ? undefined : JSON.parse(git);
}

/** The queue of all jobs of all plans; a plan is a group in it. */
export const QUEUE = 'jobs';

export function workId(planId: string, jobId: string): string {
  return `${planId}/${jobId}`;
}

export function jobOf(id: string): { readonly planId: string; readonly jobId: string } {
  const end = id.indexOf('/');
  return { planId: id.slice(0, end), jobId: id.slice(end + 1) };
}

export function planTopic(planId: string): string {
  return `plan/${planId}`;
}
/** For those who wait for any plan. */
export const PLANS_TOPIC = 'plans';

export function tables({ db }: Reading): Kysely<StoreTables & PlanTables> {
  return db.withTables<PlanTables>();
}

/** By its id, or by the beginning of it if that is enough to tell. */
export async function findPlan(tx: Reading, workspace: string, given: string): Promise<Plan> {
  const rows = await tables(tx)
    .selectFrom('plans')
    .selectAll()
    .where('workspace', '=', workspace)
    .where(({ eb, fn }) => eb(fn('substr', ['id', eb.lit(1), eb.val(given.length)]), '=', given))
    .limit(3)
    .execute();
  const exact = rows.find(({ id }) => id === given);
  if (exact) return exact;
  const [first, second] = given.length >= 4 ? rows : [];
  if (first && !second) return first;
  const message = second
    ? `Several plans begin with ${JSON.stringify(given)}.`
    : `There is no plan ${JSON.stringify(given.slice(0, 100))} in this workspace.`;
  throw new BatonError('plan_unknown', message, 'Call plan_list to see the plans and their ids.');
}

/** The newest ids that begin with this. */
export async function planIds(tx: Reading, workspace: string, typed: string): Promise<string[]> {
  const rows = await tables(tx)
    .selectFrom('plans')
    .select('id')
    .where('workspace', '=', workspace)
    .orderBy('seq', 'desc')
    .limit(1000)
    .execute();
  return rows.map(({ id }) => id).filter((id) => id.startsWith(typed));
}

export async function planById(tx: Reading, id: string): Promise<Plan | undefined> {
  return tables(tx).selectFrom('plans').selectAll().where('id', '=', id).executeTakeFirst();
}

/** All jobs of a plan, as written. */
export async function jobsOf(tx: Reading, planId: string): Promise<Job[]> {
  const rows = await jobRows(tx, planId).orderBy('job.position').execute();
  return rows.map(toJob);
}

/** Some of them: the first few after as many others. */
export async function jobsFrom(
  tx: Reading,
  planId: string,
  from: number,
  limit: number,
): Promise<Job[]> {
  const rows = await jobRows(tx, planId)
    .orderBy('job.position')
    .limit(limit)
    .offset(from)
    .execute();
  return rows.map(toJob);
}

const countOfPlan = defineQuery((db, { planId }: { planId: string }) =>
  db
    .withTables<PlanTables>()
    .selectFrom('plan_jobs')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('plan_id', '=', planId),
);

export async function countJobs(tx: Reading, planId: string): Promise<number> {
  const [row] = await countOfPlan(tx, { planId });
  return Number(row?.total);
}

export async function findJob(tx: Reading, planId: string, jobId: string): Promise<Job> {
  const row = await jobRows(tx, planId).where('job.id', '=', jobId).executeTakeFirst();
  if (row) return toJob(row);
  throw new BatonError(
    'job_unknown',
    `The plan has no job ${JSON.stringify(jobId.slice(0, 100))}.`,
    'Call plan_get with view "graph" to see its jobs.',
  );
}

function jobRows(tx: Reading, planId: string) {
  return tables(tx)
    .selectFrom('plan_jobs as job')
    .leftJoin('work', (join) =>
      join.on(({ eb, val }) => eb('work.id', '=', eb(val(`${planId}/`), '||', eb.ref('job.id')))),
    )
    .leftJoin('plan_attempts as attempt', (join) =>
      join
        .onRef('attempt.plan_id', '=', 'job.plan_id')
        .onRef('attempt.job_id', '=', 'job.id')
        .onRef('attempt.number', '=', 'job.tries'),
    )
    .selectAll('job')
    .select([
      'work.state as work_state',
      'attempt.id as attempt_id',
      'attempt.trigger as attempt_trigger',
      'attempt.state as attempt_state',
      'attempt.pid as attempt_pid',
      'attempt.reason as attempt_reason',
      'attempt.message as attempt_message',
      'attempt.started_at as attempt_started',
      'attempt.ended_at as attempt_ended',
    ])
    .select(({ selectFrom }) =>
      selectFrom('plan_steps')
        .select('phase')
        .whereRef('attempt_id', '=', 'attempt.id')
        .orderBy('position', 'desc')
        .limit(1)
        .as('phase'),
    )
    .where('job.plan_id', '=', planId);
}

type JobRow = Awaited<ReturnType<ReturnType<typeof jobRows>['execute']>>[number];

function toJob(row: JobRow): Job {
  return {
    id: row.id,
    position: row.position,
    definition: JSON.parse(row.definition),
    env: row.env,
    outputs: JSON.parse(row.outputs),
    state: jobState(row.work_state, row.attempt_pid !== null || row.phase !== null),
    phase: row.phase,
    isParked: row.work_state === 'parked',
    stop: row.stop,
    note: row.note,
    tries: row.tries,
    failures: row.failures,
    start: row.start_commit,
    result: row.result_commit,
    attempt:
      row.attempt_id === null
        ? undefined
        : {
            id: row.attempt_id,
            trigger: row.attempt_trigger ?? 'first',
            state: row.attempt_state ?? 'open',
            reason: row.attempt_reason,
            message: row.attempt_message ?? '',
            startedAt: row.attempt_started ?? 0,
            endedAt: row.attempt_ended,
          },
  };
}

function jobState(work: WorkState | null, isStarted: boolean): JobState {
  if (work === null || work === 'waiting') return 'pending';
  if (work === 'parked') return 'running';
  if (work === 'running') return isStarted ? 'running' : 'scheduled';
  return work;
}

/** Changes a plan's row and tells those who watch it. */
export async function updatePlan(
  tx: Transaction,
  plan: Plan,
  change: Partial<Omit<Plan, 'seq' | 'id' | 'workspace'>>,
): Promise<Plan> {
  if (change.state && !canBecome<PlanState>(PLAN_TRANSITIONS, plan.state, change.state)) {
    throw new TypeError(`A plan that is ${plan.state} cannot become ${change.state}`);
  }
  if (Object.keys(change).length > 0) {
    await tables(tx).updateTable('plans').set(change).where('id', '=', plan.id).execute();
  }
  announcePlan(tx, plan);
  if (change.state) tx.emit(plan.workspace, PLANS_TOPIC);
  return { ...plan, ...change };
}

export function announcePlan(tx: Transaction, { workspace, id }: Pick<Plan, 'workspace' | 'id'>) {
  tx.emit(workspace, planTopic(id));
}

export async function updateJob(
  tx: Transaction,
  planId: string,
  jobId: string,
  change: Partial<Omit<JobTable, 'plan_id' | 'id'>>,
): Promise<void> {
  await tables(tx)
    .updateTable('plan_jobs')
    .set(change)
    .where('plan_id', '=', planId)
    .where('id', '=', jobId)
    .execute();
}

const statesOfPlan = defineQuery((db, { planId }: { planId: string }) =>
  db
    .selectFrom('work')
    .select(['state', ({ fn }) => fn.countAll<number>().as('count')])
    .where('queue', '=', QUEUE)
    .where('grp', '=', planId)
    .groupBy('state'),
);

/** How many jobs of a plan that was started are in each state of the queue. */
export async function countWork(
  tx: Reading,
  planId: string,
): Promise<Partial<Record<WorkState, number>>> {
  const rows = await statesOfPlan(tx, { planId });
  return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
}
