import type { Clock } from '@baton/core';
import type { Random } from '../random.ts';

/** How far the clocks of the processes may be off, either way. */
export const DRIFT = 0.1;

const HOUR = 3_600_000;
const JUMPS = [-HOUR, HOUR, -6 * HOUR, 6 * HOUR, -90_000, 90_000, -87_660 * HOUR, 87_660 * HOUR];

/** The time that really passes, and the clocks that show it, each in its own wrong way. */
export class VirtualTime {
  /** Milliseconds in which the machine was awake. */
  awake = 0;
  /** How often the machine has slept. */
  sleeps = 0;
  #slept = 0;
  #wall = Date.UTC(2026, 0, 1);

  /** What everybody sees on the wall. */
  now(): number {
    return this.#wall;
  }

  pass(ms: number): void {
    this.awake += ms;
    this.#wall += ms;
  }

  /** Nobody does anything meanwhile. */
  sleep(ms: number): void {
    this.sleeps += 1;
    this.#slept += ms;
    this.#wall += ms;
  }

  /** Somebody sets the clock. */
  jump(random: Random): number {
    const by = random.pick(JUMPS);
    this.#wall += by;
    return by;
  }

  /** A clock that never jumps, but begins anywhere and goes too fast or too slow. */
  createClock(random: Random): Clock {
    const offset = random.integer(1_000_000_000);
    const rate = 1 + ((random.integer(201) - 100) / 100) * DRIFT;
    // Whether a sleep of the machine counts differs between systems.
    const isSleepCounted = random.integer(2) === 0;
    return {
      now: () => this.#wall,
      monotonic: () => offset + rate * (this.awake + (isSleepCounted ? this.#slept : 0)),
    };
  }
}
