import { announce } from './announce.ts';
import { advanceDependents, blockDependents } from './dependents.ts';
import { releaseLease } from './leases.ts';
import {
  type Claim,
  existingWork,
  recordAttempt,
  setState,
  type Work,
  wrongState,
} from './queue.ts';
import type { Transaction } from './transaction.ts';

/**
 * Somebody outside of the queue will say when it is over. Until then nobody holds it, and it takes
 * no place of any gate.
 */
export async function parkWork(tx: Transaction, { work, lease }: Claim): Promise<void> {
  await releaseLease(tx, lease);
  await setState(tx, work, 'parked');
  await recordAttempt(tx, work, 'parked');
}

export async function completeParked(tx: Transaction, workId: string): Promise<void> {
  const work = await parkedWork(tx, workId, 'completed');
  await setState(tx, work, 'succeeded');
  await recordAttempt(tx, work, 'succeeded');
  announce(tx, await advanceDependents(tx, work.id));
}

/** It is not tried again by itself, whatever attempts it has left. */
export async function failParked(tx: Transaction, workId: string, detail: string): Promise<void> {
  const work = await parkedWork(tx, workId, 'failed');
  await setState(tx, work, 'failed');
  await recordAttempt(tx, work, 'failed', '', detail);
  announce(tx, await blockDependents(tx, work.id));
}

async function parkedWork(tx: Transaction, workId: string, verb: string): Promise<Work> {
  const work = await existingWork(tx, workId);
  if (work.state !== 'parked') throw wrongState(work, verb);
  return work;
}
