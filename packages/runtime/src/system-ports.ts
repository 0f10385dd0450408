import type { Clock, Ids } from '@baton/core';

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

/**
 * Milliseconds that this machine has run since it was started. The same for all its processes: it
 * is what Node.js counts from, on every system. On Linux it stands still while the machine sleeps.
 */
export function machineUptime(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

// The global is loaded on first use; importing node:crypto would cost every start 8 ms.
export const systemIds: Ids = { next: () => globalThis.crypto.randomUUID() };
