import type { Transaction } from './transaction.ts';

/** Where work has changed. */
export interface Changed {
  readonly workspace: string;
  readonly queue: string;
}

/** What those subscribe to who wait for work of a queue. */
export function queueTopic(queue: string): string {
  return `queue/${queue}`;
}

/** Tells those who wait there. */
export function announce(tx: Transaction, changed: readonly Changed[]): void {
  for (const { workspace, queue } of changed) tx.emit(workspace, queueTopic(queue));
}
