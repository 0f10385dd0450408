import type { ToolContext } from '@baton/core';
import type { Interest, Store } from '@baton/store';

/** What is needed of a call while it waits. */
export type Waiting = Pick<ToolContext, 'signal' | 'draining' | 'progress'>;

interface Look<Found> {
  readonly found: Found;
  readonly isEnough: boolean;
  /** Look again after so long, although nothing is told to have changed. */
  readonly againInMs?: number | undefined;
}

/** Looks until it is enough, or as long as the caller wants to wait. */
export async function lookUntil<Found>(
  store: Store,
  interest: Interest,
  waitSeconds: number,
  call: Waiting,
  look: () => Promise<Look<Found>>,
): Promise<Found> {
  const late = new AbortController();
  // Not AbortSignal.timeout: that would not keep a process that has nothing else to do.
  const timer = setTimeout(() => late.abort(), waitSeconds * 1000);
  const signal = AbortSignal.any([late.signal, call.signal, call.draining]);
  try {
    for (;;) {
      const again = new AbortController();
      let alarm: NodeJS.Timeout | undefined;
      const read = async () => {
        const seen = await look();
        clearTimeout(alarm);
        if (seen.againInMs !== undefined) alarm = setTimeout(() => again.abort(), seen.againInMs);
        return { found: seen, isEnough: seen.isEnough };
      };
      const either = AbortSignal.any([signal, again.signal]);
      try {
        const { found, isEnough } = await store.changes.until(interest, read, either);
        if (isEnough || signal.aborted) return found;
      } finally {
        clearTimeout(alarm);
      }
    }
  } finally {
    clearTimeout(timer);
  }
}
