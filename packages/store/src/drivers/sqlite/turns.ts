import type { Clock } from '@baton/core';

/** What a process may do with the database before it looks after everything else. */
const LONGEST_MS = 10;

/**
 * Database calls are synchronous, and a promise that is settled already is continued in the same
 * turn of the event loop. So whoever writes in a loop would keep timers and input waiting until
 * the loop is over.
 */
export class Turns {
  readonly #clock: Clock;
  #begun: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Waits for the next turn if this one has been long. */
  async giveWay(): Promise<void> {
    const now = this.#clock.monotonic();
    if (this.#begun === undefined) {
      this.#begun = now;
      setImmediate(() => {
        this.#begun = undefined;
      });
    }
    if (now - this.#begun >= LONGEST_MS) await new Promise((resolve) => setImmediate(resolve));
  }
}
