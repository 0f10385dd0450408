import type { Schema } from '@baton/store';
import type { Generated } from 'kysely';
import type { FailureReason } from './failure.ts';
import { plansMigration } from './migrations/0001-plans.ts';
import { ticketsMigration } from './migrations/0002-tickets.ts';
import { worktreesMigration } from './migrations/0003-worktrees.ts';
import { keptWorkMigration } from './migrations/0004-kept-work.ts';
import type { Phase } from './phases.ts';
import type { PlanState } from './states.ts';

/** Times are wall milliseconds; what is sealed can be read with the key in the state folder only. */
export type PlanTables = {
  plans: PlanTable;
  plan_jobs: JobTable;
  plan_attempts: AttemptTable;
  plan_tickets: TicketTable;
  plan_repositories: RepositoryTable;
  plan_worktrees: WorktreeTable;
  plan_steps: StepTable;
  plan_conflicts: ConflictTable;
};

export interface PlanTable {
  seq: Generated<number>;
  id: string;
  workspace: string;
  name: string;
  state: PlanState;
  /** 0: any number. */
  max_parallel: number;
  after_plan: string | null;
  /** The file it comes from; empty for one that was passed in a call. */
  source: string;
  /** Sealed: what the jobs see of the environment that the plan was made in. */
  base_env: string;
  /** Sealed: the plan's own variables. */
  env: string;
  /** What it was before it was archived. */
  archived_from: PlanState | null;
  note: string;
  /** JSON of its git settings; empty if its jobs work in the workspace itself. */
  git: string;
  created_at: number;
  started_at: number | null;
  ended_at: number | null;
}

export interface JobTable {
  plan_id: string;
  id: string;
  /** The order of writing. */
  position: number;
  /** JSON; of variables only the names. */
  definition: string;
  /** Sealed: the variables of its work. */
  env: string;
  /** JSON. */
  outputs: string;
  /** What somebody wants of it while it runs. */
  stop: 'cancel' | 'fail' | null;
  note: string;
  /** Attempts so far, and failures since it was last retried by hand. */
  tries: number;
  failures: number;
  /** What its worktree began with, and what it has made of that. */
  start_commit: string | null;
  result_commit: string | null;
  /** What it needs, brought together, where that must not be done anew: a person's work is in it, or it lands. */
  merged_commit: string | null;
  /** The next attempt goes on in the kept worktree, with this phase. */
  resume: Phase | null;
}

export type AttemptState = 'open' | 'succeeded' | 'failed' | 'cancelled' | 'lost' | 'released';

export interface AttemptTable {
  id: string;
  plan_id: string;
  job_id: string;
  number: number;
  /** `again` on its own after a failure, `retry` by hand, `rerun` after its worker was lost. */
  trigger: 'first' | 'again' | 'retry' | 'rerun';
  state: AttemptState;
  worker: string;
  pid: number | null;
  reason: FailureReason | null;
  message: string;
  exit_code: number | null;
  signal: string | null;
  /** Whether all its processes are known to be gone: 0 or 1. */
  is_reaped: number;
  started_at: number;
  ended_at: number | null;
}

/** The ticket that an attempt waits or waited for. */
export interface TicketTable {
  ticket_id: string;
  /** What people call it. */
  ref: string;
  plan_id: string;
  job_id: string;
  attempt_id: string;
}

/** A repository that jobs of a plan work in. Outlives the plan until its refs are removed. */
export interface RepositoryTable {
  plan_id: string;
  /** Its folder in the workspace. */
  repository: string;
  state: 'open' | 'leaving';
  /** Its folder on the machine; empty before anybody has looked. */
  root: string;
  /** The plan's own branch. */
  branch: string;
  base_commit: string | null;
  /** The branch that has the results, and how. */
  landed_on: string | null;
  landed_commit: string | null;
}

/** A folder that an attempt works in. Outlives its plan until it is removed. */
export interface WorktreeTable {
  attempt_id: string;
  plan_id: string;
  job_id: string;
  /** `open` while its attempt may need it, `kept` for people, `leaving` until it is removed. */
  state: 'open' | 'kept' | 'leaving';
  root: string;
  path: string;
  start_commit: string;
  /** JSON: what the work that was done there has put out; null until it is done. */
  outputs: string | null;
  /**
   * How it was when it was kept for people, or last saved: what differs is somebody's work, to be
   * saved before the folder goes. Empty if that is not known; null while nobody was told of it.
   */
  kept_state: string | null;
  /** The ref that holds what was last saved of it. */
  saved_ref: string | null;
  created_at: number;
}

/** A part of an attempt: a phase, or one command of it. What a check has shown is evidence. */
export interface StepTable {
  attempt_id: string;
  position: number;
  phase: Phase;
  /** In words; empty where git does the work. */
  command: string;
  state: 'running' | 'succeeded' | 'failed';
  message: string;
  exit_code: number | null;
  /** The commit that it ran at, or has made. */
  commit_id: string | null;
  /** SHA-256 of what it said. */
  digest: string | null;
  log_from: number;
  log_to: number | null;
  /** JSON: conflicts, notes. */
  detail: string;
  started_at: number;
  ended_at: number | null;
}

/** Two jobs whose results do not merge, as far as is known now. */
interface ConflictTable {
  plan_id: string;
  one: string;
  other: string;
  /** JSON. */
  files: string;
}

export const plansSchema: Schema = {
  feature: 'plans',
  migrations: [plansMigration, ticketsMigration, worktreesMigration, keptWorkMigration],
};
