import type { Generated } from 'kysely';

/** The tables that every feature can build on. Flags are 0 or 1, times are wall milliseconds. */
export interface StoreTables {
  /** What version each feature's tables have. */
  schemas: { feature: string; version: number; min_compatible: number };
  meta: { name: string; value: string };
  events: { seq: Generated<number>; workspace: string; topic: string; at: number };
  leases: LeaseTable;
  work: WorkTable;
  work_needs: { work_id: string; needs_id: string };
  work_labels: { work_id: string; label: string };
  gates: GateTable;
  attempts: AttemptTable;
  idempotency: {
    scope: string;
    key: string;
    fingerprint: string;
    result: string;
    at: number;
  };
  logs: LogTable;
}

export interface LeaseTable {
  name: string;
  /** Grows with each claim, so that an earlier holder can be told from the present one. */
  number: number;
  owner: string | null;
  /** The process that must live for the lease to hold, if it is bound to one. */
  process: string | null;
  label: string;
  /** The versions of the tables that the holder knows. */
  schemas: string;
  beats: number;
  silence_ms: number;
  since: number;
}

export type WorkState =
  | 'waiting'
  | 'ready'
  | 'running'
  /** Nobody holds it: somebody outside of the queue will say when it is over. */
  | 'parked'
  | 'succeeded'
  | 'failed'
  | 'blocked'
  | 'cancelled';

export interface WorkTable {
  /** The order of arrival. */
  seq: Generated<number>;
  id: string;
  workspace: string;
  queue: string;
  grp: string;
  state: WorkState;
  priority: number;
  open_needs: number;
  attempts: number;
  max_attempts: number;
  /** Not before `delayed_at` + `delay_ms`. */
  delayed_at: number;
  delay_ms: number;
  at: number;
}

/** Holds back the work in a scope; an empty column stands for any. */
export interface GateTable {
  workspace: string;
  queue: string;
  grp: string;
  paused: number;
  max_running: number | null;
}

export interface AttemptTable {
  seq: Generated<number>;
  work_id: string;
  number: number;
  what: 'started' | 'parked' | 'succeeded' | 'failed' | 'released' | 'lost' | 'cancelled';
  label: string;
  detail: string;
  at: number;
}

interface LogTable {
  id: string;
  folder: string;
  /** Bytes ever written, and the first of them that is still there. */
  bytes: number;
  first: number;
  closed: number;
  at: number;
}
