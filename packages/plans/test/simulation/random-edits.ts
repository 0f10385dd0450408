import type { Random } from '@baton/testkit';
import { isCutOff, type ModelPlan, type Wanted } from './model.ts';
import { type Edit, isStarted } from './model-edit.ts';
import { randomJob } from './random-plans.ts';

type Kind = (random: Random, plan: ModelPlan) => Partial<Edit>;

/** Each as often as it stands here. Some make no sense at all: nothing must come of them. */
const KINDS: readonly Kind[] = [
  ...[add, add, replace, replace, insert, insert, free, free, tie, tie],
  ...[takeOut, takeOut, takeRest, takeRest, takeRest, tearOut, limit, limit, repeat],
];

export function randomEdit(random: Random, plan: ModelPlan): Edit {
  const isFinal = random.integer(plan.state === 'draft' ? 3 : 20) === 0;
  const changes = random.pick(KINDS)(random, plan);
  return { upsert: [], remove: [], ...changes, isFinal };
}

function wantedIn({ jobs }: ModelPlan): Wanted[] {
  return [...jobs.values()].map(({ wanted }) => wanted);
}

/** Mostly one that can still be changed. */
function pickJob(random: Random, plan: ModelPlan): Wanted | undefined {
  const all = [...plan.jobs.values()];
  const open = all.filter((job) => !isStarted(job));
  const from = open.length > 0 && random.integer(6) > 0 ? open : all;
  return from.length > 0 ? random.pick(from).wanted : undefined;
}

function newId(random: Random): string {
  return `new-${random.integer(100)}`;
}

function add(random: Random, plan: ModelPlan): Partial<Edit> {
  const known = wantedIn(plan).map(({ id }) => id);
  const others = random.integer(12) === 0 ? [...known, 'unknown'] : known;
  return { upsert: [randomJob(random, newId(random), others)] };
}

/** New needs and new work; now and then in a circle. */
function replace(random: Random, plan: ModelPlan): Partial<Edit> {
  const job = pickJob(random, plan);
  const others = wantedIn(plan).map(({ id }) => id);
  return job ? { upsert: [randomJob(random, job.id, others)] } : {};
}

/** Often from something that will not happen. */
function free(random: Random, plan: ModelPlan): Partial<Edit> {
  const cutOff = [...plan.jobs.values()].filter((job) => !isStarted(job) && isCutOff(job, plan));
  const job = cutOff.length > 0 ? random.pick(cutOff).wanted : pickJob(random, plan);
  return job ? { upsert: [{ ...job, needs: [] }] } : {};
}

/** To something that is over, and often for no good. */
function tie(random: Random, plan: ModelPlan): Partial<Edit> {
  const job = pickJob(random, plan);
  const begun = [...plan.jobs.values()].filter(isStarted);
  const bad = begun.filter(({ fate }) => fate === 'failed' || fate === 'cancelled');
  const from = bad.length > 0 ? bad : begun;
  if (!job || from.length === 0) return {};
  return { upsert: [{ ...job, needs: [random.pick(from).wanted.id] }] };
}

function insert(random: Random, plan: ModelPlan): Partial<Edit> {
  const job = pickJob(random, plan);
  if (!job) return {};
  const between = { ...randomJob(random, newId(random), []), needs: job.needs };
  return { upsert: [between, { ...job, needs: [between.id] }] };
}

/** What needed it needs instead what it needed. */
function takeOut(random: Random, plan: ModelPlan): Partial<Edit> {
  const job = pickJob(random, plan);
  if (!job) return {};
  const upsert = wantedIn(plan)
    .filter(({ needs }) => needs.includes(job.id))
    .map((each) => ({
      ...each,
      needs: [...each.needs.filter((need) => need !== job.id), ...job.needs],
    }));
  return { upsert, remove: [job.id] };
}

/** Everything that was not started: perhaps nothing is left to do then, or nothing at all. */
export function takeRest(_: Random, plan: ModelPlan): Partial<Edit> {
  const open = [...plan.jobs.values()].filter((job) => !isStarted(job));
  return { remove: open.map(({ wanted }) => wanted.id) };
}

/** Whether or not something needs it. */
function tearOut(random: Random, plan: ModelPlan): Partial<Edit> {
  const job = random.integer(8) === 0 ? undefined : pickJob(random, plan);
  return { remove: [job?.id ?? 'unknown'] };
}

function limit(random: Random): Partial<Edit> {
  return { maxParallel: random.integer(4) };
}

function repeat(random: Random, plan: ModelPlan): Partial<Edit> {
  const job = randomJob(random, newId(random), []);
  return random.integer(3) === 0 ? { upsert: [job, job] } : replace(random, plan);
}
