import type { Asking } from '@baton/core';
import { QUEUE } from '@baton/plans/jobs';
import { setGate } from '@baton/store';
import { ensure } from '@baton/testkit';
import type { ControlOptions, PlanToCreate } from '../under-test.ts';
import { ACTIONS, type Action } from '../under-test.ts';
import { type ModelPlan, newJob } from './model.ts';
import { control } from './model-control.ts';
import { type Edit, edit } from './model-edit.ts';
import { release } from './model-lifecycle.ts';
import { randomEdit } from './random-edits.ts';
import { asDefinition, asWanted, randomPlan } from './random-plans.ts';
import { snapshot } from './snapshot.ts';
import type { Outcome, World } from './world.ts';

/** Each as often as it stands here. */
const CONTROLS: readonly Action[] = [
  ...ACTIONS,
  ...(['cancel', 'fail', 'retry', 'retry', 'pause', 'resume'] as const),
];
const KEYS = ['key-1', 'key-2'];
const NOBODY = { can: {} } as Asking;

/** Who does not succeed has changed nothing at all. */
async function change<Result>(
  world: World,
  what: string,
  run: () => Promise<Result>,
): Promise<Outcome<Result>> {
  const before = await snapshot(world.machine.store);
  const outcome = await world.attempt(what, run);
  if (outcome.kind === 'done') return outcome;
  const after = await snapshot(world.machine.store);
  ensure(before === after, `nothing is done, but this is changed:\n${before}\n\n${after}`);
  return outcome;
}

export async function create(world: World): Promise<void> {
  const { model, random } = world;
  const plans = [...model.plans.keys()];
  const plan = randomPlan(random, plans.length > 0 && world.chance(20) ? ['unknown'] : plans);
  await make(world, plan, world.chance(4) ? random.pick(KEYS) : undefined);
}

async function make(world: World, plan: PlanToCreate, key: string | undefined): Promise<void> {
  const { model, service } = world;
  const asked = JSON.stringify(plan);
  const before = key === undefined ? undefined : model.keys.get(key);
  const outcome = await change(world, `create ${key ?? ''} ${asked}`, () =>
    service.create({ ...plan, key }, NOBODY),
  );
  if (outcome.kind === 'crashed') return;
  const isRefused = before
    ? before.asked !== asked || !model.plans.has(before.plan)
    : plan.after !== undefined && !model.plans.has(plan.after);
  ensure(isRefused === (outcome.kind === 'refused'), `create is ${outcome.kind}`);
  if (outcome.kind === 'refused') return;
  const { id } = outcome.value;
  world.note(`it is ${id}`);
  if (before) return ensure(before.plan === id, `${id} is made anew with an old key`);
  if (key !== undefined) model.keys.set(key, { asked, plan: id });
  apply(world, id, plan);
  // Whoever has not heard the answer asks again.
  if (key !== undefined && world.chance(2)) await make(world, plan, key);
}

function apply({ model }: World, id: string, given: PlanToCreate): void {
  const jobs = (given.jobs ?? []).map((job) => newJob(id, asWanted(job)));
  const plan: ModelPlan = {
    id,
    state: given.draft ? 'draft' : 'pending',
    after: given.after ?? null,
    maxParallel: given.maxParallel ?? 0,
    archivedFrom: null,
    isStarted: false,
    isEnded: false,
    jobs: new Map(jobs.map((job) => [job.wanted.id, job])),
  };
  model.plans.set(id, plan);
  if (!given.draft && !given.paused) release(model, plan);
}

export async function rewrite(world: World): Promise<void> {
  const plan = pickPlan(world);
  if (plan) await editPlan(world, plan, randomEdit(world.random, plan));
}

async function editPlan(world: World, plan: ModelPlan, changes: Edit): Promise<void> {
  const { upsert, remove, maxParallel, isFinal } = changes;
  const outcome = await change(world, `edit ${plan.id} ${JSON.stringify(changes)}`, () =>
    world.service.edit({
      plan: plan.id,
      ...(upsert.length > 0 && { upsert: upsert.map(asDefinition) }),
      ...(remove.length > 0 && { remove }),
      ...(maxParallel !== undefined && { set: { maxParallel } }),
      finalize: isFinal,
    }),
  );
  if (outcome.kind === 'crashed') return;
  const isDone = edit(world.model, plan, changes);
  ensure(isDone === (outcome.kind === 'done'), `edit is ${outcome.kind}`);
}

/** Any action on any plan, also where it makes no sense. */
export async function act(world: World): Promise<void> {
  const plan = pickPlan(world);
  if (plan) await controlPlan(world, plan, randomControl(world, plan));
}

export async function controlPlan(
  world: World,
  plan: ModelPlan,
  options: ControlOptions,
): Promise<void> {
  const logs = [...plan.jobs.values()].flatMap(({ attempts }) => attempts.map(({ id }) => id));
  world.removedLogs = [];
  const outcome = await change(world, `${plan.id} ${JSON.stringify(options)}`, () =>
    world.service.control(plan.id, options),
  );
  if (outcome.kind === 'crashed') return;
  const made = outcome.kind === 'done' ? outcome.value.id : '';
  const isDone = control(world.model, plan, options, made);
  ensure(isDone === (outcome.kind === 'done'), `${options.action} is ${outcome.kind}`);
  if (isDone) world.count(options.action);
  const removed = isDone && options.action === 'delete' ? logs : [];
  ensure(removed.sort().join() === world.removedLogs.sort().join(), 'wrong logs are removed');
}

function randomControl(world: World, plan: ModelPlan): ControlOptions {
  const { random } = world;
  const action = random.pick(CONTROLS);
  const isOfJobs = action === 'fail' || action === 'cancel' || action === 'retry';
  if (!isOfJobs || plan.jobs.size === 0 || world.chance(action === 'fail' ? 12 : 2)) {
    return { action };
  }
  const jobs = randomTargets(world, plan, action === 'retry');
  const isChanged = action === 'retry' && world.chance(2);
  return { action, jobs, ...(isChanged && { work: `again ${random.integer(1000)}` }) };
}

function randomTargets(world: World, plan: ModelPlan, isRetry: boolean): string[] {
  const { random } = world;
  const all = [...plan.jobs.values()];
  const fitting = all.filter(({ fate }) =>
    isRetry ? fate === 'failed' || fate === 'cancelled' : fate === 'open' || fate === 'held',
  );
  const from = (fitting.length > 0 && !world.chance(8) ? fitting : all).map(
    ({ wanted }) => wanted.id,
  );
  if (world.chance(30)) return ['unknown'];
  return Array.from({ length: world.chance(3) ? 2 : 1 }, () => random.pick(from));
}

/** The worker that comes next is told another limit. */
export async function limitAll(
  world: World,
  limit: number = 1 + world.random.integer(4),
): Promise<void> {
  const outcome = await world.attempt(`at most ${limit} jobs in all`, () =>
    world.store.write('durable', (tx) => setGate(tx, { queue: QUEUE }, { maxRunning: limit })),
  );
  if (outcome.kind === 'done') world.model.userLimit = limit;
}

/** Mostly one of which something can still come. */
function pickPlan({ model, random }: World): ModelPlan | undefined {
  const all = [...model.plans.values()];
  const lively = all.filter(({ state }) => state !== 'archived' && state !== 'succeeded');
  const from = lively.length > 0 && random.integer(5) > 0 ? lively : all;
  return from.length > 0 ? random.pick(from) : undefined;
}
