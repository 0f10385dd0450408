import { BatonError } from '@baton/core';
import { addWork, type Reading, type Transaction } from '@baton/store';
import { insertJobs } from './creating.ts';
import { isLanding, landingJob, repositoryOf } from './git-jobs.ts';
import { newWork, openGate } from './lifecycle.ts';
import { gitOf, type Job, jobsOf, type Plan, updatePlan, workId } from './plan-repository.ts';
import { retryJobs } from './retrying.ts';
import type { JobToStore, LandingWork, StoredJob } from './stored-job.ts';
import type { WorktreeRow } from './worktrees.ts';

export interface LandingOptions {
  readonly target?: string | undefined;
  readonly intoDefault?: boolean | undefined;
}

/** Lands what has not been landed, or what was, on another branch, too. */
export async function landPlan(
  tx: Transaction,
  plan: Plan,
  options: LandingOptions,
  leaving: WorktreeRow[],
): Promise<Plan> {
  const git = gitOf(plan);
  if (!git) throw refusal(plan, 'does not work with git', 'Only a plan with `git` can be landed.');
  const jobs = await jobsOf(tx, plan.id);
  const landings = jobs.filter(({ definition }) => isLanding(definition));
  const failed = landings.filter(hasFailed);
  if (failed.length > 0) return landAgain(tx, plan, failed, options, leaving);
  if (plan.state !== 'succeeded') {
    throw refusal(plan, `is ${plan.state}`, 'It lands by itself when all its jobs have succeeded.');
  }
  if (!options.target) {
    throw refusal(plan, 'has landed', 'Name a branch in `target` to land it there, too.');
  }
  return landAlso(tx, plan, jobs, landings, options);
}

/** Where each landing would go, for whoever knows which branches may be written to. */
export async function landingTargets(
  tx: Reading,
  plan: Plan,
  options: LandingOptions,
): Promise<readonly (LandingOptions & { readonly repository: string })[]> {
  const jobs = await jobsOf(tx, plan.id);
  const landings = jobs.filter(({ definition }) => isLanding(definition));
  const failed = landings.filter(hasFailed);
  const again = failed.map(({ definition }) => ({
    ...(definition.work as LandingWork),
    ...workOf(options),
    repository: repositoryOf(definition),
  }));
  if (again.length > 0) return again;
  const repositories = new Set(landings.map(({ definition }) => repositoryOf(definition)));
  return [...repositories].map((repository) => ({ ...options, repository }));
}

function hasFailed({ state }: Job): boolean {
  return state === 'failed' || state === 'cancelled';
}

function landAgain(
  tx: Transaction,
  plan: Plan,
  failed: readonly Job[],
  options: LandingOptions,
  leaving: WorktreeRow[],
): Promise<Plan> {
  const changed = new Map(
    failed.map(({ id, definition, env }): [string, JobToStore] => {
      const work = { ...(definition.work as LandingWork), ...workOf(options) };
      return [id, { id, definition: { ...definition, work }, env }];
    }),
  );
  return retryJobs(tx, plan, { ids: failed.map(({ id }) => id), changed }, leaving);
}

async function landAlso(
  tx: Transaction,
  plan: Plan,
  jobs: readonly Job[],
  landings: readonly Job[],
  options: LandingOptions,
): Promise<Plan> {
  const last = new Map(landings.map(({ definition }) => [repositoryOf(definition), definition]));
  const added: StoredJob[] = [];
  for (const [repository, { id, checks }] of last) {
    const name = `land-${landings.length + added.length + 1}`;
    const needs = [id, ...added.slice(-1).map((before) => before.id)];
    const work: LandingWork = { type: 'land', ...workOf(options) };
    added.push(landingJob(name, needs, repository, work, checks));
  }
  const stored = added.map((definition) => ({ id: definition.id, definition, env: '' }));
  await insertJobs(tx, plan.id, stored, (jobs.at(-1)?.position ?? -1) + 1);
  const running = await updatePlan(tx, plan, { state: 'running', ended_at: null });
  await openGate(tx, running);
  const ids = new Set(added.map(({ id }) => workId(plan.id, id)));
  const work = newWork(plan, await jobsOf(tx, plan.id));
  await addWork(
    tx,
    work.filter(({ id }) => ids.has(id)),
  );
  return running;
}

function workOf({ target, intoDefault }: LandingOptions): Omit<LandingWork, 'type'> {
  return { ...(target && { target }), ...(intoDefault && { intoDefault }) };
}

function refusal({ id }: Plan, what: string, next: string): BatonError {
  return new BatonError('plan_state', `Plan ${id} ${what}. Nothing was changed.`, next);
}
