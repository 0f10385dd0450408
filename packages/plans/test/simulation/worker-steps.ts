import {
  type Claimed,
  claimJob,
  isLost,
  markReaped,
  type Result,
  recordStart,
  settleJob,
  stopRequests,
  unreapedAttempts,
} from '@baton/plans/jobs';
import type { Transaction } from '@baton/store';
import { ensure } from '@baton/testkit';
import { FAILURE_REASONS } from '../under-test.ts';
import { claim, finish, recordStart as startInModel } from './model-attempts.ts';
import type { VirtualWorker } from './virtual-worker.ts';
import type { World } from './world.ts';

interface Finished {
  readonly claimed: Claimed;
  readonly result: Result;
}

const BATCH = 3;

function isHeld({ model }: World, worker: VirtualWorker, { plan, job, attempt }: Claimed): boolean {
  const known = model.plans.get(plan.id)?.jobs.get(job.id);
  return known?.holder === worker.owner && known.attempts.at(-1)?.id === attempt.id;
}

/** Says what has ended and takes what is next, in one transaction, as workers do. */
export async function advance(
  world: World,
  worker: VirtualWorker,
  finished: readonly Finished[],
  count: number,
): Promise<void> {
  const words = finished.map(
    ({ claimed, result }) => `${claimed.claim.work.id} ${JSON.stringify(result)}`,
  );
  const outcome = await world.attempt(
    `${worker.name} settles [${words.join(', ')}], claims ${count}`,
    () => world.store.write('durable', (tx) => settleAndClaim(world, tx, worker, finished, count)),
  );
  if (outcome.kind === 'crashed') return;
  ensure(outcome.kind === 'done', 'a worker is refused');
  const { settled, claimed } = outcome.value;
  const wall = world.machine.time.now();
  for (const each of finished) {
    const isOwn = isHeld(world, worker, each.claimed);
    ensure(isOwn === settled.has(each), isOwn ? 'a holder is refused' : 'a late one is served');
    if (isOwn) finish(world.model, each.claimed, each.result, wall);
    else world.count('late');
    worker.forget(each.claimed);
  }
  for (const each of claimed) take(world, worker, each, wall);
  const isMore = claimed.length < count && world.model.claimable(wall).length > 0;
  ensure(!isMore, 'something could be claimed and is not');
}

async function settleAndClaim(
  world: World,
  tx: Transaction,
  worker: VirtualWorker,
  finished: readonly Finished[],
  count: number,
) {
  const settled = new Set<Finished>();
  const claimed: Claimed[] = [];
  for (const each of finished) {
    try {
      await settleJob(tx, each.claimed, each.result);
      settled.add(each);
    } catch (error) {
      if (!isLost(error)) throw error;
    }
  }
  while (claimed.length < count) {
    const next = await claimJob(tx, worker.holding.holder, world.machine.ids, worker.lastTurns);
    if (!next) break;
    claimed.push(next);
  }
  return { settled, claimed };
}

function take(world: World, worker: VirtualWorker, claimed: Claimed, wall: number): void {
  claim(world.model, claimed, worker.owner, wall);
  world.note(`${worker.name} has ${claimed.claim.work.id}`);
  world.count('claimed');
  worker.keep(claimed, world.machine.time.awake);
}

export function randomResult({ random }: World): Result {
  if (random.integer(2) === 0)
    return { kind: 'succeeded', outputs: { n: `${random.integer(99)}` } };
  if (random.integer(5) === 0) return { kind: 'released', hasRun: random.integer(2) === 0 };
  const reason = random.pick([...FAILURE_REASONS, 'exit_code', 'exit_code', 'log_failed'] as const);
  return { kind: 'failed', reason, message: 'It broke.' };
}

/** Settles some of what it has, and takes more. */
export async function work(world: World, worker: VirtualWorker): Promise<void> {
  const { random } = world;
  const ending = worker.runs.filter(() => world.chance(2));
  const finished = ending.map((claimed) => ({ claimed, result: randomResult(world) }));
  await advance(world, worker, finished, random.integer(BATCH + 1));
}

/** Comes with a result once more, or long after its job was given to somebody else. */
export async function comeLate(world: World, worker: VirtualWorker): Promise<void> {
  if (worker.past.length === 0) return work(world, worker);
  const claimed = world.random.pick(worker.past);
  await advance(world, worker, [{ claimed, result: randomResult(world) }], 0);
}

/** Its processes run now; some of them are no longer its own. */
export async function begin(world: World, worker: VirtualWorker): Promise<void> {
  const from = world.chance(10) ? worker.past : worker.runs;
  for (const claimed of from) {
    const attempts = world.model.plans.get(claimed.plan.id)?.jobs.get(claimed.job.id)?.attempts;
    const isOwn = isHeld(world, worker, claimed);
    if (isOwn && attempts?.at(-1)?.hasProcess) continue;
    const what = `${worker.name} starts ${claimed.claim.work.id}`;
    const outcome = await world.attempt(what, () =>
      world.store.write('relaxed', (tx) => recordStart(tx, claimed, 1 + world.random.integer(99))),
    );
    if (outcome.kind === 'crashed') continue;
    ensure(isOwn === (outcome.kind === 'done'), `a start is ${outcome.kind}`);
    if (outcome.kind === 'refused') ensure(outcome.code === 'lease_lost', outcome.code);
    if (isOwn) startInModel(world.model, claimed);
  }
}

/** Ends what somebody wants to be ended; it may have ended on its own meanwhile. */
export async function heed(world: World, worker: VirtualWorker): Promise<void> {
  const asked = await world.machine.store.read((tx) => stopRequests(tx));
  const right = world.model.jobs.filter(({ stop }) => stop !== null);
  ensure(
    right
      .map(({ plan, wanted }) => `${plan}/${wanted.id}`)
      .sort()
      .join() === [...asked].sort().join(),
    `to be stopped: ${[...asked]}`,
  );
  const ending = worker.runs.filter(({ claim }) => asked.has(claim.work.id));
  if (ending.length === 0) return work(world, worker);
  const ended: Result = { kind: 'failed', reason: 'signal', message: 'It was ended.' };
  const finished = ending.map((claimed) => ({
    claimed,
    result: world.chance(3) ? randomResult(world) : ended,
  }));
  await advance(world, worker, finished, 0);
  world.count('stopped');
}

/** Ends what lost workers have left running. */
export async function reap(world: World): Promise<void> {
  const ids = await world.machine.store.read((tx) => unreapedAttempts(tx));
  const attempts = world.model.jobs.flatMap((job) => job.attempts);
  const left = attempts.filter(({ state, isReaped }) => state !== 'open' && !isReaped);
  const right = left.map(({ id }) => id);
  ensure(right.sort().join() === [...ids].sort().join(), `to be reaped: ${ids}`);
  if (ids.length === 0) return;
  const outcome = await world.attempt(`reap ${ids}`, () =>
    world.store.write('relaxed', (tx) => markReaped(tx, ids)),
  );
  if (outcome.kind !== 'done') return;
  for (const attempt of left) attempt.isReaped = true;
  world.count('reaped');
}
