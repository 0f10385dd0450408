import type { ErrorReport } from '@baton/core';

/** How a process finds the editor that has started it, and proves that it has. */
export interface LinkAddress {
  readonly path: string;
  readonly token: string;
}

/** The first message of a process; `root` is the real path of its workspace. */
export interface Greeting {
  readonly token: string;
  readonly root: string;
}

export interface Question {
  readonly id: number;
  readonly method: string;
  readonly asked: unknown;
}

/** The answer to a question is not waited for any more. */
export interface Cancellation {
  readonly cancelled: number;
}

export interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: ErrorReport;
}

/** Of texts and edits of many files; what is larger is not meant. */
export const MOST_BYTES = 256 * 1024 * 1024;
