import { BatonError } from '@baton/core';
import type { PlanView } from '@baton/runtime';
import type { Parsed } from '../../flags.ts';
import type { Extras, Io } from '../../io.ts';
import { SessionTools, withSession } from '../../session-tools.ts';
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

/** The tools for plans, as this command line uses them. */
export class PlanTools extends SessionTools {
  look(query: object, signal?: AbortSignal): Promise<PlanView> {
    return this.call('plan_get', query, { signal });
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

export function withPlans(
  io: Io,
  parsed: Parsed,
  extras: Extras,
  work: (plans: PlanTools) => Promise<number>,
): Promise<number> {
  return withSession(io, parsed, extras, (session, signal) =>
    work(new PlanTools(io, session, signal)),
  );
}
