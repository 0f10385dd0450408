import type { Log } from '@baton/core';
import { beatLeases, type Holder, type Lease } from './leases.ts';
import type { Store } from './store.ts';

/** Beats per time of silence: some may be late or lost. */
const BEATS = 4;

/**
 * The leases that this process holds, kept alive together with one small write. Whoever works on
 * one is told by a signal that it is lost, at the next beat rather than at its next write.
 */
export class Holding {
  readonly holder: Holder;
  readonly #store: Store;
  readonly #log: Log;
  readonly #held = new Map<string, { lease: Lease; lost: AbortController }>();
  #timer: NodeJS.Timeout | undefined;

  constructor(store: Store, log: Log, holder: Holder) {
    this.#store = store;
    this.#log = log;
    this.holder = holder;
  }

  /** Begins to beat for a lease; the signal is aborted when it is lost. */
  keep(lease: Lease): AbortSignal {
    const lost = new AbortController();
    const before = this.#held.get(lease.name);
    // It was lost and claimed anew before a beat could notice; no later beat would tell.
    if (before && before.lease.number !== lease.number) before.lost.abort();
    this.#held.set(lease.name, { lease, lost });
    this.#timer ??= setInterval(() => {
      this.beat().catch((error: unknown) => this.#log.write('warn', `no beat: ${error}`));
    }, this.holder.silenceMs / BEATS).unref();
    return lost.signal;
  }

  /** It was released or completed. */
  drop(lease: Lease): void {
    if (this.#held.get(lease.name)?.lease === lease) this.#held.delete(lease.name);
    if (this.#held.size === 0) this.end();
  }

  async beat(): Promise<void> {
    const asked = [...this.#held.values()];
    const alive = await this.#store.write('relaxed', (tx) => beatLeases(tx, this.holder.owner));
    const numbers = new Map(alive.map(({ name, number }) => [name, number]));
    for (const { lease, lost } of asked) {
      const isStill = this.#held.get(lease.name)?.lease === lease;
      if (!isStill || numbers.get(lease.name) === lease.number) continue;
      this.drop(lease);
      lost.abort();
    }
  }

  end(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
