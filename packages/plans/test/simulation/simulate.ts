import { ensure } from '@baton/testkit';
import { ensureSameState, ensureSense, ensureTold } from './checks.ts';
import { die, jump, sleep, stall, workAndDie, workAndStall } from './fault-steps.ts';
import type { ModelPlan } from './model.ts';
import { ensureMoves } from './moves.ts';
import { act, create, limitAll, rewrite } from './operator-steps.ts';
import { pass } from './passing.ts';
import type { VirtualWorker } from './virtual-worker.ts';
import { advance, begin, comeLate, heed, reap, work } from './worker-steps.ts';
import type { World } from './world.ts';

type Step = (world: World, worker: VirtualWorker) => Promise<void>;

/** Each as often as it stands here. */
const STEPS: readonly Step[] = [
  ...Array.from({ length: 8 }, () => work),
  ...Array.from({ length: 7 }, () => act),
  ...Array.from({ length: 4 }, () => rewrite),
  ...[begin, begin, begin, begin, heed, heed, comeLate, comeLate, create, create],
  ...[stall, die, workAndDie, workAndStall, sleep, jump, reap],
  (world) => limitAll(world),
];

const CALM_LASTS_AT_MOST = 900_000;

/** Runs what a seed decides. Throws where a plan does not do what it should. */
export async function simulate(world: World): Promise<void> {
  for (let count = 1 + world.random.integer(3); count > 0; count--) world.start();
  await create(world);
  if (world.chance(2)) await limitAll(world);
  for (let steps = 10 + world.random.integer(25); steps > 0; steps--) {
    await pass(world, world.random.integer(world.chance(6) ? 30_000 : 2000));
    await step(world);
    await check(world);
  }
  await calmDown(world);
}

async function step(world: World): Promise<void> {
  if (world.living.length === 0) world.start();
  const { active, random } = world;
  if (active.length > 0) await random.pick(STEPS)(world, random.pick(active));
}

async function check(world: World): Promise<void> {
  await ensureMoves(world);
  await ensureSameState(world);
  ensureSense(world);
  await ensureTold(world);
  const known = new Set(world.model.jobs.map(({ plan, wanted }) => `${plan}/${wanted.id}`));
  for (const id of world.moves.jobs.keys()) if (!known.has(id)) world.moves.jobs.delete(id);
}

/** No more faults: what can come to an end does, soon. */
async function calmDown(world: World): Promise<void> {
  const { time } = world.machine;
  const begun = time.awake;
  world.note('calm');
  world.isCalm = true;
  for (const worker of world.living) worker.stalledUntil = 0;
  if (world.living.length === 0) world.start();
  while ([...world.model.plans.values()].some((plan) => isMoving(world, plan))) {
    ensure(time.awake - begun < CALM_LASTS_AT_MOST, 'it does not come to an end');
    for (const worker of world.living) await goOn(world, worker);
    await pass(world, 1000 + world.random.integer(4000));
  }
  await reap(world);
  await check(world);
}

async function goOn(world: World, worker: VirtualWorker): Promise<void> {
  await begin(world, worker);
  const finished = worker.runs.map((claimed) => ({
    claimed,
    result: world.chance(6)
      ? ({ kind: 'failed', reason: 'exit_code', message: '' } as const)
      : ({ kind: 'succeeded', outputs: {} } as const),
  }));
  await advance(world, worker, finished, 4);
}

/** Those that wait for a person do not move, nor do those that wait for one of them. */
function isMoving(world: World, plan: ModelPlan): boolean {
  if (plan.state !== 'waiting') return ['running', 'pausing', 'cancelling'].includes(plan.state);
  const before = plan.after === null ? undefined : world.model.plans.get(plan.after);
  return before === undefined || isMoving(world, before);
}
