import { BatonError } from '@baton/core';
import type { Transaction } from '@baton/store';
import { Crash, crashing, createRandom, existing, type Random } from '@baton/testkit';
import type { Machine } from './machine.ts';
import { Model } from './model.ts';
import { Silence } from './silence.ts';
import { VirtualProcess } from './virtual-process.ts';

export type Outcome<Result> =
  | { readonly kind: 'done'; readonly value: Result }
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'crashed' };

/** Transactions have fewer statements than this, most of them. */
const STATEMENTS = 9;
const CRASH_ONE_IN = 12;

/** All that one seed decides. */
export class World {
  readonly machine: Machine;
  readonly random: Random;
  readonly model = new Model();
  readonly silence: Silence;
  readonly processes: VirtualProcess[] = [];
  readonly trace: string[] = [];
  /** How often each kind of thing has happened. */
  readonly counts: Map<string, number>;
  /** What was ready, and the newest event, when it was looked at last. */
  readonly told = { ready: new Set<string>(), cursor: 0 };
  /** Once there are no more faults. */
  calmSince: number | undefined;

  constructor(machine: Machine, seed: number, counts: Map<string, number>) {
    this.machine = machine;
    this.random = createRandom(seed);
    this.silence = new Silence(machine.time);
    this.counts = counts;
  }

  get living(): VirtualProcess[] {
    return this.processes.filter(({ isGone }) => !isGone);
  }

  get active(): VirtualProcess[] {
    return this.living.filter(({ stalledUntil }) => stalledUntil <= this.machine.time.awake);
  }

  start(): VirtualProcess {
    const name = `p${this.processes.length + 1}`;
    const process = new VirtualProcess(name, this.machine, this.random);
    this.processes.push(process);
    this.note(`${name} starts, silence ${process.silenceMs}, ${process.isHere ? 'here' : 'away'}`);
    return process;
  }

  ownerOf(owner: string): VirtualProcess {
    const found = this.processes.find((process) => process.owner === owner);
    return existing(found, `nobody is ${owner}`);
  }

  /** One chance in so many. */
  chance(oneIn: number): boolean {
    return this.random.integer(oneIn) === 0;
  }

  note(what: string): void {
    this.trace.push(`${this.machine.time.awake} ${what}`);
  }

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  /** Runs a transaction that may die in the middle. */
  async attempt<Result>(
    what: string,
    work: (tx: Transaction) => Promise<Result>,
  ): Promise<Outcome<Result>> {
    const outcome = await this.#outcome(this.mayCrash(work));
    const result = outcome.kind === 'refused' ? outcome.code : outcome.kind;
    this.note(`${what}: ${result}`);
    this.count(result);
    return outcome;
  }

  mayCrash<Result>(work: (tx: Transaction) => Promise<Result>) {
    if (this.calmSince !== undefined || !this.chance(CRASH_ONE_IN)) return work;
    return crashing(work, 1 + this.random.integer(STATEMENTS));
  }

  async #outcome<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Outcome<Result>> {
    try {
      return { kind: 'done', value: await this.machine.store.write('durable', work) };
    } catch (error) {
      if (error instanceof Crash) return { kind: 'crashed' };
      if (error instanceof BatonError) return { kind: 'refused', code: error.code };
      throw error;
    }
  }
}
