import { type Claim, type Holding, type Lease, LeaseWatch } from '@baton/store';
import type { Random } from '@baton/testkit';
import type { Machine } from './machine.ts';

export interface Kept {
  readonly claim: Claim;
  readonly lost: AbortSignal;
}

/** The longest time between two looks at the leases. */
export const LOOK_EVERY = 5000;

const SILENCES = [6000, 9000, 15_000];

/** A process as it sees itself: what it believes to hold, what it has done, what it does next. */
export class VirtualProcess {
  readonly name: string;
  readonly holding: Holding;
  readonly watch: LeaseWatch;
  /** Whether the others can see that it is dead; a process of another host is only silent. */
  readonly isHere: boolean;
  claims: Kept[] = [];
  /** Claims that are over; it may use them by mistake. */
  past: Claim[] = [];
  /** Leases that are no work, be they over or not. */
  seats: Lease[] = [];
  isGone = false;
  /** It does nothing before, and then goes on as if nothing had been. */
  stalledUntil = 0;
  beatAt = 0;
  lookAt: number;

  constructor(name: string, machine: Machine, random: Random) {
    this.name = name;
    machine.self = name;
    this.holding = machine.store.createHolding({ label: name, silenceMs: random.pick(SILENCES) });
    this.watch = new LeaseWatch(machine.time.createClock(random), machine.store.processes);
    this.isHere = random.integer(3) > 0;
    this.lookAt = machine.time.awake + random.integer(LOOK_EVERY);
  }

  get owner(): string {
    return this.holding.holder.owner;
  }

  get silenceMs(): number {
    return this.holding.holder.silenceMs;
  }

  get isBeating(): boolean {
    return this.claims.length + this.seats.length > 0;
  }

  keep(claim: Claim, now: number): void {
    const lost = this.#keep(claim.lease, now);
    this.claims.push({ claim, lost });
  }

  sit(lease: Lease, now: number): void {
    this.#keep(lease, now);
    this.seats.push(lease);
  }

  #keep(lease: Lease, now: number): AbortSignal {
    if (!this.isBeating) this.beatAt = now + this.silenceMs / 4;
    const lost = this.holding.keep(lease);
    // The simulation decides when it beats, not a timer.
    this.holding.end();
    return lost;
  }

  drop(claim: Claim): void {
    this.claims = this.claims.filter((kept) => kept.claim !== claim);
    this.holding.drop(claim.lease);
    if (!this.past.includes(claim)) this.past.push(claim);
  }
}
