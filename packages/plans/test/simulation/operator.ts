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

export function pickPlan({ model, random }: World): ModelPlan | undefined {
  return model.plans.size > 0 ? random.pick([...model.plans.values()]) : undefined;
}
