import type { Schema } from '@baton/store';
import type { Generated } from 'kysely';
import type { FailureReason } from './failure.ts';
import { plansMigration } from './migrations/0001-plans.ts';
import { ticketsMigration } from './migrations/0002-tickets.ts';
import type { PlanState } from './states.ts';

/** Times are wall milliseconds; what is sealed can be read with the key in the state folder only. */
export type PlanTables = {
  plans: PlanTable;
  plan_jobs: JobTable;
  plan_attempts: AttemptTable;
  plan_tickets: TicketTable;
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

export const plansSchema: Schema = {
  feature: 'plans',
  migrations: [plansMigration, ticketsMigration],
};
