import {
  type Claim,
  type ClaimFilter,
  claimWork,
  completeWork,
  failWork,
  giveBackWork,
  guardWork,
  parkWork,
  type Transaction,
} from '@baton/store';
import { ensure } from '@baton/testkit';
import { crash, stall } from './fault-steps.ts';
import { beat } from './lease-steps.ts';
import type { Job } from './model.ts';
import { randomFilter } from './random-work.ts';
import type { VirtualProcess } from './virtual-process.ts';
import type { World } from './world.ts';

const DELAYS = [0, 1000, 20_000];

/** Something that is done with a claim, and what it must change. */
interface Deed {
  readonly name: string;
  readonly isLast: boolean;
  run(tx: Transaction, claim: Claim): Promise<void>;
  apply(world: World, job: Job): void;
}

const complete: Deed = {
  name: 'completes',
  isLast: true,
  run: completeWork,
  apply: ({ model }, job) => model.complete(job),
};

const giveBack: Deed = {
  name: 'gives back',
  isLast: true,
  run: giveBackWork,
  apply: ({ model }, job) => model.giveBack(job),
};

const park: Deed = {
  name: 'parks',
  isLast: true,
  run: parkWork,
  apply(world, job) {
    world.model.park(job);
    world.count('parked');
  },
};

function fail(retryInMs: number | undefined): Deed {
  const failure = { detail: 'it broke', ...(retryInMs !== undefined && { retryInMs }) };
  return {
    name: retryInMs === undefined ? 'fails' : `fails, again in ${retryInMs},`,
    isLast: true,
    run: (tx, claim) => failWork(tx, claim, failure),
    apply: ({ model, machine }, job) => model.fail(job, 'failed', machine.time.now(), retryInMs),
  };
}

function progress(value: string): Deed {
  return {
    name: 'writes about',
    isLast: false,
    async run(tx, claim) {
      // The guard comes last, to show that what was written before it is undone.
      await tx.db
        .insertInto('meta')
        .values({ name: `progress/${claim.work.id}`, value })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
        .execute();
      await guardWork(tx, claim);
    },
    apply({ silence }, job) {
      job.progress = value;
      silence.hear(job.what.id);
    },
  };
}

/** Often one that finds something. */
function promisingFilter({ model, random, machine }: World): ClaimFilter {
  const filter = randomFilter(random);
  return model.best(filter, machine.time.now()) ? filter : randomFilter(random);
}

export async function claim(
  world: World,
  process: VirtualProcess,
  filter: ClaimFilter = promisingFilter(world),
): Promise<void> {
  const { model, machine } = world;
  const best = model.best(filter, machine.time.now());
  const what = `${process.name} claims from ${JSON.stringify(filter)}, best ${best?.what.id}`;
  const outcome = await world.attempt(what, (tx) => claimWork(tx, process.holding.holder, filter));
  if (outcome.kind === 'crashed') return;
  ensure(outcome.kind === 'done', 'a claim is refused');
  const claimed = outcome.value;
  ensure(claimed?.work.id === best?.what.id, `${claimed?.work.id} is claimed`);
  if (!claimed) return;
  model.claim(claimed);
  world.silence.hear(claimed.work.id);
  world.count('claimed');
  process.keep(claimed, machine.time.awake);
}

/** It dies before it learns that it has been given something. */
export async function claimAndDie(world: World, process: VirtualProcess): Promise<void> {
  await claim(world, process);
  await crash(world, process);
}

/** It learns of it, but then does not beat in time. */
export async function claimAndStall(world: World, process: VirtualProcess): Promise<void> {
  await claim(world, process);
  await stall(world, process);
}

/** Claims again what it has, or believes to have, or had. */
export async function claimAgain(world: World, process: VirtualProcess): Promise<void> {
  const own = process.claims.map((kept) => kept.claim);
  if (own.length + process.past.length === 0) return claim(world, process);
  const old = world.random.pick(own.length > 0 ? own : process.past);
  if (world.model.isHeldBy(old)) await use(world, process, old, giveBack);
  await claim(world, process, { queue: old.work.queue, ids: [old.work.id] });
}

/** Does something with a claim, be it still good or not. */
async function use(world: World, process: VirtualProcess, claim: Claim, deed: Deed) {
  const { model } = world;
  const { work, lease } = claim;
  const isHeld = model.isHeldBy(claim);
  const what = `${process.name} ${deed.name} ${work.id} with number ${lease.number}`;
  // Its beats go on meanwhile.
  const beating = world.chance(6) ? beat(world, process) : undefined;
  const outcome = await world.attempt(what, (tx) => deed.run(tx, claim));
  await beating;
  if (outcome.kind === 'crashed') return;
  const isDone = outcome.kind === 'done';
  ensure(isDone === isHeld, isDone ? 'who has lost a claim is served' : 'a holder is refused');
  if (isDone) deed.apply(world, model.job(work.id));
  else ensure(outcome.code === 'lease_lost', 'the refusal has a wrong code');
  if (deed.isLast || !isDone) process.drop(claim);
}

function anyDeed({ random, trace }: World): Deed {
  const deeds = [
    () => complete,
    () => complete,
    () => fail(undefined),
    () => fail(random.pick(DELAYS)),
    () => giveBack,
    () => park,
    () => progress(`after ${trace.length} steps`),
  ];
  return random.pick(deeds)();
}

/** Works on something that it believes to hold. */
export async function work(world: World, process: VirtualProcess): Promise<void> {
  if (process.claims.length === 0) return claim(world, process);
  await use(world, process, world.random.pick(process.claims).claim, anyDeed(world));
}

/** Uses a claim that is over, as in a message that arrives twice or late. */
export async function useOld(world: World, process: VirtualProcess): Promise<void> {
  if (process.past.length === 0) return work(world, process);
  await use(world, process, world.random.pick(process.past), anyDeed(world));
}

export async function completeAll(world: World, process: VirtualProcess): Promise<void> {
  for (const kept of process.claims) await use(world, process, kept.claim, complete);
}
