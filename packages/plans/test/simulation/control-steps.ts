import { ensure } from '@baton/testkit';
import { ACTIONS, type Action, type ControlOptions, type PlanState } from '../under-test.ts';
import { isCutOff, type ModelPlan } from './model.ts';
import { control } from './model-control.ts';
import { change, pickPlan } from './operator.ts';
import type { World } from './world.ts';

/** What changes something, each as often as it stands here. */
const SENSIBLE: Readonly<Record<PlanState, readonly Action[]>> = {
  draft: ['archive', 'delete', 'clone'],
  pending: ['start', 'start', 'start', 'cancel', 'archive', 'delete'],
  waiting: ['start', 'cancel'],
  running: ['pause', 'pause', 'cancel', 'cancel', 'fail', 'fail', 'retry', 'retry'],
  pausing: ['resume', 'resume', 'cancel', 'fail', 'retry'],
  paused: ['resume', 'resume', 'start', 'cancel', 'cancel', 'fail', 'retry'],
  cancelling: ['fail', 'cancel'],
  succeeded: ['archive', 'archive', 'delete', 'clone'],
  failed: ['retry', 'retry', 'retry', 'archive', 'delete'],
  cancelled: ['retry', 'retry', 'retry', 'recover', 'recover', 'archive', 'delete'],
  archived: ['recover', 'recover', 'delete'],
};

/** Any action on any plan, also where it makes no sense. */
export async function act(world: World): Promise<void> {
  const plan = pickPlan(world);
  if (plan) await controlPlan(world, plan, randomControl(world, plan));
}

export async function controlPlan(
  world: World,
  plan: ModelPlan,
  options: ControlOptions,
): Promise<void> {
  const logs = [...plan.jobs.values()].flatMap(({ attempts }) => attempts.map(({ id }) => id));
  if (options.action === 'delete') await keepLogs(world, logs);
  world.removedLogs = [];
  const outcome = await change(world, `${plan.id} ${JSON.stringify(options)}`, () =>
    world.service.control(plan.id, options),
  );
  if (outcome.kind === 'crashed') return;
  const made = outcome.kind === 'done' ? outcome.value.id : '';
  const isDone = control(world.model, plan, options, made);
  ensure(isDone === (outcome.kind === 'done'), `${options.action} is ${outcome.kind}`);
  if (isDone) world.count(options.action);
  const removed = isDone && options.action === 'delete' ? logs : [];
  ensure(removed.sort().join() === world.removedLogs.sort().join(), 'wrong logs are removed');
}

function randomControl(world: World, plan: ModelPlan): ControlOptions {
  const { random } = world;
  const action = random.pick(world.chance(6) ? ACTIONS : SENSIBLE[plan.state]);
  const isOfJobs = action === 'fail' || action === 'cancel' || action === 'retry';
  if (!isOfJobs || plan.jobs.size === 0 || world.chance(action === 'fail' ? 12 : 2)) {
    return { action };
  }
  const jobs = randomTargets(world, plan, action === 'retry');
  const isChanged = action === 'retry' && world.chance(2);
  return { action, jobs, ...(isChanged && { work: `again ${random.integer(1000)}` }) };
}

function randomTargets(world: World, plan: ModelPlan, isRetry: boolean): string[] {
  const { random } = world;
  const all = [...plan.jobs.values()];
  const fitting = all.filter(({ fate }) =>
    isRetry
      ? fate === 'failed' || fate === 'cancelled'
      : fate === 'open' || fate === 'held' || fate === 'parked',
  );
  const cutOff = isRetry ? fitting.filter((job) => isCutOff(job, plan)) : [];
  if (cutOff.length > 0 && world.chance(3)) return [random.pick(cutOff).wanted.id];
  const from = (fitting.length > 0 && !world.chance(8) ? fitting : all).map(
    ({ wanted }) => wanted.id,
  );
  if (world.chance(30)) return ['unknown'];
  return Array.from({ length: world.chance(3) ? 2 : 1 }, () => random.pick(from));
}

/** As if each attempt had said something. */
async function keepLogs({ machine }: World, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = ids.map((id) => ({ id, folder: '', bytes: 0, first: 0, closed: 1, at: 0 }));
  await machine.store.write('relaxed', ({ db }) =>
    db
      .insertInto('logs')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  );
}
