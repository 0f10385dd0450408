import type { Environment, ProcessCommand, ShellCommand } from '@baton/core';
import { type JobDefinition, toWork } from './definition.ts';
import type { Sealer } from './environment.ts';

/** A job as it lies in the store: the values of its variables are sealed apart. */
export interface StoredJob extends Omit<JobDefinition, 'work'> {
  readonly work: Omit<ShellCommand, 'env'> | Omit<ProcessCommand, 'env'>;
  /** The names of its variables. */
  readonly variables?: readonly string[];
}

export interface JobToStore {
  readonly id: string;
  readonly definition: StoredJob;
  /** Sealed. */
  readonly env: string;
}

export function toStore({ work, ...job }: JobDefinition, sealer: Sealer): JobToStore {
  const { env = {}, ...rest } = toWork(work);
  const variables = Object.keys(env);
  return {
    id: job.id,
    definition: { ...job, work: rest, ...(variables.length > 0 && { variables }) },
    env: sealed(env, sealer),
  };
}

export function sealed(env: Environment, sealer: Sealer): string {
  return Object.keys(env).length === 0 ? '' : sealer.seal(env);
}
