import { prunePlans } from '@baton/plans/jobs';
import { createStoreAccess, type Store, storeFile, systemClock, systemIds } from '@baton/runtime';
import { createMemoryLog } from '@baton/testkit';

type PlanTables = { plan_jobs: { definition: string } };

/**
 * Changes leases in the store itself, for what would take too long to wait for. `silenceMs` makes
 * them be over so soon after the last beat; `isFree` takes them away.
 */
export function changeLeases(
  state: string,
  namesLike: string,
  change: { readonly silenceMs: number } | { readonly isFree: true },
): Promise<unknown> {
  return withStore(state, (store) =>
    store.write('durable', ({ db }) =>
      db
        .updateTable('leases')
        .set('isFree' in change ? { owner: null, process: null } : { silence_ms: change.silenceMs })
        .where('name', 'like', namesLike)
        .execute(),
    ),
  );
}

/** Replaces a text in the definitions of jobs with what no tool would take. */
export function changeJobs(state: string, text: string, by: string): Promise<unknown> {
  return withStore(state, (store) =>
    store.write('durable', ({ db }) =>
      db
        .withTables<PlanTables>()
        .updateTable('plan_jobs')
        .set(({ fn, val, ref }) => ({
          definition: fn<string>('replace', [ref('definition'), val(text), val(by)]),
        }))
        .execute(),
    ),
  );
}

/** Prunes as upkeep does, as if all plans that have ended had done so long ago. */
export function pruneEnded(state: string): Promise<unknown> {
  return withStore(state, async (store) => {
    while ((await store.write('durable', (tx) => prunePlans(tx, tx.now + 1))) > 0);
  });
}

async function withStore<Result>(
  state: string,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const access = createStoreAccess({
    file: storeFile(state),
    clock: systemClock,
    ids: systemIds,
    log: createMemoryLog(),
  });
  try {
    return await work(await access.open());
  } finally {
    await access.close();
  }
}
