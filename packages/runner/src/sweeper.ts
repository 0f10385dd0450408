import type { Log } from '@baton/core';
import { closedAttempts } from '@baton/plans/jobs';
import type { Store } from '@baton/store';
import { endTracked, findTracked } from './processes/tracked-processes.ts';

/**
 * Ends processes that have left the group of their job and outlived it. They are found by the
 * tracking id in their environment; to look through all processes for each job would cost more
 * than most jobs do, so it is done now and then for all of them.
 */
export class Sweeper {
  readonly #store: Store;
  readonly #log: Log;
  readonly #graceMs: number;
  #isDirty = false;

  constructor(store: Store, log: Log, graceMs: number) {
    this.#store = store;
    this.#log = log;
    this.#graceMs = graceMs;
  }

  /** A job was started since. */
  dirty(): void {
    this.#isDirty = true;
  }

  async sweep(): Promise<void> {
    if (!this.#isDirty) return;
    this.#isDirty = false;
    const carried = [...new Set((await findTracked()).map(({ trackingId }) => trackingId))];
    // Attempts that are open, and ids of other stores, are none of our business.
    const over = await this.#store.read((tx) => closedAttempts(tx, carried));
    if (over.length < carried.length) this.#isDirty = true;
    if (over.length === 0) return;
    const { ended } = await endTracked(new Set(over), this.#graceMs);
    this.#log.write('warn', `ended ${ended} processes that had outlived their jobs`);
  }
}
