import type { LeaseWatch } from './lease-watch.ts';
import { expireLease, type HeldLease, heldLeases } from './leases.ts';
import { loseWork } from './queue.ts';
import type { Store } from './store.ts';
import type { Transaction } from './transaction.ts';

const WORK = 'work/';

/** Adds to the transaction in which work is taken from a holder that is gone. */
export type OnLost = (tx: Transaction, workId: string) => Promise<void>;

/** Takes leases away from holders that are gone and gives their work to others. Call it often. */
export async function expireLeases(
  store: Store,
  watch: LeaseWatch,
  onLost?: OnLost,
): Promise<HeldLease[]> {
  const over = watch.look(await store.read((tx) => heldLeases(tx)));
  if (over.length === 0) return [];
  return store.write('durable', async (tx) => {
    const expired: HeldLease[] = [];
    for (const lease of over) {
      if (!(await expireLease(tx, lease))) continue;
      if (lease.name.startsWith(WORK)) {
        const workId = lease.name.slice(WORK.length);
        await loseWork(tx, workId);
        await onLost?.(tx, workId);
      }
      expired.push(lease);
    }
    return expired;
  });
}
