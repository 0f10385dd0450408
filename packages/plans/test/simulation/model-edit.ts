import { type Model, type ModelJob, type ModelPlan, newJob, type Wanted } from './model.ts';
import { release, settle } from './model-lifecycle.ts';

export interface Edit {
  readonly upsert: readonly Wanted[];
  readonly remove: readonly string[];
  readonly maxParallel?: number;
  readonly isFinal: boolean;
}

/** Whether it is done; only then something is changed. */
export function edit(model: Model, plan: ModelPlan, changes: Edit): boolean {
  const { upsert, remove, maxParallel, isFinal } = changes;
  const isAboutJobs = upsert.length + remove.length > 0;
  const jobsAfter = resultOf(plan, changes);
  if (isAboutJobs && !areJobsChangeable(plan, changes, jobsAfter)) return false;
  if (isFinal && (plan.state !== 'draft' || jobsAfter.size === 0)) return false;
  for (const id of remove) plan.jobs.delete(id);
  for (const wanted of upsert.filter(({ id }) => !remove.includes(id))) {
    const known = plan.jobs.get(wanted.id);
    if (known) known.wanted = wanted;
    else plan.jobs.set(wanted.id, newJob(plan.id, wanted));
  }
  if (maxParallel !== undefined) plan.maxParallel = maxParallel;
  if (isAboutJobs) settle(model, plan);
  if (isFinal) release(model, plan);
  return true;
}

function resultOf(plan: ModelPlan, { upsert, remove }: Edit): Map<string, Wanted> {
  const after = new Map([...plan.jobs.values()].map(({ wanted }) => [wanted.id, wanted]));
  for (const wanted of upsert) after.set(wanted.id, wanted);
  for (const id of remove) after.delete(id);
  return after;
}

function areJobsChangeable(
  plan: ModelPlan,
  { upsert, remove }: Edit,
  after: ReadonlyMap<string, Wanted>,
): boolean {
  if (['succeeded', 'failed', 'cancelled', 'archived', 'cancelling'].includes(plan.state)) {
    return false;
  }
  const ids = upsert.map(({ id }) => id);
  const changed = [...ids, ...remove].flatMap((id) => plan.jobs.get(id) ?? []);
  return (
    new Set(ids).size === ids.length &&
    remove.every((id) => plan.jobs.has(id)) &&
    !changed.some(isStarted) &&
    (after.size > 0 || plan.state === 'draft') &&
    [...after.values()].every((wanted) => isSound(wanted, after, []))
  );
}

export function isStarted({ fate, attempts }: ModelJob): boolean {
  return fate !== 'open' || attempts.length > 0;
}

/** Everything that it needs is there, and nothing of it needs it. */
function isSound(
  { id, needs }: Wanted,
  all: ReadonlyMap<string, Wanted>,
  path: readonly string[],
): boolean {
  if (path.includes(id)) return false;
  return needs.every((need) => {
    const needed = all.get(need);
    return needed !== undefined && isSound(needed, all, [...path, id]);
  });
}
