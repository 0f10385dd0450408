import type { Durability } from '@baton/store';

/** What is measured, once through the store and once by hand on the bare driver. */
export interface Subject {
  /** One transaction: a small row and an event. */
  insert(durability: Durability): void | Promise<void>;
  /** One transaction: the next job becomes ours. `undefined` when there is none left. */
  claim(durability: Durability): Job | undefined | Promise<Job | undefined>;
  /** One transaction: the job is done. */
  complete(durability: Durability, job: Job): void | Promise<void>;
  close(): void | Promise<void>;
}

/** Only the subject that gave it knows what is in it. */
export type Job = unknown;

export const WORKSPACE = '/home/somebody/projects/acme';
export const QUEUE = 'jobs';
export const TOPIC = 'notes';
/** As long as what a heartbeat or a short remark has. */
export const NOTE = 'the third of seven checks has passed on the second attempt';
