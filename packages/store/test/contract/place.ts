import type { Clock } from '@baton/core';
import type { Store, StoreOptions } from '@baton/store';
import { createFakeClock } from '@baton/testkit';
import { vi } from 'vitest';

/** Where a database is. Opened several times, it is what several processes see of one store. */
export interface StorePlace extends AsyncDisposable {
  open(overrides?: Partial<StoreOptions>): Promise<Store>;
}

export type CreatePlace = () => StorePlace;

/** A clock whose wall time can be set, as people and time servers do. */
export interface TestClock extends Clock {
  advance(ms: number): void;
  jump(ms: number): void;
}

export function createTestClock(): TestClock {
  const { monotonic, now, advance } = createFakeClock();
  let jumped = 0;
  return {
    monotonic,
    advance,
    now: () => now() + jumped,
    jump(ms) {
      jumped += ms;
    },
  };
}

/** All at once. */
export function times<Result>(
  count: number,
  work: (index: number) => Promise<Result>,
): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => work(index)));
}

/** Waits for a condition; the limit is for what hangs, on a machine that is busy. */
export function eventually(check: () => void | Promise<void>): Promise<void> {
  return vi.waitFor(check, { timeout: 30_000, interval: 5 });
}
