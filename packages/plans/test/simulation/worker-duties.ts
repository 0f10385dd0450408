import {
  markReaped,
  type Result,
  recordStart,
  stopRequests,
  unreapedAttempts,
} from '@baton/plans/jobs';
import { ensure } from '@baton/testkit';
import { recordStart as startInModel } from './model-attempts.ts';
import type { VirtualWorker } from './virtual-worker.ts';
import { advance, isHeld, isTicket, randomOutcome, work } from './worker-steps.ts';
import type { World } from './world.ts';

/** Its processes run now; some of them are no longer its own. */
export async function begin(world: World, worker: VirtualWorker): Promise<void> {
  const from = world.chance(10) ? worker.past : worker.runs;
  for (const claimed of from.filter((each) => !isTicket(each))) {
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
    result: world.chance(3) ? randomOutcome(world, claimed) : ended,
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
