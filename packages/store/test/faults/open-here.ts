import { BatonError } from '@baton/core';
import { openStore, type Store } from '@baton/store';
import { createFakeClock, createFakeIds, createMemoryLog } from '@baton/testkit';

/** A store in this process. Somebody else never holds it, so it waits for nobody. */
export function openHere(file: string): Promise<Store> {
  return openStore({
    file,
    log: createMemoryLog(),
    clock: createFakeClock(),
    ids: createFakeIds(),
    deadlineMs: 0,
  });
}

/** The BatonError that `work` fails with; any other error is thrown on. */
export async function refusalOf(work: () => Promise<unknown>): Promise<BatonError | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof BatonError) return error;
    throw error;
  }
}
