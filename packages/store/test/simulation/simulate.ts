import { ensure } from '@baton/testkit';
import { ensureSameHistory, ensureSameState, ensureTold } from './checks.ts';
import { crash, jump, sleep, stall } from './fault-steps.ts';
import { beat } from './lease-steps.ts';
import { add, cancel, completeAllParked, endParked, gate, retry } from './operator-steps.ts';
import { pass } from './passing.ts';
import { QUEUES } from './random-work.ts';
import { sit } from './seat-steps.ts';
import type { VirtualProcess } from './virtual-process.ts';
import {
  claim,
  claimAgain,
  claimAndDie,
  claimAndStall,
  completeAll,
  useOld,
  work,
} from './worker-steps.ts';
import type { World } from './world.ts';

type Step = (world: World, process: VirtualProcess) => Promise<void>;

/** Each as often as it stands here. */
const STEPS: readonly Step[] = [
  ...Array.from({ length: 7 }, () => (world: World, by: VirtualProcess) => claim(world, by)),
  ...Array.from({ length: 7 }, () => work),
  ...Array.from({ length: 3 }, () => useOld),
  ...Array.from({ length: 2 }, () => retry),
  ...Array.from({ length: 2 }, () => endParked),
  ...[claimAgain, claimAndStall, claimAndDie, sit, sit],
  ...[stall, crash, sleep, sleep, jump, cancel],
  (world) => gate(world),
  (world) => add(world),
];

/** What others do while somebody has looked and not yet acted. */
const INTRUSIONS: readonly Step[] = [beat, work, sit, claimAgain, claimAgain];

const CALM_LASTS_AT_MOST = 120_000;
const CALM_STEP = 2500;
/** Steps; what is wrong stays wrong for a while. */
const CHECK_EVERY = 3;

/** Runs what a seed decides. Throws where the store does not do what it should. */
export async function simulate(world: World): Promise<void> {
  for (let count = 2 + world.random.integer(2); count > 0; count--) world.start();
  await add(world, 5);
  for (let steps = 7 + world.random.integer(9); steps > 0; steps--) {
    await pass(world, world.random.integer(world.chance(6) ? 15_000 : 2500), () => intrude(world));
    if (world.living.length === 0) world.start();
    const process = world.active.length > 0 ? world.random.pick(world.active) : undefined;
    if (process) await world.random.pick(STEPS)(world, process);
    if (steps % CHECK_EVERY > 0) continue;
    await ensureSameState(world);
    await ensureTold(world);
  }
  await calmDown(world);
  await ensureSameState(world);
  await ensureSameHistory(world);
}

async function intrude(world: World): Promise<void> {
  if (world.calmSince !== undefined) return;
  for (let steps = world.random.integer(3); steps > 0; steps--) {
    const holders = world.living.filter(({ claims }) => claims.length > 0);
    const process = world.random.pick(holders.length > 0 ? holders : world.living);
    process.stalledUntil = 0;
    await world.random.pick(INTRUSIONS)(world, process);
  }
}

/** No more faults: now everything must come to an end, soon. */
async function calmDown(world: World): Promise<void> {
  const { model } = world;
  const { time } = world.machine;
  const begun = time.awake;
  world.note('calm');
  world.calmSince = begun;
  for (const process of world.living) process.stalledUntil = 0;
  if (world.living.length === 0) world.start();
  for (const scope of model.closedScopes()) await gate(world, scope, { maxRunning: 1 });
  while (isAnythingLeft(world)) {
    ensure(time.awake - begun < CALM_LASTS_AT_MOST, 'it does not come to an end');
    for (const process of world.living) await goOn(world, process);
    await completeAllParked(world);
    await pass(world, CALM_STEP, async () => {});
    ensureNoneForgotten(world, begun);
  }
}

async function goOn(world: World, process: VirtualProcess): Promise<void> {
  await completeAll(world, process);
  for (const queue of new Set(QUEUES)) {
    if (world.model.best({ queue }, world.machine.time.now()))
      await claim(world, process, { queue });
  }
}

function isAnythingLeft({ model }: World): boolean {
  return [...model.jobs.values()].some((job) =>
    ['ready', 'waiting', 'running', 'parked'].includes(model.stateOf(job)),
  );
}

function ensureNoneForgotten({ model, processes, silence }: World, since: number): void {
  for (const process of processes.filter(({ isGone }) => isGone)) {
    for (const id of model.heldBy(process.owner)) {
      silence.ensureNotTooLong(id, process, since);
    }
  }
}
