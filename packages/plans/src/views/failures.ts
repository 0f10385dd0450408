import { truncate } from '@baton/core';
import type { Job } from '../plan-repository.ts';

const MESSAGE_LENGTH = 300;

/** The jobs that have failed, each with its reason. */
export function failuresIn(jobs: readonly Job[]) {
  return jobs.filter(({ state }) => state === 'failed').map(describeFailure);
}

export function describeFailure({ id, attempt, note, tries }: Job) {
  return {
    job: id,
    reason: attempt?.reason ?? ('failed_by_hand' as const),
    message: truncate(attempt?.message || note, MESSAGE_LENGTH),
    attempts: tries,
  };
}
