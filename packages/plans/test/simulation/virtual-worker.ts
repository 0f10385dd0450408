import { type Claimed, Turns } from '@baton/plans/jobs';
import { type Holding, LeaseWatch } from '@baton/store';
import type { Random } from '@baton/testkit';
import type { Machine } from './machine.ts';

/** The longest time between two looks at the leases. */
export const LOOK_EVERY = 5000;

const SILENCES = [6000, 9000, 15_000];

/** A worker as it sees itself: what it believes to run, and what it did run. */
export class VirtualWorker {
  readonly name: string;
  readonly holding: Holding;
  readonly watch: LeaseWatch;
  /** Whether the others can see that it is dead; a process of another host is only silent. */
  readonly isHere: boolean;
  readonly turns = new Turns();
  runs: Claimed[] = [];
  /** What it has settled or lost; it may come with a result once more. */
  past: Claimed[] = [];
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

  keep(claimed: Claimed, now: number): AbortSignal {
    if (this.runs.length === 0) this.beatAt = now + this.holding.holder.silenceMs / 4;
    this.runs.push(claimed);
    const lost = this.holding.keep(claimed.claim.lease);
    // The simulation decides when it beats, not a timer.
    this.holding.end();
    return lost;
  }

  forget(claimed: Claimed): void {
    this.runs = this.runs.filter((run) => run !== claimed);
    this.holding.drop(claimed.claim.lease);
    if (!this.past.includes(claimed)) this.past.push(claimed);
  }
}
