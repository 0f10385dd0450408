import { type Between, beat, look } from './lease-steps.ts';
import { LOOK_EVERY, type VirtualProcess } from './virtual-process.ts';
import type { World } from './world.ts';

interface Due {
  readonly at: number;
  run(): Promise<void>;
}

/** Lets time pass: everybody who is not stalled beats and looks when it is due. */
export async function pass(world: World, ms: number, between: Between): Promise<void> {
  const { time } = world.machine;
  const end = time.awake + ms;
  for (let next = earliest(world, between); next.at <= end; next = earliest(world, between)) {
    time.pass(Math.max(0, next.at - time.awake));
    await next.run();
  }
  time.pass(end - time.awake);
}

function earliest(world: World, between: Between): Due {
  let first: Due = { at: Number.POSITIVE_INFINITY, run: async () => {} };
  for (const process of world.living) {
    for (const due of duesOf(world, process, between)) if (due.at < first.at) first = due;
  }
  return first;
}

function duesOf(world: World, process: VirtualProcess, between: Between): Due[] {
  const at = (due: number) => Math.max(due, process.stalledUntil);
  const lookDue = {
    at: at(process.lookAt),
    async run() {
      process.lookAt = world.machine.time.awake + 1000 + world.random.integer(LOOK_EVERY - 1000);
      // To look where nothing is held changes nothing but the time that this takes.
      if (world.model.isAnythingHeld()) await look(world, process, between);
    },
  };
  if (!process.isBeating) return [lookDue];
  return [{ at: at(process.beatAt), run: () => beat(world, process) }, lookDue];
}
