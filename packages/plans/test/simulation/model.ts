import { existing } from '@baton/testkit';
import type { JobState, PlanState } from '../under-test.ts';
import type { ModelTicket } from './model-tickets.ts';

/** What a job is, apart from what follows from the others. */
type Fate = 'open' | 'held' | 'parked' | 'succeeded' | 'failed' | 'cancelled';

export interface Wanted {
  readonly id: string;
  /** What is run, or what the ticket says. */
  readonly command: string;
  readonly isTicket: boolean;
  readonly needs: readonly string[];
  readonly retry: 'never' | number;
}

export interface ModelAttempt {
  readonly id: string;
  /** Of several it may be any: after a release nothing tells a retry by hand from a rerun. */
  readonly triggers: readonly string[];
  state: 'open' | 'succeeded' | 'failed' | 'cancelled' | 'lost' | 'released';
  reason: string | null;
  hasProcess: boolean;
  isReaped: boolean;
}

export interface ModelJob {
  readonly plan: string;
  wanted: Wanted;
  fate: Fate;
  holder: string | undefined;
  stop: 'cancel' | 'fail' | null;
  /** Since it was last retried by hand: failures of its own, and tries that count. */
  failures: number;
  tries: number;
  isRetriedByHand: boolean;
  delayedAt: number;
  delayMs: number;
  outputs: string;
  readonly attempts: ModelAttempt[];
}

export interface ModelPlan {
  readonly id: string;
  state: PlanState;
  /** The plan before it, be it there or deleted. */
  after: string | null;
  maxParallel: number;
  archivedFrom: PlanState | null;
  isStarted: boolean;
  isEnded: boolean;
  /** As written. */
  readonly jobs: Map<string, ModelJob>;
}

/** What plans must be, written without a thought for speed, and without SQL. */
export class Model {
  readonly plans = new Map<string, ModelPlan>();
  /** Calls that were made with a key: what was asked and what came of it. */
  readonly keys = new Map<string, { readonly asked: string; readonly plan: string }>();
  /** All that were ever made; the number of each is its place. */
  readonly tickets: ModelTicket[] = [];
  /** Jobs of all plans at once. */
  userLimit = Number.POSITIVE_INFINITY;

  plan(id: string): ModelPlan {
    return existing(this.plans.get(id), `there is no plan ${id}`);
  }

  job(plan: string, id: string): ModelJob {
    return existing(this.plan(plan).jobs.get(id), `there is no job ${plan}/${id}`);
  }

  get jobs(): ModelJob[] {
    return [...this.plans.values()].flatMap(({ jobs }) => [...jobs.values()]);
  }

  get running(): number {
    return this.jobs.filter(({ fate }) => fate === 'held').length;
  }

  needsOf({ plan, wanted }: ModelJob): ModelJob[] {
    return [...new Set(wanted.needs)].map((id) => this.job(plan, id));
  }

  isHopeless(job: ModelJob): boolean {
    if (job.fate === 'failed' || job.fate === 'cancelled') return true;
    return job.fate === 'open' && this.needsOf(job).some((needed) => this.isHopeless(needed));
  }

  stateOf(job: ModelJob): JobState {
    if (job.fate === 'held') return job.attempts.at(-1)?.hasProcess ? 'running' : 'scheduled';
    if (job.fate === 'parked') return 'running';
    if (job.fate !== 'open') return job.fate;
    if (!this.plan(job.plan).isStarted) return 'pending';
    if (this.isHopeless(job)) return 'blocked';
    return this.needsOf(job).every(({ fate }) => fate === 'succeeded') ? 'ready' : 'pending';
  }

  /** Something of it runs, waits for a ticket, or can still run. */
  canMove(plan: ModelPlan): boolean {
    return [...plan.jobs.values()].some(
      (job) => isUnderWay(job) || (job.fate === 'open' && !this.isHopeless(job)),
    );
  }

  /** What a worker may be given now. */
  claimable(wall: number): ModelJob[] {
    if (this.running >= this.userLimit) return [];
    return this.jobs.filter((job) => this.#isClaimable(job, wall));
  }

  #isClaimable(job: ModelJob, wall: number): boolean {
    const plan = this.plan(job.plan);
    if (plan.state !== 'running' || this.stateOf(job) !== 'ready') return false;
    if (wall >= job.delayedAt && wall < job.delayedAt + job.delayMs) return false;
    return plan.maxParallel === 0 || runningIn(plan) < plan.maxParallel;
  }
}

/** Something that it needs directly has failed or was cancelled. */
export function isCutOff({ wanted }: ModelJob, { jobs }: ModelPlan): boolean {
  return wanted.needs.some((need) => ['failed', 'cancelled'].includes(jobs.get(need)?.fate ?? ''));
}

export function isUnderWay({ fate }: ModelJob): boolean {
  return fate === 'held' || fate === 'parked';
}

export function runningIn({ jobs }: ModelPlan): number {
  return [...jobs.values()].filter(({ fate }) => fate === 'held').length;
}

export function newJob(plan: string, wanted: Wanted): ModelJob {
  return {
    plan,
    wanted,
    fate: 'open',
    holder: undefined,
    stop: null,
    failures: 0,
    tries: 0,
    isRetriedByHand: false,
    delayedAt: 0,
    delayMs: 0,
    outputs: '{}',
    attempts: [],
  };
}
