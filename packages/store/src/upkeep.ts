import { defaultRetention, prune, type Retention } from './retention.ts';
import type { Store } from './store.ts';
import type { Transaction } from './transaction.ts';

const NAME = 'upkeep_at';
/** All processes together do it about this often. */
const EVERY_MS = 60 * 60 * 1000;
/** A computer that was off for so long, or a clock that was set wrong. */
const LEAP_MS = 7 * 24 * 60 * 60 * 1000;

/** Removes some of what was over before then. Called again until it finds nothing. */
export type Pruning = (tx: Transaction, before: number) => Promise<number>;

export interface UpkeepOptions {
  readonly retention?: Retention;
  /** What features remove of their own; loaded only where it is needed. */
  readonly prunings?: () => Promise<readonly Pruning[]>;
}

/** Removes what is no longer kept and gives space back, unless somebody has just done so. */
export async function keepUp(store: Store, options: UpkeepOptions = {}): Promise<boolean> {
  const { retention = defaultRetention, prunings = async () => [] } = options;
  if (!(await isOurTurn(store))) return false;
  await prune(store, retention);
  for (const pruning of await prunings()) {
    const step = (tx: Transaction) => pruning(tx, tx.now - retention.attemptsMs);
    while ((await store.write('relaxed', step)) > 0);
  }
  await store.shrink('a little');
  return true;
}

function isOurTurn(store: Store): Promise<boolean> {
  return store.write('relaxed', async ({ db, now }) => {
    const last = await db
      .selectFrom('meta')
      .select('value')
      .where('name', '=', NAME)
      .executeTakeFirst();
    const passed = now - Number(last?.value ?? 0);
    // A last time in the future was written before the clock was set back.
    if (passed >= 0 && passed < EVERY_MS) return false;
    const row = { name: NAME, value: String(now) };
    await db
      .insertInto('meta')
      .values(row)
      .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
      .execute();
    // What a wrong clock makes old would be lost: it must still be the same time an hour later.
    return passed < LEAP_MS;
  });
}
