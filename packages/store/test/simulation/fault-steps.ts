import { pass } from './passing.ts';
import type { VirtualProcess } from './virtual-process.ts';
import type { World } from './world.ts';

const STALLS = [3000, 12_000, 40_000];
const SLEEPS = [20_000, 3_600_000, 30_000_000];

/** Does nothing for a while, and does not know. */
export async function stall(world: World, process: VirtualProcess): Promise<void> {
  const ms = world.random.pick(STALLS);
  process.stalledUntil = world.machine.time.awake + ms;
  // When it goes on, other things may come before the beat that is overdue.
  process.beatAt = process.stalledUntil + world.random.integer(3000);
  world.note(`${process.name} stalls for ${ms}`);
  world.count('stalled');
}

/** Gone without a word. */
export async function crash(world: World, process: VirtualProcess): Promise<void> {
  process.isGone = true;
  if (process.isHere) world.machine.dead.add(process.name);
  world.note(`${process.name} is gone`);
  world.count(process.isHere ? 'died' : 'vanished');
  if (world.chance(2)) world.start();
}

/** Once, or twice with a short time between. */
export async function sleep(world: World): Promise<void> {
  sleepOnce(world);
  if (world.chance(2)) return;
  await pass(world, world.random.integer(1500), async () => {});
  sleepOnce(world);
}

function sleepOnce(world: World): void {
  const ms = world.random.pick(SLEEPS);
  world.machine.time.sleep(ms);
  // What was to be looked at meanwhile is looked at now.
  for (const process of world.living) process.lookAt = world.machine.time.awake;
  world.note(`the machine sleeps for ${ms}`);
}

export async function jump(world: World): Promise<void> {
  world.note(`the wall clock jumps by ${world.machine.time.jump(world.random)}`);
}
