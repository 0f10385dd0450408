import type { Claim, ClaimFilter, Gate, NewWork, Scope, WorkState } from '@baton/store';
import { ensure, existing } from '@baton/testkit';

/** A piece of work as it should be. Whether it waits, is ready or blocked follows from the rest. */
export interface Job {
  readonly what: Required<NewWork>;
  fate: 'open' | 'running' | 'parked' | 'succeeded' | 'failed' | 'cancelled';
  holder: string | undefined;
  /** Of the newest lease. */
  number: number;
  attempts: number;
  delayedAt: number;
  delayMs: number;
  /** What was written last on behalf of a claim. */
  progress: string | undefined;
  readonly history: string[];
}

/** A lease that is no work. */
export const SEAT = 'seat';

interface ModelGate {
  readonly scope: Scope;
  readonly gate: Gate;
}

/** What the queue must do, written without a thought for speed, and without SQL. */
export class Model {
  /** In the order of their arrival. */
  readonly jobs = new Map<string, Job>();
  readonly seat: { holder: string | undefined; number: number } = { holder: undefined, number: 0 };
  #gates: ModelGate[] = [];

  job(id: string): Job {
    return existing(this.jobs.get(id), `there is no ${id}`);
  }

  add(items: readonly Required<NewWork>[]): void {
    for (const what of items) {
      this.jobs.set(what.id, {
        what,
        fate: 'open',
        holder: undefined,
        number: 0,
        attempts: 0,
        delayedAt: 0,
        delayMs: 0,
        progress: undefined,
        history: [],
      });
    }
  }

  stateOf(job: Job): WorkState {
    if (job.fate !== 'open') return job.fate;
    const needs = this.#needsOf(job);
    if (needs.some((needed) => this.isHopeless(needed))) return 'blocked';
    return needs.every(({ fate }) => fate === 'succeeded') ? 'ready' : 'waiting';
  }

  openNeedsOf(job: Job): number {
    return this.#needsOf(job).filter(({ fate }) => fate !== 'succeeded').length;
  }

  isHopeless(job: Job): boolean {
    if (job.fate === 'failed' || job.fate === 'cancelled') return true;
    return job.fate === 'open' && this.#needsOf(job).some((needed) => this.isHopeless(needed));
  }

  #needsOf(job: Job): Job[] {
    return job.what.needs.map((id) => this.job(id));
  }

  setGate(scope: Scope, gate: Gate): void {
    const key = JSON.stringify(scope);
    this.#gates = this.#gates.filter((other) => JSON.stringify(other.scope) !== key);
    this.#gates.push({ scope, gate });
  }

  /** Those that may keep something from ever being claimed. */
  closedScopes(): Scope[] {
    const closed = this.#gates.filter(({ gate }) => gate.isPaused || gate.maxRunning === 0);
    return closed.map(({ scope }) => scope);
  }

  /** What must be claimed next. */
  best(filter: ClaimFilter, wall: number): Job | undefined {
    let best: Job | undefined;
    for (const job of this.jobs.values()) {
      if (!isWanted(job, filter) || !this.#isClaimable(job, wall)) continue;
      if (!best || job.what.priority > best.what.priority) best = job;
    }
    return best;
  }

  #isClaimable(job: Job, wall: number): boolean {
    if (this.stateOf(job) !== 'ready') return false;
    const isDelayed = wall >= job.delayedAt && wall < job.delayedAt + job.delayMs;
    return !isDelayed && this.#gates.every((gate) => this.#isOpen(gate, job));
  }

  #isOpen({ scope, gate }: ModelGate, job: Job): boolean {
    if (!isWanted(job, scope)) return true;
    const others = [...this.jobs.values()].filter((other) => isWanted(other, scope));
    const running = others.filter(({ fate }) => fate === 'running').length;
    return !gate.isPaused && running < (gate.maxRunning ?? Number.POSITIVE_INFINITY);
  }

  isHeldBy({ lease, work }: Claim): boolean {
    const job = this.job(work.id);
    return job.holder === lease.owner && job.number === lease.number;
  }

  isAnythingHeld(): boolean {
    const holders = [this.seat, ...this.jobs.values()].map(({ holder }) => holder);
    return holders.some((holder) => holder !== undefined);
  }

  heldBy(owner: string): string[] {
    const jobs = [...this.jobs.values()].filter(({ holder }) => holder === owner);
    return [...(this.seat.holder === owner ? [SEAT] : []), ...jobs.map(({ what }) => what.id)];
  }

  claim({ lease, work }: Claim): void {
    const job = this.job(work.id);
    ensure(job.fate === 'open' && job.holder === undefined, `${work.id} is claimed twice`);
    ensure(lease.number > job.number, `the number of ${work.id} does not grow`);
    job.fate = 'running';
    job.holder = lease.owner;
    job.number = lease.number;
    job.attempts += 1;
    ensure(job.attempts <= job.what.maxAttempts, `${work.id} is tried too often`);
    ensure(work.attempts === job.attempts, `${work.id} is claimed as attempt ${work.attempts}`);
    job.history.push(`started ${job.attempts}`);
  }

  complete(job: Job): void {
    ensure(
      this.#needsOf(job).every(({ fate }) => fate === 'succeeded'),
      `${job.what.id} succeeds before what it needs`,
    );
    this.#end(job, 'succeeded', 'succeeded');
  }

  /** Without a delay there is no other attempt. */
  fail(job: Job, as: 'failed' | 'lost', wall: number, retryInMs: number | undefined): void {
    const isOver = retryInMs === undefined || job.attempts === job.what.maxAttempts;
    this.#end(job, as, isOver ? 'failed' : 'open');
    if (isOver) return;
    job.delayedAt = wall;
    job.delayMs = retryInMs;
  }

  /** Nobody has it until somebody says that it is over. */
  park(job: Job): void {
    this.#end(job, 'parked', 'parked');
  }

  /** Whether it can be ended like this. */
  endParked(job: Job, fate: 'succeeded' | 'failed'): boolean {
    if (job.fate !== 'parked') return false;
    job.history.push(`${fate} ${job.attempts}`);
    job.fate = fate;
    return true;
  }

  giveBack(job: Job): void {
    this.#end(job, 'released', 'open');
    job.attempts -= 1;
  }

  /** Whether it can be cancelled. */
  cancel(job: Job): boolean {
    if (job.fate !== 'open' && job.fate !== 'running' && job.fate !== 'parked') return false;
    if (job.fate === 'running') this.#end(job, 'cancelled', 'cancelled');
    if (job.fate === 'parked') job.history.push(`cancelled ${job.attempts}`);
    job.fate = 'cancelled';
    return true;
  }

  /** Whether it can be tried again. */
  retry(job: Job): boolean {
    if (job.fate !== 'failed' && job.fate !== 'cancelled') return false;
    Object.assign(job, { fate: 'open', attempts: 0, delayedAt: 0, delayMs: 0 });
    return true;
  }

  #end(job: Job, what: string, fate: Job['fate']): void {
    ensure(job.fate === 'running', `${job.what.id} ends while it is ${job.fate}`);
    job.history.push(`${what} ${job.attempts}`);
    job.holder = undefined;
    job.fate = fate;
  }
}

function isWanted({ what }: Job, filter: Partial<ClaimFilter>): boolean {
  return (
    (filter.queue === undefined || filter.queue === what.queue) &&
    (filter.workspace === undefined || filter.workspace === what.workspace) &&
    (filter.group === undefined || filter.group === what.group) &&
    (filter.ids === undefined || filter.ids.includes(what.id)) &&
    (filter.labels ?? []).every((label) => what.labels.includes(label))
  );
}
