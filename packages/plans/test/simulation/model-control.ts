import type { ControlOptions, PlanState } from '../under-test.ts';
import type { Model, ModelJob, ModelPlan } from './model.ts';
import { isUnderWay, newJob } from './model.ts';
import { end, isAnythingHeld, release, remove, settle, start } from './model-lifecycle.ts';
import { stopParked } from './model-tickets.ts';

type Rule = (model: Model, plan: ModelPlan, options: ControlOptions, made: string) => boolean;

const UNDER_WAY: readonly PlanState[] = ['running', 'pausing', 'paused'];

/** Each says whether it is allowed, and only then changes something. */
const RULES: Readonly<Record<ControlOptions['action'], Rule>> = {
  start(model, plan) {
    if (!isOneOf(plan, 'pending', 'waiting', 'paused') || plan.isStarted) return false;
    if (plan.state === 'pending') release(model, plan);
    else start(model, plan);
    return true;
  },
  pause(_, plan) {
    if (!isOneOf(plan, 'running')) return false;
    pause(plan);
    return true;
  },
  resume(model, plan) {
    if (!isOneOf(plan, 'pausing', 'paused')) return false;
    if (plan.isStarted) plan.state = 'running';
    else start(model, plan);
    return true;
  },
  cancel(model, plan, { jobs }) {
    if (jobs) return stopJobs(model, plan, jobs, 'cancel');
    if (!isOneOf(plan, 'pending', 'waiting', ...UNDER_WAY)) return false;
    if (plan.isStarted) cancelStarted(model, plan);
    else end(model, plan, 'cancelled');
    return true;
  },
  // Plans of this simulation work without git.
  land: () => false,
  clean: (_, plan) => isOneOf(plan, 'succeeded', 'failed', 'cancelled', 'archived'),
  fail: (model, plan, { jobs }) => jobs !== undefined && stopJobs(model, plan, jobs, 'fail'),
  retry(model, plan, { jobs, work }) {
    if (!isOneOf(plan, 'failed', 'cancelled', ...(plan.isStarted ? UNDER_WAY : []))) return false;
    if (work !== undefined && jobs?.length !== 1) return false;
    if (!plan.isStarted && jobs) return false;
    if (plan.isStarted) return retryJobs(model, plan, jobs, work);
    start(model, plan);
    return true;
  },
  recover(model, plan) {
    if (!isOneOf(plan, 'archived', 'cancelled')) return false;
    if (plan.archivedFrom) Object.assign(plan, { state: plan.archivedFrom, archivedFrom: null });
    else recoverCancelled(model, plan);
    return true;
  },
  clone(model, plan, _, made) {
    const jobs = [...plan.jobs.values()].map(({ wanted }) => newJob(made, wanted));
    model.plans.set(made, {
      id: made,
      state: jobs.length > 0 ? 'pending' : 'draft',
      after: null,
      maxParallel: plan.maxParallel,
      archivedFrom: null,
      isStarted: false,
      isEnded: false,
      jobs: new Map(jobs.map((job) => [job.wanted.id, job])),
    });
    return true;
  },
  archive(_, plan) {
    if (!isOneOf(plan, 'draft', 'pending', 'succeeded', 'failed', 'cancelled')) return false;
    Object.assign(plan, { state: 'archived', archivedFrom: plan.state });
    return true;
  },
  delete(model, plan) {
    const atRest = ['draft', 'pending', 'succeeded', 'failed', 'cancelled', 'archived'] as const;
    if (!isOneOf(plan, ...atRest)) return false;
    const attempts = [...plan.jobs.values()].flatMap((job) => job.attempts);
    if (attempts.some(({ isReaped }) => !isReaped)) return false;
    remove(model, plan);
    return true;
  },
};

/** Whether it is done. */
export function control(
  model: Model,
  plan: ModelPlan,
  options: ControlOptions,
  made: string,
): boolean {
  return RULES[options.action](model, plan, options, made);
}

function isOneOf({ state }: ModelPlan, ...states: PlanState[]): boolean {
  return states.includes(state);
}

function pause(plan: ModelPlan): void {
  plan.state = isAnythingHeld(plan) ? 'pausing' : 'paused';
}

function cancelStarted(model: Model, plan: ModelPlan): void {
  plan.state = 'cancelling';
  for (const job of plan.jobs.values()) {
    if (job.fate === 'parked') stopParked(model, job, 'cancelled');
    else if (job.fate === 'open') job.fate = 'cancelled';
    else if (job.fate === 'held') job.stop ??= 'cancel';
  }
  settle(model, plan);
}

function stopJobs(
  model: Model,
  plan: ModelPlan,
  ids: readonly string[],
  stop: 'cancel' | 'fail',
): boolean {
  if (!plan.isStarted || plan.isEnded) return false;
  const jobs = ids.map((id) => plan.jobs.get(id));
  const isTwice = new Set(ids).size < ids.length;
  const canStop = (job: ModelJob | undefined) => job?.fate === 'open' || (job && isUnderWay(job));
  if (!jobs.every(canStop)) return false;
  if (isTwice && jobs.some((job) => job?.fate !== 'held')) return false;
  const fate = stop === 'fail' ? 'failed' : 'cancelled';
  for (const job of jobs) {
    if (job?.fate === 'held') job.stop = stop;
    else if (job?.fate === 'parked') stopParked(model, job, fate);
    else if (job) job.fate = fate;
  }
  settle(model, plan);
  return true;
}

function retryJobs(
  model: Model,
  plan: ModelPlan,
  ids: readonly string[] | undefined,
  work: ControlOptions['work'],
): boolean {
  const over = [...plan.jobs.values()].filter(
    ({ fate }) => fate === 'failed' || fate === 'cancelled',
  );
  const chosen = ids ? over.filter(({ wanted }) => ids.includes(wanted.id)) : over;
  const isEach = ids?.every((id) => chosen.some(({ wanted }) => wanted.id === id)) ?? true;
  if (chosen.length === 0 || !isEach || !isHelped(model, plan, chosen)) return false;
  if (!UNDER_WAY.includes(plan.state)) Object.assign(plan, { state: 'running', isEnded: false });
  for (const job of chosen) {
    Object.assign(job, { fate: 'open', failures: 0, tries: 0, delayedAt: 0, delayMs: 0 });
    job.isRetriedByHand = true;
    if (typeof work === 'string') {
      job.wanted = { ...job.wanted, command: work, isTicket: false };
    }
  }
  return true;
}

/** With these, something could run. */
function isHelped(model: Model, plan: ModelPlan, chosen: readonly ModelJob[]): boolean {
  const fates = chosen.map(({ fate }) => fate);
  for (const job of chosen) job.fate = 'open';
  const canMove = model.canMove(plan);
  chosen.forEach((job, index) => {
    job.fate = fates[index] ?? job.fate;
  });
  return canMove;
}

function recoverCancelled(model: Model, plan: ModelPlan): void {
  if (plan.isStarted) retryJobs(model, plan, undefined, undefined);
  plan.isEnded = false;
  pause(plan);
}
