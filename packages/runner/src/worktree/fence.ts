import type { Claimed } from '@baton/plans/jobs';
import { guardWork, type Store, type Transaction } from '@baton/store';

interface Attempt {
  readonly store: Store;
  readonly claimed: Claimed;
}

/** Writes on behalf of an attempt: refused once its job was taken away, after a silence for example. */
export function writeFor<Result>(
  { store, claimed }: Attempt,
  durability: 'relaxed' | 'durable',
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return store.write(durability, async (tx) => {
    await guardWork(tx, claimed.claim);
    return work(tx);
  });
}

/**
 * To be called right before git is changed where others see it: whoever comes late must not land
 * what was cancelled meanwhile, nor leave refs of a plan that is over.
 */
export function requireClaim(attempt: Attempt): Promise<void> {
  return writeFor(attempt, 'relaxed', async () => {});
}
