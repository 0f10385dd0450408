import { defaultRetention, prune, type Retention } from './retention.ts';
import type { Store } from './store.ts';

const NAME = 'upkeep_at';
/** All processes together do it about this often. */
const EVERY_MS = 60 * 60 * 1000;

/** Removes what is no longer kept and gives space back, unless somebody has just done so. */
export async function keepUp(
  store: Store,
  retention: Retention = defaultRetention,
): Promise<boolean> {
  const isOurTurn = await store.write('relaxed', async ({ db, now }) => {
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
    return true;
  });
  if (!isOurTurn) return false;
  await prune(store, retention);
  await store.shrink('a little');
  return true;
}
