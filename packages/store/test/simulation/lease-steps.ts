import { expireLeases, type HeldLease, type Store } from '@baton/store';
import { Crash, ensure } from '@baton/testkit';
import type { VirtualProcess } from './virtual-process.ts';
import type { World } from './world.ts';

const WORK = 'work/';

/** Between a look and what follows from it there is a gap, in which others go on. */
export type Between = () => Promise<void>;

export async function beat(world: World, process: VirtualProcess): Promise<void> {
  world.note(`${process.name} beats`);
  await process.holding.beat();
  for (const id of world.model.heldBy(process.owner)) world.silence.hear(id);
  for (const { claim, lost } of process.claims) {
    const isHeld = world.model.isHeldBy(claim);
    ensure(lost.aborted !== isHeld, `${process.name} is told wrongly about ${claim.work.id}`);
  }
  for (const { claim, lost } of [...process.claims]) {
    // Some stop at once when they are told, others go on and will be refused.
    if (lost.aborted && world.chance(2)) process.drop(claim);
  }
  const { silenceMs } = process;
  process.beatAt = world.machine.time.awake + silenceMs / 4 + world.random.integer(silenceMs / 4);
}

export async function look(world: World, process: VirtualProcess, between: Between) {
  const dead = [...world.machine.dead];
  let isCrashed = false;
  let isFound = false;
  const { store } = world.machine;
  const view: Pick<Store, 'read' | 'write'> = {
    read: (work) => store.read(work),
    async write(durability, work) {
      isFound = true;
      await between();
      return store.write(durability, world.mayCrash(work));
    },
  };
  const expired = await expireLeases(view as Store, process.watch).catch((error: unknown) => {
    if (!(error instanceof Crash)) throw error;
    isCrashed = true;
    return [];
  });
  if (isFound) {
    const names = expired.map(({ name, number }) => `${name} ${number}`);
    world.note(`${process.name} takes away ${isCrashed ? 'and crashes' : names.join(', ')}`);
    if (expired.length === 0 && !isCrashed) world.count('spared');
  }
  for (const lease of expired) lose(world, lease);
  if (!isCrashed) ensureNothingHeldBy(dead, world);
}

function lose(world: World, lease: HeldLease): void {
  const { model, machine, silence } = world;
  const isWork = lease.name.startsWith(WORK);
  const id = isWork ? lease.name.slice(WORK.length) : lease.name;
  const held = isWork ? model.job(id) : model.seat;
  ensure(
    held.holder === lease.owner && held.number === lease.number,
    `${lease.name} is taken from somebody who does not have it`,
  );
  const isDead = lease.process !== null && machine.dead.has(lease.process);
  if (!isDead) silence.ensureLongEnough(id, lease);
  world.count(isDead ? 'lost by death' : 'lost by silence');
  if (isWork) model.fail(model.job(id), 'lost', machine.time.now(), 0);
  else held.holder = undefined;
}

function ensureNothingHeldBy(dead: readonly string[], { model, processes }: World): void {
  for (const { name, owner } of processes) {
    if (!dead.includes(name)) continue;
    ensure(model.heldBy(owner).length === 0, `${name} is known to be dead and holds something`);
  }
}
