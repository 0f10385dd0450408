// What chance alone would hardly ever do in a row.
import { controlPlan } from './control-steps.ts';
import type { ModelJob, ModelPlan } from './model.ts';
import { editPlan } from './operator-steps.ts';
import { takeRest } from './random-edits.ts';
import type { World } from './world.ts';

function underWay({ model }: World): ModelPlan[] {
  return [...model.plans.values()].filter(({ isStarted, isEnded }) => isStarted && !isEnded);
}

function pickPair(world: World) {
  const pairs = underWay(world).flatMap((plan) =>
    openPairs(plan).map(([needed, job]) => ({ plan, needed, job })),
  );
  return pairs.length > 0 ? world.random.pick(pairs) : undefined;
}

/** Stops two jobs of which one needs the other, and retries only the one that cannot run alone. */
export async function retryInVain(world: World): Promise<void> {
  const found = pickPair(world);
  if (!found) return;
  const { plan, needed, job } = found;
  const jobs = [needed.wanted.id, job.wanted.id];
  await controlPlan(world, plan, { action: world.random.pick(['fail', 'cancel']), jobs });
  await controlPlan(world, plan, { action: 'retry', jobs: jobs.slice(1) });
}

/** Changes what a stopped job needs before it is retried. */
export async function changeBehind(world: World): Promise<void> {
  const found = pickPair(world);
  if (!found) return;
  const { plan, needed, job } = found;
  const jobs = [job.wanted.id];
  await controlPlan(world, plan, { action: world.random.pick(['fail', 'cancel']), jobs });
  const upsert = [{ ...needed.wanted, command: 'other' }];
  await editPlan(world, plan, { upsert, remove: [], isFinal: false });
  await controlPlan(world, plan, { action: 'retry', jobs });
}

/** What is needed, and what needs it. */
function openPairs({ jobs }: ModelPlan): [ModelJob, ModelJob][] {
  return [...jobs.values()].flatMap((job) =>
    job.wanted.needs
      .flatMap((need) => jobs.get(need) ?? [])
      .filter((needed) => needed.fate === 'open' && job.fate === 'open')
      .map((needed): [ModelJob, ModelJob] => [needed, job]),
  );
}

/** Somebody has seen enough. */
export async function pauseAndTakeRest(world: World): Promise<void> {
  const plans = underWay(world);
  if (plans.length === 0) return;
  const plan = world.random.pick(plans);
  await controlPlan(world, plan, { action: 'pause' });
  const { remove = [] } = takeRest(world.random, plan);
  await editPlan(world, plan, { upsert: [], remove, isFinal: false });
}
