import type { Log } from '@baton/core';
import { loseJob, markReaped, unreapedAttempts } from '@baton/plans/jobs';
import { expireLeases, LeaseWatch, type Store } from '@baton/store';
import { removeOutputs } from './output-file.ts';
import { endTracked } from './processes/tracked-processes.ts';

/** Finds jobs whose worker is gone and puts things in order. */
export class LostWork {
  readonly #store: Store;
  readonly #log: Log;
  readonly #graceMs: number;
  readonly #folder: string;
  readonly #watch: LeaseWatch;

  /** `folder`: where jobs write their outputs. */
  constructor(store: Store, log: Log, graceMs: number, folder: string) {
    this.#store = store;
    this.#log = log;
    this.#graceMs = graceMs;
    this.#folder = folder;
    this.#watch = new LeaseWatch(store.clock, store.processes);
  }

  /** Gives jobs of holders that are gone to others, or marks them. Call it often. */
  async expire(): Promise<void> {
    const over = await expireLeases(this.#store, this.#watch, loseJob);
    for (const { name, label } of over) {
      this.#log.write('warn', `${label} is gone: ${name} is free again`);
    }
  }

  /** Ends what those have left running, and removes what that has left. */
  async reap(): Promise<void> {
    const ids = await this.#store.read((tx) => unreapedAttempts(tx));
    if (ids.length === 0) return;
    const { ended, left } = await endTracked(new Set(ids), this.#graceMs);
    if (ended + left > 0) {
      this.#log.write('warn', `ended ${ended} processes that were left over, ${left} remain`);
    }
    for (const id of ids) removeOutputs(this.#folder, id);
    await this.#store.write('relaxed', (tx) => markReaped(tx, ids));
  }
}
