import { createStoreAccess, storeFile, systemClock, systemIds } from '@baton/runtime';
import { createMemoryLog } from '@baton/testkit';

/**
 * Changes leases in the store itself, for what would take too long to wait for. `silenceMs` makes
 * them be over so soon after the last beat; `isFree` takes them away.
 */
export async function changeLeases(
  state: string,
  namesLike: string,
  change: { readonly silenceMs: number } | { readonly isFree: true },
): Promise<void> {
  const access = createStoreAccess({
    file: storeFile(state),
    clock: systemClock,
    ids: systemIds,
    log: createMemoryLog(),
  });
  const store = await access.open();
  await store.write('durable', ({ db }) =>
    db
      .updateTable('leases')
      .set('isFree' in change ? { owner: null, process: null } : { silence_ms: change.silenceMs })
      .where('name', 'like', namesLike)
      .execute(),
  );
  await access.close();
}
