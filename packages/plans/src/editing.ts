import { BatonError } from '@baton/core';
import { rearrangeWork, removeWork, type Transaction } from '@baton/store';
import { checkReferences } from './check-jobs.ts';
import { insertJobs } from './creating.ts';
import { arrangeForGit, isLanding, refuseGitParts, reservedId } from './git-jobs.ts';
import { checkGraph } from './graph.ts';
import { newWork, settlePlan } from './lifecycle.ts';
import {
  gitOf,
  type Job,
  jobsOf,
  type Plan,
  tables,
  updateJob,
  updatePlan,
  workId,
} from './plan-repository.ts';
import { MAX_JOBS } from './scheduling.ts';
import { isOver } from './states.ts';
import type { JobToStore } from './stored-job.ts';

export interface JobChanges {
  readonly upsert: readonly JobToStore[];
  readonly remove: readonly string[];
}

/** Changes jobs that have not been started: adds, replaces, rewires and removes them. */
export async function editJobs(tx: Transaction, plan: Plan, given: JobChanges): Promise<Plan> {
  if (isOver(plan.state) || plan.state === 'cancelling') throw tooLate(plan);
  const before = await jobsOf(tx, plan.id);
  const known = new Map(before.map((job) => [job.id, job]));
  const changes = withGit(plan, before, given);
  const changed = [...changes.upsert.map(({ id }) => id), ...changes.remove];
  for (const id of changes.remove) if (!known.has(id)) throw unknownJob(id);
  const started = changed.flatMap((id) => known.get(id) ?? []).filter(isStarted);
  if (started.length > 0) throw hasStarted(started);
  checkResult(plan, before, changes);

  for (const id of changes.remove) {
    await tables(tx)
      .deleteFrom('plan_jobs')
      .where('plan_id', '=', plan.id)
      .where('id', '=', id)
      .execute();
  }
  for (const { id, definition, env } of changes.upsert.filter(({ id }) => known.has(id))) {
    await updateJob(tx, plan.id, id, { definition: JSON.stringify(definition), env });
  }
  const added = changes.upsert.filter(({ id }) => !known.has(id));
  await insertJobs(tx, plan.id, added, (before.at(-1)?.position ?? -1) + 1);
  if (plan.started_at !== null) await rearrange(tx, plan, changes.remove);
  return settlePlan(tx, await updatePlan(tx, plan, {}));
}

/** Brings the queue in line: all that has not been started gets its new needs and priority. */
async function rearrange(tx: Transaction, plan: Plan, removed: readonly string[]): Promise<void> {
  await removeWork(
    tx,
    removed.map((id) => workId(plan.id, id)),
  );
  const jobs = await jobsOf(tx, plan.id);
  const open = new Set(jobs.filter((job) => !isStarted(job)).map(({ id }) => workId(plan.id, id)));
  await rearrangeWork(
    tx,
    newWork(plan, jobs).filter(({ id }) => open.has(id)),
  );
}

/** A job that was tried is what it is, whatever became of it. */
function isStarted({ state, tries }: Job): boolean {
  return tries > 0 || !['pending', 'ready', 'blocked'].includes(state);
}

/** What git makes of the jobs follows from all of them, and changes with them. */
function withGit(plan: Plan, before: readonly Job[], given: JobChanges): JobChanges {
  const upserted = new Set(given.upsert.map(({ id }) => id));
  const gone = new Set(given.remove);
  const stored = new Map<string, JobToStore>(
    [...before, ...given.upsert].map(({ id, definition, env }) => [id, { id, definition, env }]),
  );
  for (const id of gone) stored.delete(id);
  const definitions = [...stored.values()].map(({ definition }) => definition);
  const git = gitOf(plan);
  if (!git) {
    refuseGitParts(given.upsert.map(({ definition }) => definition));
    return given;
  }
  const landing = before.find(({ id, definition }) => gone.has(id) && isLanding(definition));
  if (landing) throw reservedId(landing.id);
  checkGraph(definitions.filter((job) => !isLanding(job)));
  const arranged = arrangeForGit(definitions, git);
  const changed = arranged.filter((job) => {
    const old = stored.get(job.id);
    return upserted.has(job.id) || !old || JSON.stringify(old.definition) !== JSON.stringify(job);
  });
  const left = new Set(arranged.map(({ id }) => id));
  const dropped = before.map(({ id }) => id).filter((id) => !left.has(id) && !gone.has(id));
  return {
    upsert: changed.map((definition) => ({
      id: definition.id,
      definition,
      env: stored.get(definition.id)?.env ?? '',
    })),
    remove: [...given.remove, ...dropped],
  };
}

function checkResult(plan: Plan, before: readonly Job[], { upsert, remove }: JobChanges): void {
  const after = new Map(before.map(({ id, definition }) => [id, definition]));
  const seen = new Set<string>();
  const twice = upsert.find(({ id }) => seen.size === seen.add(id).size);
  if (twice) throw givenTwice(twice.id);
  for (const { id, definition } of upsert) after.set(id, definition);
  for (const id of remove) after.delete(id);
  if (after.size > MAX_JOBS) {
    throw new BatonError(
      'plan_too_large',
      `The plan would have ${after.size} jobs. Nothing was changed.`,
      `A plan has at most ${MAX_JOBS} jobs: make a second plan with \`after\`.`,
    );
  }
  // It could neither run nor ever end.
  if (after.size === 0 && plan.state !== 'draft') throw nothingLeft();
  const jobs = [...after.values()];
  checkGraph(jobs);
  checkReferences(jobs);
}

function nothingLeft(): BatonError {
  return new BatonError(
    'plan_empty',
    'The plan would have no jobs. Nothing was changed.',
    'Leave a job, or cancel the plan with plan_control.',
  );
}

function givenTwice(id: string): BatonError {
  return new BatonError(
    'plan_graph',
    `Several of the jobs have the id ${id}. Nothing was changed.`,
    'Pass each job once.',
  );
}

function tooLate({ id, state }: Plan): BatonError {
  return new BatonError(
    'plan_state',
    `Plan ${id} is ${state}: its jobs cannot be changed any more.`,
    'Retry failed jobs with plan_control, or clone the plan and edit the copy.',
  );
}

function hasStarted(started: readonly Job[]): BatonError {
  const names = started.slice(0, 5).map(({ id, state }) => `${id} (${state})`);
  return new BatonError(
    'job_started',
    `Already started: ${names.join(', ')}. Nothing was changed.`,
    'Change only jobs that have not been started; retry a failed one with new work by plan_control.',
  );
}

function unknownJob(id: string): BatonError {
  return new BatonError(
    'job_unknown',
    `The plan has no job ${JSON.stringify(id.slice(0, 100))}. Nothing was changed.`,
    'Call plan_get with view "graph" to see its jobs.',
  );
}
