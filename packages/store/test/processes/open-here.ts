import { openStore, type Store } from '@baton/store';
import { createMemoryLog } from '@baton/testkit';
import { testSchema } from './programs/tables.ts';

/** The store of the test itself, to set things up and to look at what the peers have made of it. */
export async function openHere(
  file: string,
  { migrations = 1, deadlineMs = 30_000 } = {},
): Promise<Store & AsyncDisposable> {
  const store = await openStore({
    file,
    deadlineMs,
    schemas: [testSchema(migrations)],
    log: createMemoryLog(),
    clock: { now: () => Date.now(), monotonic: () => performance.now() },
    ids: { next: () => crypto.randomUUID() },
  });
  return Object.assign(store, { [Symbol.asyncDispose]: () => store.close() });
}
