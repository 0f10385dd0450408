import { STOP_TOPIC } from '@baton/plans/jobs';
import { ensure } from '@baton/testkit';
import { sql } from 'kysely';
import { isUnderWay, type Model, type ModelJob, type ModelPlan } from './model.ts';
import type { ModelTicket } from './model-tickets.ts';
import { readReal } from './real.ts';
import type { World } from './world.ts';

/** The store says what the model says. */
export async function ensureSameState({ model, machine }: World): Promise<void> {
  const real = await readReal(machine.store);
  const plans = [...model.plans.values()];
  ensureEqual(real.plans, plans.map(planLine));
  const jobs = model.jobs.map((job) => jobLine(model, job));
  ensureEqual(real.jobs, jobs);
  const attempts = new Map(model.jobs.flatMap(attemptLines));
  ensureEqual([...real.attempts.keys()], [...attempts.keys()]);
  for (const [line, trigger] of real.attempts) {
    const right = attempts.get(line) ?? [];
    ensure(right.includes(trigger), `${line} is triggered by ${trigger}, not ${right}`);
  }
  ensureEqual(real.tickets, model.tickets.filter(isKept(model)).map(ticketLine));
  ensureEqual(
    real.waitedFor,
    model.tickets.filter(({ state }) => state === 'open').map(nameOfTicket),
  );
  for (const plan of plans) ensureGate(plan, real.gates.get(plan.id));
  ensure(real.gates.size <= plans.length, 'there are gates of plans that are gone');
}

function planLine(plan: ModelPlan): string {
  const flags = `${plan.isStarted ? 1 : 0} ${plan.isEnded ? 1 : 0}`;
  return `${plan.id} ${plan.state} ${plan.after} ${plan.maxParallel} ${plan.archivedFrom} ${flags}`;
}

function jobLine(model: Model, job: ModelJob): string {
  const { command, isTicket, needs, retry, id } = job.wanted;
  // Of what is over, nobody counts any more.
  const isOver = job.fate !== 'open' && !isUnderWay(job);
  const counted = isOver ? '- - -' : `${job.failures} ${job.tries} ${job.delayMs}`;
  return [
    `${job.plan}/${id} ${model.stateOf(job)} ${isTicket ? 'ticket' : 'shell'} ${command} [${needs}] ${retry} ${job.outputs}`,
    `${job.stop} ${job.attempts.length} ${counted} ${job.holder ?? null}`,
  ].join(' ');
}

/** Each with what may have triggered it. */
function attemptLines({ plan, wanted, attempts }: ModelJob): [string, readonly string[]][] {
  return attempts.map(({ id, triggers, state, reason, hasProcess, isReaped }, index) => {
    const flags = `${hasProcess ? 1 : 0} ${isReaped ? 1 : 0}`;
    return [`${plan}/${wanted.id} ${index + 1} ${id} ${state} ${reason} ${flags}`, triggers];
  });
}

/** They are forgotten with their plan. */
function isKept(model: Model) {
  return ({ job }: ModelTicket) => model.plans.has(job.plan);
}

function ticketLine({ id, job, attempt }: ModelTicket): string {
  return `${id} ${job.plan}/${job.wanted.id} ${attempt.id}`;
}

function nameOfTicket({ id }: ModelTicket): string {
  return id;
}

/** It holds back what it should, and is there only as long as it is needed. */
function ensureGate(
  { id, state, isStarted, isEnded, maxParallel }: ModelPlan,
  gate: string | undefined,
): void {
  const isNeeded = isStarted && !isEnded;
  ensure(isNeeded === (gate !== undefined), `${id} is ${state} and has the gate ${gate}`);
  const isPaused = state === 'pausing' || state === 'paused';
  if (isNeeded && isPaused) ensure(gate?.startsWith('paused') ?? false, `${id} is not held back`);
  const right = `open ${maxParallel > 0 ? maxParallel : null}`;
  if (state === 'running') ensure(gate === right, `${id} has the gate ${gate}, not ${right}`);
}

/** It is over exactly if nothing of it can move, and what comes after it was not too early. */
export function ensureSense({ model }: World): void {
  for (const plan of model.plans.values()) {
    if (!plan.isStarted) continue;
    ensure(plan.isEnded !== model.canMove(plan), `${plan.id} is ${plan.state} and can move or not`);
  }
  for (const job of model.jobs) {
    const open = job.attempts.filter(({ state }) => state === 'open').length;
    ensure(open === (isUnderWay(job) ? 1 : 0), `${job.wanted.id} has ${open} open attempts`);
    ensure(job.stop === null || job.fate === 'held', `${job.wanted.id} waits to be stopped`);
    const isBegun = job.attempts.length > 0;
    const isEarly = isBegun && model.needsOf(job).some(({ fate }) => fate !== 'succeeded');
    ensure(!isEarly, `${job.wanted.id} was begun before what it needs`);
  }
}

/** Whoever watches a plan, waits for jobs or runs them has been told of every change. */
export async function ensureTold(world: World): Promise<void> {
  const { model, machine, told } = world;
  const { rows } = await machine.store.read(({ db }) =>
    sql<{ seq: number; topic: string }>`select seq, topic from events
      where seq > ${told.cursor}`.execute(db),
  );
  told.cursor = rows.at(-1)?.seq ?? told.cursor;
  const topics = new Set(rows.map(({ topic }) => topic));
  const plans = new Map([...model.plans].map(([id, plan]) => [id, seen(model, plan)]));
  for (const [id, line] of plans) {
    const isTold = told.plans.get(id) === line || topics.has(`plan/${id}`) || !told.plans.has(id);
    ensure(isTold, `${id} has changed and nobody is told:\n${told.plans.get(id)}\n${line}`);
  }
  const isList = [...plans.keys()].join() === [...told.plans.keys()].join();
  ensure(isList || topics.has('plans'), 'there are other plans and nobody is told');
  // A worker waits for the end of a delay by itself.
  const claimable = model.claimable(Number.POSITIVE_INFINITY).map(nameOf);
  const isKnown = claimable.every((job) => told.claimable.has(job));
  ensure(isKnown || topics.has('queue/jobs'), 'work is ready and nobody is told');
  const stops = model.jobs.filter(({ stop }) => stop).map(nameOf);
  const isStopKnown = stops.every((job) => told.stops.has(job));
  ensure(isStopKnown || topics.has(STOP_TOPIC), 'something is to be stopped, nobody is told');
  Object.assign(told, { plans, claimable: new Set(claimable), stops: new Set(stops) });
}

function nameOf({ plan, wanted }: ModelJob): string {
  return `${plan}/${wanted.id}`;
}

function seen(model: Model, plan: ModelPlan): string {
  return [planLine(plan), ...[...plan.jobs.values()].map((job) => jobLine(model, job))].join('\n');
}

function ensureEqual(real: readonly string[], right: readonly string[]): void {
  const found = real.toSorted().join('\n  ');
  const expected = right.toSorted().join('\n  ');
  ensure(found === expected, `the store says:\n  ${found}\nit should say:\n  ${expected}`);
}
