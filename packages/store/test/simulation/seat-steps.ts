import { claimLease, releaseLease } from '@baton/store';
import { ensure } from '@baton/testkit';
import { SEAT } from './model.ts';
import type { VirtualProcess } from './virtual-process.ts';
import type { World } from './world.ts';

/** Takes or leaves a lease that is no work, such as that of the one who tidies up. */
export async function sit(world: World, process: VirtualProcess): Promise<void> {
  if (process.seats.length > 0 && world.chance(2)) await leave(world, process);
  else await take(world, process);
}

async function take(world: World, process: VirtualProcess): Promise<void> {
  const { seat } = world.model;
  const { holder } = process.holding;
  const outcome = await world.attempt(`${process.name} takes the seat`, (tx) =>
    claimLease(tx, SEAT, holder),
  );
  if (outcome.kind === 'crashed') return;
  ensure(outcome.kind === 'done', 'a lease is refused');
  const lease = outcome.value;
  ensure((lease === undefined) === (seat.holder !== undefined), 'the seat is given wrongly');
  if (!lease) return;
  ensure(lease.number > seat.number, 'the number of the seat does not grow');
  Object.assign(seat, { holder: lease.owner, number: lease.number });
  world.silence.hear(SEAT);
  process.sit(lease, world.machine.time.awake);
}

async function leave(world: World, process: VirtualProcess): Promise<void> {
  const { seat } = world.model;
  const lease = world.random.pick(process.seats);
  const isHeld = seat.holder === lease.owner && seat.number === lease.number;
  const what = `${process.name} leaves the seat with number ${lease.number}`;
  const outcome = await world.attempt(what, (tx) => releaseLease(tx, lease));
  if (outcome.kind === 'crashed') return;
  ensure((outcome.kind === 'done') === isHeld, 'the seat is left wrongly');
  if (isHeld) seat.holder = undefined;
  process.holding.drop(lease);
}
