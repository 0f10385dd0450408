import { type Claim, type Holding, LeaseWatch } from '@baton/store';
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

  keep(claim: Claim, now: number): void {
    if (this.claims.length === 0) this.beatAt = now + this.silenceMs / 4;
    this.claims.push({ claim, lost: this.holding.keep(claim.lease) });
    // The simulation decides when it beats, not a timer.
    this.holding.end();
  }

  drop(claim: Claim): void {
    this.claims = this.claims.filter((kept) => kept.claim !== claim);
    this.holding.drop(claim.lease);
    if (!this.past.includes(claim)) this.past.push(claim);
  }
}
