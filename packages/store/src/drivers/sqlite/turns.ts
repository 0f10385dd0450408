import type { Clock } from '@baton/core';

/** What a process may do with the database before it looks after everything else. */
const LONGEST_MS = 10;
const NOT_ONLY_DATABASE =
  'A transaction awaited something other than the database and was rolled back: everybody else would have waited for it too';

/**
 * Database calls are synchronous, and a promise that is settled already is continued in the same
 * turn of the event loop. So whoever writes in a loop would keep timers and input waiting until
 * the loop is over.
 */
export class Turns {
  readonly #clock: Clock;
  #begun: number | undefined;
  #giveUp: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Waits for the next turn if this one has been long. */
  async giveWay(): Promise<void> {
    if (this.#clock.monotonic() - this.#begin() < LONGEST_MS) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.#begin();
  }

  /**
   * A transaction made of database calls ends within a turn. One that does not is given up, even
   * if it never ends because it waits for itself. There is one at a time.
   */
  async within<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#begin();
    try {
      return await new Promise((resolve, reject) => {
        this.#giveUp = () => reject(new TypeError(NOT_ONLY_DATABASE));
        work().then(resolve, reject);
      });
    } finally {
      this.#giveUp = undefined;
    }
  }

  #begin(): number {
    if (this.#begun !== undefined) return this.#begun;
    setImmediate(() => {
      this.#begun = undefined;
      this.#giveUp?.();
    });
    this.#begun = this.#clock.monotonic();
    return this.#begun;
  }
}
