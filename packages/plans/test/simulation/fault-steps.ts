import type { VirtualWorker } from './virtual-worker.ts';
import { work } from './worker-steps.ts';
import type { World } from './world.ts';

const STALLS = [3000, 12_000, 40_000];
const SLEEPS = [20_000, 3_600_000];

/** Does nothing for a while, and does not know. */
export async function stall(world: World, worker: VirtualWorker): Promise<void> {
  const ms = world.random.pick(STALLS);
  worker.stalledUntil = world.machine.time.awake + ms;
  // When it goes on, other things may come before the beat that is overdue.
  worker.beatAt = worker.stalledUntil + world.random.integer(3000);
  world.note(`${worker.name} stalls for ${ms}`);
  world.count('stalled');
}

/** Gone without a word, with all that it has in hand. */
export async function die(world: World, worker: VirtualWorker): Promise<void> {
  worker.isGone = true;
  if (worker.isHere) world.machine.dead.add(worker.name);
  world.note(`${worker.name} is gone`);
  world.count(worker.isHere ? 'died' : 'vanished');
  if (world.chance(2)) world.start();
}

export async function workAndDie(world: World, worker: VirtualWorker): Promise<void> {
  await work(world, worker);
  await die(world, worker);
}

export async function workAndStall(world: World, worker: VirtualWorker): Promise<void> {
  await work(world, worker);
  await stall(world, worker);
}

export async function sleep(world: World): Promise<void> {
  const ms = world.random.pick(SLEEPS);
  world.machine.time.sleep(ms);
  for (const worker of world.living) worker.lookAt = world.machine.time.awake;
  world.note(`the machine sleeps for ${ms}`);
}

export async function jump(world: World): Promise<void> {
  world.note(`the wall clock jumps by ${world.machine.time.jump(world.random)}`);
}
