import type { Clock, Ids } from '@baton/core';

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

// The global is loaded on first use; importing node:crypto would cost every start 8 ms.
export const systemIds: Ids = { next: () => globalThis.crypto.randomUUID() };
