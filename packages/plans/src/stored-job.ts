import type { Environment, ProcessCommand, ShellCommand } from '@baton/core';
import { type JobDefinition, toWork, type Work } from './definition.ts';
import type { Sealer } from './environment.ts';
import type { TicketWork } from './ticket-work.ts';
import { variablesOf } from './work-texts.ts';

/** Runs nothing: brings the results of other jobs together and lands them. Nobody writes it by hand. */
export interface LandingWork {
  readonly type: 'land';
  readonly target?: string;
  readonly intoDefault?: boolean;
}

export type RunningWork = Omit<ShellCommand, 'env'> | Omit<ProcessCommand, 'env'>;
type StoredWork = RunningWork | TicketWork | LandingWork;

/** A job as it lies in the store: the values of its variables are sealed apart. */
export interface StoredJob extends Omit<JobDefinition, 'work'> {
  readonly work: StoredWork;
  /** The names of its variables. */
  readonly variables?: readonly string[];
  /** Of its needs, those that only keep it apart from jobs that touch the same files. */
  readonly apart?: readonly string[];
  /** What it leaves in its worktree is of no interest: a check of something that is committed. */
  readonly discards?: boolean;
}

export interface JobToStore {
  readonly id: string;
  readonly definition: StoredJob;
  /** Sealed. */
  readonly env: string;
}

export function toStore({ work: given, ...job }: JobDefinition, sealer: Sealer): JobToStore {
  const work = toWork(given);
  const values = variablesOf(work);
  const variables = Object.keys(values);
  return {
    id: job.id,
    definition: { ...job, work: unsealed(work), ...(variables.length > 0 && { variables }) },
    env: sealed(values, sealer),
  };
}

/** What is left without the values that are sealed. */
function unsealed(work: Work): StoredWork {
  if (work.type === 'ticket') return work;
  const { env: _, ...rest } = work;
  return rest;
}

/** Where and how long a command runs; a ticket does not run, nor does a landing. */
export function runSettings(work: StoredWork): Pick<ShellCommand, 'cwd' | 'timeoutSeconds'> {
  return work.type === 'ticket' || work.type === 'land' ? {} : work;
}

export function sealed(env: Environment, sealer: Sealer): string {
  return Object.keys(env).length === 0 ? '' : sealer.seal(env);
}
