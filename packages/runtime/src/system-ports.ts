import { randomUUID } from 'node:crypto';
import type { Clock, Ids } from '@baton/core';

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

export const systemIds: Ids = { next: () => randomUUID() };
