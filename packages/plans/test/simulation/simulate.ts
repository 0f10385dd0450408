import { ensure } from '@baton/testkit';
import { ensureSameState, ensureSense, ensureTold } from './checks.ts';
import { act } from './control-steps.ts';
import { die, jump, sleep, stall, workAndDie, workAndStall } from './fault-steps.ts';
import type { ModelPlan } from './model.ts';
import { ensureMoves } from './moves.ts';
import { create, limitAll, rewrite } from './operator-steps.ts';
import { pass } from './passing.ts';
import { changeBehind, pauseAndTakeRest, retryInVain } from './rare-steps.ts';
import { endAllTickets, endAnyTicket } from './ticket-steps.ts';
import type { VirtualWorker } from './virtual-worker.ts';
import { begin, heed, reap } from './worker-duties.ts';
import { advance, comeLate, isTicket, work } from './worker-steps.ts';
import type { World } from './world.ts';

type Step = (world: World, worker: VirtualWorker) => Promise<void>;

/** Each as often as it stands here. */
const WORKER_STEPS: readonly Step[] = [
  ...Array.from({ length: 9 }, () => work),
  ...[begin, begin, begin, begin, heed, heed, comeLate, comeLate],
  ...[stall, die, workAndDie, workAndStall, workAndStall],
];
const OTHER_STEPS: readonly Step[] = [
  ...Array.from({ length: 13 }, () => act),
  ...Array.from({ length: 5 }, () => rewrite),
  ...Array.from({ length: 4 }, () => endAnyTicket),
  ...[create, sleep, jump, reap, retryInVain, changeBehind, pauseAndTakeRest],
  (world) => limitAll(world),
];

/** Steps; what is wrong stays wrong for a while. */
const CHECK_EVERY = 4;
const CALM_LASTS_AT_MOST = 900_000;

/** Runs what a seed decides. Throws where a plan does not do what it should. */
export async function simulate(world: World): Promise<void> {
  for (let count = 1 + world.random.integer(3); count > 0; count--) world.start();
  await create(world);
  await create(world);
  if (world.chance(2)) await limitAll(world);
  for (let steps = 12 + world.random.integer(26); steps > 0; steps--) {
    await pass(world, world.random.integer(world.chance(8) ? 30_000 : 2000));
    await step(world);
    if (steps % CHECK_EVERY === 0) await check(world);
  }
  await calmDown(world);
}

async function step(world: World): Promise<void> {
  if (world.living.length === 0) world.start();
  const { active, random } = world;
  const busy = active.filter(({ runs }) => runs.length > 0);
  const isIdle = busy.length === 0 && world.model.claimable(world.machine.time.now()).length === 0;
  if (active.length === 0) return;
  const worker = random.pick(busy.length > 0 && !world.chance(3) ? busy : active);
  await random.pick(isIdle || world.chance(2) ? OTHER_STEPS : WORKER_STEPS)(world, worker);
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
    await endAllTickets(world);
    await pass(world, 1000 + world.random.integer(4000));
  }
  await reap(world);
  await check(world);
}

const HANDED_OVER = { kind: 'parked' } as const;
const SUCCEEDED = { kind: 'succeeded', outputs: {} } as const;
const FAILED = { kind: 'failed', reason: 'exit_code', message: '' } as const;

async function goOn(world: World, worker: VirtualWorker): Promise<void> {
  if (world.chance(4)) await begin(world, worker);
  const finished = worker.runs.map((claimed) => {
    const good = isTicket(claimed) ? HANDED_OVER : SUCCEEDED;
    return { claimed, result: world.chance(6) ? FAILED : good };
  });
  await advance(world, worker, finished, 4);
}

/** Those that wait for a person do not move, nor do those that wait for one of them. */
function isMoving(world: World, plan: ModelPlan): boolean {
  if (plan.state !== 'waiting') return ['running', 'pausing', 'cancelling'].includes(plan.state);
  const before = plan.after === null ? undefined : world.model.plans.get(plan.after);
  return before === undefined || isMoving(world, before);
}
