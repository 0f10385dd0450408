import { ensure } from '@baton/testkit';
import type { ModelPlan } from './model.ts';
import { snapshot } from './snapshot.ts';
import type { Outcome, World } from './world.ts';

/** Who does not succeed has changed nothing at all. */
export async function change<Result>(
  world: World,
  what: string,
  run: () => Promise<Result>,
): Promise<Outcome<Result>> {
  const before = await snapshot(world.machine.store);
  const outcome = await world.attempt(what, run);
  if (outcome.kind === 'done') return outcome;
  const after = await snapshot(world.machine.store);
  ensure(before === after, `nothing is done, but this is changed:\n${before}\n\n${after}`);
  return outcome;
}

/** Often one that is under way. */
export function pickPlan({ model, random }: World): ModelPlan | undefined {
  const all = [...model.plans.values()];
  const underWay = all.filter(({ isStarted, isEnded }) => isStarted && !isEnded);
  const from = underWay.length > 0 && random.integer(3) > 0 ? underWay : all;
  return from.length > 0 ? random.pick(from) : undefined;
}
