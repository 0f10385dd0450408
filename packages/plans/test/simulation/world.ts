import { BatonError } from '@baton/core';
import type { Store, Transaction } from '@baton/store';
import { Crash, crashing, createRandom, type Random } from '@baton/testkit';
import { PlanService } from '../under-test.ts';
import type { Machine } from './machine.ts';
import { Model } from './model.ts';
import { virtualPorts } from './virtual-ports.ts';
import { VirtualWorker } from './virtual-worker.ts';

export type Outcome<Result> =
  | { readonly kind: 'done'; readonly value: Result }
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'crashed' };

/** Transactions have fewer statements than this, most of them. */
const STATEMENTS = 25;
const CRASH_ONE_IN = 12;

/** All that one seed decides. */
export class World {
  readonly machine: Machine;
  readonly random: Random;
  readonly model = new Model();
  readonly service: PlanService;
  readonly workers: VirtualWorker[] = [];
  readonly trace: string[] = [];
  /** How often each kind of thing has happened. */
  readonly counts: Map<string, number>;
  /** Moves that were looked at, and where each job was then. */
  readonly moves = { seen: 0, jobs: new Map<string, string>() };
  /** What those were told who watch, up to this event, and what they saw then. */
  readonly told = {
    cursor: 0,
    plans: new Map<string, string>(),
    claimable: new Set<string>(),
    stops: new Set<string>(),
  };
  /** Logs that nobody can ask for any more. */
  removedLogs: string[] = [];
  isCalm = false;

  constructor(machine: Machine, seed: number, counts: Map<string, number>) {
    this.machine = machine;
    this.random = createRandom(seed);
    this.counts = counts;
    this.service = new PlanService(virtualPorts(this));
  }

  /** The store as operators and workers have it: they may die with any statement. */
  get store(): Store {
    const { store } = this.machine;
    const view: Pick<Store, 'read' | 'write' | 'clock'> = {
      clock: store.clock,
      read: (work) => store.read(work),
      write: (durability, work) => store.write(durability, this.mayCrash(work)),
    };
    return view as Store;
  }

  get living(): VirtualWorker[] {
    return this.workers.filter(({ isGone }) => !isGone);
  }

  get active(): VirtualWorker[] {
    return this.living.filter(({ stalledUntil }) => stalledUntil <= this.machine.time.awake);
  }

  start(): VirtualWorker {
    const name = `w${this.workers.length + 1}`;
    const worker = new VirtualWorker(name, this.machine, this.random);
    this.workers.push(worker);
    this.note(`${name} starts, ${worker.isHere ? 'here' : 'away'}`);
    return worker;
  }

  /** One chance in so many. */
  chance(oneIn: number): boolean {
    return this.random.integer(oneIn) === 0;
  }

  note(what: string): void {
    this.trace.push(`${this.machine.time.awake} ${what}`);
  }

  readonly count = (what: string): void => {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  };

  /** Does something that may be refused, or die in the middle. */
  async attempt<Result>(what: string, run: () => Promise<Result>): Promise<Outcome<Result>> {
    const outcome = await outcomeOf(run);
    const result = outcome.kind === 'refused' ? outcome.code : outcome.kind;
    this.note(`${what}: ${result}`);
    this.count(result);
    return outcome;
  }

  mayCrash<Result>(work: (tx: Transaction) => Promise<Result>) {
    if (this.isCalm || !this.chance(CRASH_ONE_IN)) return work;
    return crashing(work, 1 + this.random.integer(STATEMENTS));
  }
}

async function outcomeOf<Result>(run: () => Promise<Result>): Promise<Outcome<Result>> {
  try {
    return { kind: 'done', value: await run() };
  } catch (error) {
    if (error instanceof Crash) return { kind: 'crashed' };
    if (error instanceof BatonError) return { kind: 'refused', code: error.code };
    throw error;
  }
}
