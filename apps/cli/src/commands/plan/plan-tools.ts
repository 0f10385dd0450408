import { BatonError } from '@baton/core';
import type { PlanView } from '@baton/runtime';
import { callAndAnswer } from '../../call-tool.ts';
import type { Parsed } from '../../flags.ts';
import type { Extras, Io } from '../../io.ts';
import { openSession, type Session } from '../../session.ts';
import { PlanChanges } from './plan-changes.ts';

export type Job = NonNullable<PlanView['list']>['jobs'][number];

export interface CreatedPlan {
  readonly id: string;
  readonly name: string;
  readonly state: PlanView['state'];
  readonly problem?: string;
}

interface PlanList {
  readonly plans: readonly { readonly id: string; readonly state: PlanView['state'] }[];
  readonly cursor?: string;
}

const MOVING: readonly PlanView['state'][] = ['waiting', 'running', 'pausing', 'cancelling'];

/** The tools for plans, as this command line uses them. Failures are thrown. */
export class PlanTools {
  readonly session: Session;
  readonly signal: AbortSignal;
  readonly #io: Io;

  constructor(io: Io, session: Session, signal: AbortSignal) {
    this.#io = io;
    this.session = session;
    this.signal = signal;
  }

  async call<Data>(tool: string, args: object, signal = this.signal): Promise<Data> {
    const outcome = await callAndAnswer(this.#io, this.session.baton, tool, args, signal);
    if (outcome.kind === 'result') return outcome.data as Data;
    const { code, message, next } = outcome.error;
    throw new BatonError(code, message, next);
  }

  look(query: object, signal?: AbortSignal): Promise<PlanView> {
    return this.call('plan_get', query, signal);
  }

  /** All jobs in the order of writing. */
  async jobs(plan: string): Promise<Job[]> {
    const jobs: Job[] = [];
    for (let from: number | undefined = 0; from !== undefined; ) {
      const { list } = await this.look({ plan, view: 'jobs', from });
      jobs.push(...(list?.jobs ?? []));
      from = list?.next;
    }
    return jobs;
  }

  /** The newest plan that moves. */
  async newestMoving(): Promise<string> {
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor; isFirst = false) {
      const page: PlanList = await this.call('plan_list', {
        limit: 100,
        ...(cursor && { cursor }),
      });
      const found = page.plans.find(({ state }) => MOVING.includes(state));
      if (found) return found.id;
      cursor = page.cursor;
    }
    throw new BatonError(
      'plan_unknown',
      'No plan of this workspace moves.',
      'Name one; `baton plan list` shows them all.',
    );
  }

  watch(plan: string): Promise<PlanChanges> {
    return PlanChanges.of(this.session.baton, plan);
  }
}

/** Runs a command that uses plans, until it is done or somebody interrupts it. */
export async function withPlans(
  io: Io,
  parsed: Parsed,
  extras: Extras,
  work: (plans: PlanTools) => Promise<number>,
): Promise<number> {
  const interrupted = new AbortController();
  const onSignal = () => interrupted.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal).once('SIGHUP', onSignal);
  await using session = await openSession(io, parsed, extras, { logTo: 'file' });
  return await work(new PlanTools(io, session, interrupted.signal));
}
