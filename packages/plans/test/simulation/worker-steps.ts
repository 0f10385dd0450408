import {
  type Claimed,
  claimJobs,
  isLost,
  jobTicket,
  parkJob,
  type Result,
  settleJob,
  settleJobsPlan,
} from '@baton/plans/jobs';
import type { Transaction } from '@baton/store';
import { ensure } from '@baton/testkit';
import { fakeTickets } from '../fake-tickets.ts';
import { FAILURE_REASONS } from '../under-test.ts';
import { claim, finish, type Outcome } from './model-attempts.ts';
import type { VirtualWorker } from './virtual-worker.ts';
import type { World } from './world.ts';

interface Finished {
  readonly claimed: Claimed;
  readonly result: Outcome;
}

const BATCH = 3;

export function isHeld(
  { model }: World,
  worker: VirtualWorker,
  { plan, job, attempt }: Claimed,
): boolean {
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
  for (const each of finished) {
    try {
      await settle(world, tx, each);
      settled.add(each);
    } catch (error) {
      if (!isLost(error)) throw error;
    }
  }
  const { holder } = worker.holding;
  const claimer = { holder, ids: world.machine.ids, turns: worker.turns };
  return { settled, claimed: await claimJobs(tx, claimer, count) };
}

async function settle(world: World, tx: Transaction, { claimed, result }: Finished): Promise<void> {
  const { work } = claimed.job.definition;
  if (result.kind !== 'parked') {
    await settleJob(tx, claimed, result);
  } else if (work.type === 'ticket') {
    const ticket = jobTicket(claimed, work, new Map());
    await parkJob(tx, claimed, ticket, fakeTickets);
    await settleJobsPlan(tx, claimed.plan.id);
    world.count('parked');
  }
}

export function isTicket({ job }: Claimed): boolean {
  return job.definition.work.type === 'ticket';
}

function take(world: World, worker: VirtualWorker, claimed: Claimed, wall: number): void {
  claim(world.model, claimed, worker.owner, wall);
  world.note(`${worker.name} has ${claimed.claim.work.id}`);
  world.count('claimed');
  worker.keep(claimed, world.machine.time.awake);
}

/** Every reason, and those more often after which a job may be tried again. */
const REASONS = [
  ...FAILURE_REASONS,
  ...Array.from({ length: 10 }, () => 'exit_code' as const),
  ...Array.from({ length: 3 }, () => 'log_failed' as const),
];

/** What is to be handed over mostly is. */
export function randomOutcome(world: World, claimed: Claimed): Outcome {
  return isTicket(claimed) && !world.chance(6) ? { kind: 'parked' } : randomResult(world);
}

function randomResult({ random }: World): Result {
  const dice = random.integer(10);
  if (dice < 4) return { kind: 'succeeded', outputs: { n: `${random.integer(99)}` } };
  if (dice < 5) return { kind: 'released', hasRun: random.integer(2) === 0 };
  return { kind: 'failed', reason: random.pick(REASONS), message: 'It broke.' };
}

/** Settles some of what it has, and takes more. */
export async function work(world: World, worker: VirtualWorker): Promise<void> {
  const { random } = world;
  const ending = worker.runs.filter(() => world.chance(2));
  const finished = ending.map((claimed) => ({
    claimed,
    result: randomOutcome(world, claimed),
  }));
  await advance(world, worker, finished, random.integer(BATCH + 1));
}

/** Comes with a result once more, or long after its job was given to somebody else. */
export async function comeLate(world: World, worker: VirtualWorker): Promise<void> {
  if (worker.past.length === 0) return work(world, worker);
  const claimed = world.random.pick(worker.past);
  await advance(world, worker, [{ claimed, result: randomOutcome(world, claimed) }], 0);
}
