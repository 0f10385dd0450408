import type { Clock } from '@baton/core';
import type { HeldLease } from './leases.ts';
import type { Processes } from './processes.ts';

interface Seen {
  readonly number: number;
  readonly beats: number;
  readonly silentMs: number;
  readonly at: number;
}

/** However rarely somebody looks, a lease is not over before so many looks without a beat. */
const LOOKS = 3;

/**
 * Finds leases whose holders are gone. It trusts no time but its own: it adds up how long it
 * has itself seen no beat, by a clock that never jumps. While it could not look, because it was
 * stopped or the machine slept, the holder may have been stopped too, so that counts for little.
 */
export class LeaseWatch {
  readonly #clock: Clock;
  readonly #processes: Processes;
  #seen = new Map<string, Seen>();

  constructor(clock: Clock, processes: Processes) {
    this.#clock = clock;
    this.#processes = processes;
  }

  /** Of the leases that are held now, those that are over. */
  look(held: readonly HeldLease[]): HeldLease[] {
    const now = this.#clock.monotonic();
    const before = this.#seen;
    this.#seen = new Map(held.map((lease) => [lease.name, observe(lease, before, now)]));
    return held.filter((lease) => this.#isOver(lease));
  }

  #isOver(lease: HeldLease): boolean {
    if (lease.process !== null && this.#processes.isDead(lease.process)) return true;
    return (this.#seen.get(lease.name)?.silentMs ?? 0) >= lease.silence_ms;
  }
}

function observe(lease: HeldLease, before: Map<string, Seen>, now: number): Seen {
  const { number, beats } = lease;
  const last = before.get(lease.name);
  if (!last || last.number !== number || last.beats !== beats) {
    return { number, beats, silentMs: 0, at: now };
  }
  const passed = Math.min(now - last.at, lease.silence_ms / LOOKS);
  return { number, beats, silentMs: last.silentMs + passed, at: now };
}
