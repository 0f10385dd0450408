import { setTimeout as later } from 'node:timers/promises';
import { BatonError } from '@baton/core';
import type { StoreAccess } from './store-access.ts';

const PAUSE_MS = 20;
const PATIENCE_MS = 30_000;

/**
 * Does something that only one process may do at a time. Whoever dies while doing it has given it
 * up: the others find its lease without a process.
 */
export async function exclusively<Result>(
  access: StoreAccess,
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const { claimLease, expireLeases, LeaseWatch, releaseLease } = await import('@baton/store');
  const store = await access.open();
  const holding = store.createHolding({ label: `process ${process.pid}` });
  const watch = new LeaseWatch(store.clock, store.processes);
  const begun = store.clock.monotonic();
  const claim = () => store.write('relaxed', (tx) => claimLease(tx, name, holding.holder));
  let lease = await claim();
  while (!lease) {
    if (store.clock.monotonic() - begun > PATIENCE_MS) throw busy();
    await later(PAUSE_MS);
    await expireLeases(store, watch);
    lease = await claim();
  }
  const held = lease;
  holding.keep(held);
  try {
    return await work();
  } finally {
    holding.drop(held);
    await store.write('relaxed', (tx) => releaseLease(tx, held)).catch(() => {});
  }
}

function busy(): BatonError {
  return new BatonError(
    'editor_busy',
    'Another process has been changing files of this workspace for 30 s. Nothing was changed.',
    'Try again; `baton status` tells which processes work here.',
  );
}
