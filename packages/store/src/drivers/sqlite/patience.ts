import type { Clock } from '@baton/core';

export interface Waiting {
  readonly clock: Clock;
  readonly random: () => number;
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** Pauses grow to this, in milliseconds: short enough to meet the gap between two writers. */
const LONGEST_PAUSE = 12;
/** For this long after a collision a writer lets others go first. */
const POLITE_FOR = 250;
const POLITE_PAUSE = 3;

/** Waits for the one place to write: with jitter, never blocking, up to a deadline. */
export class Patience {
  readonly #waiting: Waiting;
  readonly #deadlineMs: number;
  #lastBusy = Number.NEGATIVE_INFINITY;
  #isEnded = false;

  constructor(waiting: Waiting, deadlineMs: number) {
    this.#waiting = waiting;
    this.#deadlineMs = deadlineMs;
  }

  /**
   * Runs `attempt` until it does not collide; the last collision is thrown at the deadline. The
   * one who holds the lock most of the time never sees a collision, those who wait hardly ever
   * find it free: after a collision of its own, each leaves a gap for the others.
   */
  async until<Result>(
    attempt: () => Result,
    isCollision: (error: unknown) => boolean,
    signal?: AbortSignal,
  ): Promise<Result> {
    const { clock } = this.#waiting;
    const begun = clock.monotonic();
    for (let tries = 0; ; tries += 1) {
      try {
        return attempt();
      } catch (error) {
        if (!isCollision(error)) throw error;
        this.#lastBusy = clock.monotonic();
        if (this.#isEnded || this.#lastBusy - begun >= this.#deadlineMs) throw error;
      }
      await this.#pause(Math.min(1 + tries, LONGEST_PAUSE), signal);
    }
  }

  /** Before the next write: a gap for others, but only where there are any. */
  async giveWay(signal?: AbortSignal): Promise<void> {
    const since = this.#waiting.clock.monotonic() - this.#lastBusy;
    if (since < POLITE_FOR) await this.#pause(POLITE_PAUSE, signal);
  }

  /** Whoever waits gives up at once: the process ends. */
  end(): void {
    this.#isEnded = true;
  }

  #pause(longest: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    return this.#waiting.pause(this.#waiting.random() * longest, signal);
  }
}
