import type { Clock } from '@baton/core';

export interface Waiting {
  readonly clock: Clock;
  readonly random: () => number;
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** A lock is held for less than a millisecond by who writes once: so the first tries come soon. */
const SOON = 2;
const TRIES_SOON = 2;
/**
 * After that somebody writes again and again. Pauses are long, because each try costs whoever
 * writes, and become shorter, so that who has waited longest goes first.
 */
const LONGEST_PAUSE = 16;
const SHORTEST_PAUSE = 4;
/** For this long after a collision a writer knows that it is not alone. */
const POLITE_FOR = 250;
/** Then it writes for so long and makes a pause that those who wait will meet. */
const SLICE = 20;
const POLITE_PAUSE = 4;

/** A holder that is stopped lets go of nothing: after so many looks nobody waits for it. */
const LOOK_EVERY = 1000;
const LOOKS = 3;

export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  /** When somebody began to wait, by the monotonic clock; now, unless told. */
  readonly since?: number | undefined;
}

/** Waits for the one place to write: with jitter, never blocking, up to a deadline. */
export class Patience {
  readonly #waiting: Waiting;
  readonly #deadlineMs: number;
  #lastBusy = Number.NEGATIVE_INFINITY;
  #sliceBegun: number | undefined;
  #isEnded = false;
  /** Since when the lock to write was never free, and how often its holder was seen stopped. */
  #held: { readonly since: number; lookedAt: number; looks: number } | undefined;

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
    { signal, since }: WaitOptions = {},
  ): Promise<Result> {
    const { clock } = this.#waiting;
    const begun = since ?? clock.monotonic();
    for (let tries = 0; ; tries += 1) {
      try {
        const result = attempt();
        if (tries > 0) this.#sliceBegun = clock.monotonic();
        return result;
      } catch (error) {
        if (!isCollision(error)) throw error;
        this.#lastBusy = clock.monotonic();
        if (this.#isEnded || this.#lastBusy - begun >= this.#deadlineMs) throw error;
      }
      await this.#pause(longestPause(tries), signal);
    }
  }

  /**
   * The same for the lock to write, which many may wait for one after the other: the time in which
   * it was never free counts for all of them. Nobody waits for a holder that is stopped.
   */
  async untilWritable<Result>(
    attempt: () => Result,
    isCollision: (error: unknown) => boolean,
    isHolderStopped: () => boolean,
    { signal, since = this.#waiting.clock.monotonic() }: WaitOptions = {},
  ): Promise<Result> {
    const { clock } = this.#waiting;
    const isLost = (error: unknown) => {
      if (!isCollision(error)) return false;
      const now = clock.monotonic();
      this.#held ??= { since: now, lookedAt: now, looks: 0 };
      const held = this.#held;
      const isKnownStopped = held.looks >= LOOKS;
      if (!isKnownStopped && now - held.lookedAt < LOOK_EVERY) return true;
      held.lookedAt = now;
      held.looks = isHolderStopped() ? held.looks + 1 : 0;
      return held.looks < LOOKS;
    };
    const begun = Math.max(since, this.#held?.since ?? clock.monotonic());
    const result = await this.until(attempt, isLost, { signal, since: begun });
    this.#held = undefined;
    return result;
  }

  /** Before the next write: a gap for others, but only where there are any. */
  async giveWay(signal?: AbortSignal): Promise<void> {
    const { clock, random } = this.#waiting;
    const now = clock.monotonic();
    if (now - this.#lastBusy >= POLITE_FOR) return;
    this.#sliceBegun ??= now;
    if (now - this.#sliceBegun < SLICE) return;
    signal?.throwIfAborted();
    await this.#waiting.pause(POLITE_PAUSE + random() * POLITE_PAUSE, signal);
    this.#sliceBegun = undefined;
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

function longestPause(tries: number): number {
  if (tries < TRIES_SOON) return SOON;
  return Math.max(LONGEST_PAUSE + TRIES_SOON - tries, SHORTEST_PAUSE);
}
