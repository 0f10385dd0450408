import {
  addWork,
  cancelWork,
  completeParked,
  failParked,
  type Gate,
  retryWork,
  type Scope,
  setGate,
} from '@baton/store';
import { ensure } from '@baton/testkit';
import type { Job } from './model.ts';
import { randomGate, randomScope, randomWork } from './random-work.ts';
import type { World } from './world.ts';

export async function add(world: World, atMost = 3): Promise<void> {
  const { model, random } = world;
  const known = [...model.jobs.keys()];
  const count = 1 + random.integer(atMost);
  const ids = Array.from({ length: count }, (_, index) => `j${known.length + index + 1}`);
  const items = randomWork(random, ids, known);
  const outcome = await world.attempt(`add ${JSON.stringify(items)}`, (tx) => addWork(tx, items));
  ensure(outcome.kind !== 'refused', 'new work is refused');
  if (outcome.kind === 'done') model.add(items);
}

export async function gate(
  world: World,
  scope: Scope = randomScope(world.random),
  wanted: Gate = randomGate(world.random),
): Promise<void> {
  const what = `gate ${JSON.stringify(scope)} ${JSON.stringify(wanted)}`;
  const outcome = await world.attempt(what, (tx) => setGate(tx, scope, wanted));
  ensure(outcome.kind !== 'refused', 'a gate is refused');
  if (outcome.kind === 'done') world.model.setGate(scope, wanted);
}

export async function cancel(world: World): Promise<void> {
  const job = anyJob(world);
  if (!job) return;
  const { id } = job.what;
  const outcome = await world.attempt(`cancel ${id}`, (tx) => cancelWork(tx, id));
  if (outcome.kind === 'crashed') return;
  ensureSame(outcome.kind === 'done', world.model.cancel(job), 'cancel');
}

/** Says what became of something that was parked, or of something else by mistake. */
export async function endParked(world: World): Promise<void> {
  const parked = [...world.model.jobs.values()].filter(({ fate }) => fate === 'parked');
  const job = parked.length > 0 && !world.chance(8) ? world.random.pick(parked) : anyJob(world);
  if (job) await endOne(world, job, world.random.pick(['succeeded', 'failed']));
}

/** Nothing that is parked ends by itself. */
export async function completeAllParked(world: World): Promise<void> {
  const parked = [...world.model.jobs.values()].filter(({ fate }) => fate === 'parked');
  for (const job of parked) await endOne(world, job, 'succeeded');
}

async function endOne(world: World, job: Job, fate: 'succeeded' | 'failed'): Promise<void> {
  const { id } = job.what;
  const outcome = await world.attempt(`${id} has ${fate}`, (tx) =>
    fate === 'failed' ? failParked(tx, id, 'it broke') : completeParked(tx, id),
  );
  if (outcome.kind === 'crashed') return;
  ensureSame(outcome.kind === 'done', world.model.endParked(job, fate), fate);
}

export async function retry(world: World): Promise<void> {
  const over = [...world.model.jobs.values()].filter(
    ({ fate }) => fate === 'failed' || fate === 'cancelled',
  );
  const job = over.length > 0 && !world.chance(8) ? world.random.pick(over) : anyJob(world);
  if (!job) return;
  const { id } = job.what;
  const outcome = await world.attempt(`retry ${id}`, (tx) => retryWork(tx, id));
  if (outcome.kind === 'crashed') return;
  ensureSame(outcome.kind === 'done', world.model.retry(job), 'retry');
}

function anyJob({ model, random }: World): Job | undefined {
  return model.jobs.size === 0 ? undefined : random.pick([...model.jobs.values()]);
}

function ensureSame(isDone: boolean, isRight: boolean, what: string): void {
  ensure(isDone === isRight, `${what} is ${isDone ? 'done' : 'refused'}`);
}
