import type { Asking } from '@baton/core';
import { QUEUE } from '@baton/plans/jobs';
import { setGate } from '@baton/store';
import { ensure } from '@baton/testkit';
import type { PlanToCreate } from '../under-test.ts';
import { type ModelPlan, newJob } from './model.ts';
import { type Edit, edit } from './model-edit.ts';
import { release } from './model-lifecycle.ts';
import { change, pickPlan } from './operator.ts';
import { randomEdit } from './random-edits.ts';
import { asDefinition, asWanted, randomPlan } from './random-plans.ts';
import type { World } from './world.ts';

const KEYS = ['key-1', 'key-2'];
const NOBODY = { can: {} } as Asking;

export async function create(world: World): Promise<void> {
  const { model, random } = world;
  const plans = [...model.plans.keys()];
  const plan = randomPlan(random, plans.length > 0 && world.chance(20) ? ['unknown'] : plans);
  await make(world, plan, world.chance(8) ? random.pick(KEYS) : undefined);
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

export async function editPlan(world: World, plan: ModelPlan, changes: Edit): Promise<void> {
  const { upsert, remove, maxParallel, isFinal } = changes;
  const outcome = await change(world, `edit ${plan.id} ${JSON.stringify(changes)}`, () =>
    world.service.edit(
      {
        plan: plan.id,
        ...(upsert.length > 0 && { upsert: upsert.map(asDefinition) }),
        ...(remove.length > 0 && { remove }),
        ...(maxParallel !== undefined && { set: { maxParallel } }),
        finalize: isFinal,
      },
      NOBODY,
    ),
  );
  if (outcome.kind === 'crashed') return;
  const isDone = edit(world.model, plan, changes);
  ensure(isDone === (outcome.kind === 'done'), `edit is ${outcome.kind}`);
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
