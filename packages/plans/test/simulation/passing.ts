import { loseJob } from '@baton/plans/jobs';
import { expireLeases, type HeldLease } from '@baton/store';
import { ensure } from '@baton/testkit';
import { lose } from './model-attempts.ts';
import { LOOK_EVERY, type VirtualWorker } from './virtual-worker.ts';
import type { World } from './world.ts';

const WORK = 'work/';

interface Due {
  readonly at: number;
  run(): Promise<void>;
}

/** Lets time pass: everybody who is not stalled beats and looks when it is due. */
export async function pass(world: World, ms: number): Promise<void> {
  const { time } = world.machine;
  const end = time.awake + ms;
  for (let next = earliest(world); next && next.at <= end; next = earliest(world)) {
    time.pass(Math.max(0, next.at - time.awake));
    await next.run();
  }
  time.pass(end - time.awake);
}

function earliest(world: World): Due | undefined {
  // To look while all are alive changes nothing but the time that this takes.
  if (!isAnybodySilent(world)) return undefined;
  let first: Due | undefined;
  for (const worker of world.living) {
    for (const due of duesOf(world, worker)) if (!first || due.at < first.at) first = due;
  }
  return first;
}

function isAnybodySilent({ workers, machine, model }: World): boolean {
  const holders = new Set(model.jobs.map(({ holder }) => holder));
  return workers.some(
    ({ owner, isGone, stalledUntil }) =>
      holders.has(owner) && (isGone || stalledUntil > machine.time.awake),
  );
}

function duesOf(world: World, worker: VirtualWorker): Due[] {
  const at = (due: number) => Math.max(due, worker.stalledUntil);
  const looks = { at: at(worker.lookAt), run: () => look(world, worker) };
  if (worker.runs.length === 0) return [looks];
  return [{ at: at(worker.beatAt), run: () => beat(world, worker) }, looks];
}

async function beat(world: World, worker: VirtualWorker): Promise<void> {
  world.note(`${worker.name} beats`);
  await worker.holding.beat();
  const { silenceMs } = worker.holding.holder;
  worker.beatAt = world.machine.time.awake + silenceMs / 4 + world.random.integer(silenceMs / 4);
}

async function look(world: World, worker: VirtualWorker): Promise<void> {
  worker.lookAt = world.machine.time.awake + 1000 + world.random.integer(LOOK_EVERY - 1000);
  const outcome = await world.attempt(`${worker.name} looks`, () =>
    expireLeases(world.store, worker.watch, loseJob),
  );
  if (outcome.kind !== 'done') return ensure(outcome.kind === 'crashed', 'a look is refused');
  for (const lease of outcome.value) take(world, lease);
}

function take(world: World, lease: HeldLease): void {
  const { model, machine } = world;
  const id = lease.name.slice(WORK.length);
  const job = model.jobs.find(({ plan, wanted }) => `${plan}/${wanted.id}` === id);
  ensure(job?.holder === lease.owner, `${id} is taken from somebody who does not have it`);
  world.note(`${id} is lost`);
  world.count(job.stop ? 'lost while it is stopped' : 'lost');
  lose(model, job, machine.time.now());
}
