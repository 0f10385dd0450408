import type { Asking } from '@baton/core';
import { type Claimed, claimJob, type Result, settleJob } from '@baton/plans/jobs';
import { expireLeases } from '@baton/store';
import { loseJob } from '../src/attempts.ts';
import { type Job, jobsOf } from '../src/plan-repository.ts';
import { Machine } from './simulation/machine.ts';
import { World } from './simulation/world.ts';
import type { ControlOptions, JobDefinition, PlanService, PlanToCreate } from './under-test.ts';

export const SUCCEEDED: Result = { kind: 'succeeded', outputs: {} };
export const ENDED: Result = { kind: 'failed', reason: 'signal', message: 'It was ended.' };

/** Jobs by their needs: `{aaa: [], bbb: ['aaa']}`. */
export function jobs(
  needs: Readonly<Record<string, readonly string[]>>,
  more: Partial<JobDefinition> = {},
): JobDefinition[] {
  return Object.entries(needs).map(([id, of]) => ({
    id,
    work: `run ${id}`,
    needs: [...of],
    ...more,
  }));
}

/** The real service and store, and a worker whose jobs end when a test says so. */
export class PlansAtWork {
  readonly #machine: Machine;
  readonly #world: World;
  readonly service: PlanService;

  static async open(): Promise<PlansAtWork> {
    return new PlansAtWork(await Machine.start());
  }

  constructor(machine: Machine) {
    this.#machine = machine;
    this.#world = new World(machine, 1, new Map());
    this.#world.isCalm = true;
    this.service = this.#world.service;
  }

  async create(plan: Partial<PlanToCreate>): Promise<string> {
    const { id } = await this.service.create({ name: 'Test', ...plan }, { can: {} } as Asking);
    return id;
  }

  async control(plan: string, action: ControlOptions['action'], jobs?: string[]): Promise<string> {
    const { state } = await this.service.control(plan, { action, jobs });
    return state;
  }

  async planState(id: string): Promise<string | undefined> {
    const { plans } = await this.service.list({ limit: 100 });
    return plans.find((plan) => plan.id === id)?.state;
  }

  jobsOf(plan: string): Promise<Job[]> {
    return this.#machine.store.read((tx) => jobsOf(tx, plan));
  }

  async jobStates(plan: string): Promise<Record<string, string>> {
    return Object.fromEntries((await this.jobsOf(plan)).map(({ id, state }) => [id, state]));
  }

  /** What a new worker gets. */
  async claim(): Promise<Claimed> {
    const { holding } = this.#world.start();
    const claimed = await this.#machine.store.write('durable', (tx) =>
      claimJob(tx, holding.holder, this.#machine.ids, new Map()),
    );
    if (!claimed) throw new Error('There is nothing to claim');
    return claimed;
  }

  async settle(claimed: Claimed, result: Result): Promise<void> {
    await this.#machine.store.write('durable', (tx) => settleJob(tx, claimed, result));
  }

  /** All workers so far are gone, and it is noticed. */
  async loseAll(): Promise<void> {
    for (const { name } of this.#world.workers) this.#machine.dead.add(name);
    await expireLeases(this.#machine.store, this.#world.start().watch, loseJob);
  }

  /** Enough for the longest delay before another try. */
  waitForRetry(): void {
    this.#machine.time.pass(60_000);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#machine.store.close();
  }
}
