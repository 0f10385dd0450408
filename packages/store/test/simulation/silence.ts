import type { HeldLease } from '@baton/store';
import { DRIFT, ensure, existing, type VirtualTime } from '@baton/testkit';
import { LOOK_EVERY, type VirtualProcess } from './virtual-process.ts';

interface Heard {
  readonly at: number;
  readonly sleeps: number;
}

/** A sleep of the machine may be taken for at most this part of the silence that ends a lease. */
const SLEEP_COUNTS = 1 / 3;

/** When each lease was last heard of, in the time that has really passed. */
export class Silence {
  readonly #time: VirtualTime;
  readonly #heard = new Map<string, Heard>();

  constructor(time: VirtualTime) {
    this.#time = time;
  }

  hear(jobId: string): void {
    this.#heard.set(jobId, { at: this.#time.awake, sleeps: this.#time.sleeps });
  }

  /** The fastest clock cannot have seen more silence than this. */
  ensureLongEnough(jobId: string, lease: HeldLease): void {
    const { at, sleeps } = existing(this.#heard.get(jobId), `${jobId} was never claimed`);
    const awake = (this.#time.awake - at) * (1 + DRIFT);
    const asleep = (this.#time.sleeps - sleeps) * SLEEP_COUNTS * lease.silence_ms;
    ensure(
      awake + asleep > lease.silence_ms - 1,
      `${lease.label} loses ${jobId} after a silence of only ${this.#time.awake - at} ms`,
    );
  }

  /** The slowest clock must have seen enough by then. */
  ensureNotTooLong(jobId: string, holder: VirtualProcess, since: number): void {
    const { at } = existing(this.#heard.get(jobId), `${jobId} was never claimed`);
    const silent = this.#time.awake - Math.max(at, since);
    const longest = holder.silenceMs / (1 - DRIFT) + 4 * LOOK_EVERY;
    ensure(silent <= longest, `${holder.name} is gone and keeps ${jobId} for ${silent} ms`);
  }
}
