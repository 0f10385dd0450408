import type { ToolContext } from '@baton/core';
import { BatonError } from '@baton/core';
import { selectPlan } from './job-queries.ts';
import { findJob, findPlan, type Job, type Plan, planTopic } from './plan-repository.ts';
import type { PlanPorts } from './ports.ts';
import { isMoving } from './states.ts';
import { showDiff } from './views/diff-view.ts';
import { showEvidence } from './views/evidence-view.ts';
import { showFailure } from './views/failure-view.ts';
import { showGraph } from './views/graph-view.ts';
import { showAttempts, showJob } from './views/job-view.ts';
import { listJobs } from './views/jobs-view.ts';
import { findLog, readLog } from './views/log-view.ts';
import { brief, progressOf, summarize } from './views/summary.ts';

export interface PlanLook {
  readonly plan: string;
  readonly view:
    | 'summary'
    | 'jobs'
    | 'graph'
    | 'job'
    | 'logs'
    | 'attempts'
    | 'failure'
    | 'evidence'
    | 'diff';
  readonly job?: string | undefined;
  readonly attempt?: number | undefined;
  readonly from?: number | undefined;
  readonly waitSeconds?: number | undefined;
}

const LOOK_EVERY_MS = 50;

/** What is needed of a call while it waits. */
export type Waiting = Pick<ToolContext, 'signal' | 'draining' | 'progress'>;

/** One view of a plan, perhaps after waiting for what it shows to happen. */
export async function lookAtPlan(ports: PlanPorts, query: PlanLook, call: Waiting) {
  const { store, workspace, workers } = ports;
  const plan = await store.read((tx) => findPlan(tx, workspace, query.plan));
  if (isMoving(plan.state)) await workers.ensure();
  if (!query.waitSeconds) return show(ports, plan, query);

  const late = new AbortController();
  // Not AbortSignal.timeout: that would not keep a process that has nothing else to do.
  const timer = setTimeout(() => late.abort(), query.waitSeconds * 1000);
  const signal = AbortSignal.any([late.signal, call.signal, call.draining]);
  const pace = pacemaker(ports, LOOK_EVERY_MS);
  const read = async () => {
    await pace();
    const { found, progress } = await store.read(async (tx) => {
      const [found = await findPlan(tx, workspace, plan.id)] = await selectPlan(tx, plan);
      return { found, progress: await progressOf(tx, found) };
    });
    call.progress(progress);
    return { found, isEnough: !isMoving(found.state) || (await hasHappened(ports, found, query)) };
  };
  // Output is told of by a topic of its own.
  const interest = query.view === 'logs' ? {} : { workspace, topic: planTopic(plan.id) };
  try {
    const found = await store.changes.until(interest, read, signal);
    return await show(ports, found, query);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether what the call waits for is there, although the plan goes on. */
async function hasHappened(ports: PlanPorts, plan: Plan, query: PlanLook): Promise<boolean> {
  const { job: asked, view, from = 0 } = query;
  if (!asked) return false;
  const job = await ports.store.read((tx) => findJob(tx, plan.id, asked));
  if (view !== 'logs') return ['succeeded', 'failed', 'cancelled', 'blocked'].includes(job.state);
  const { isOver, end } = await showLogs(ports, plan, job, query);
  return isOver || end > from;
}

/** A plan can change hundreds of times in a second: each look is at least so long after the last. */
function pacemaker({ clock }: PlanPorts, everyMs: number): () => Promise<void> {
  let last: number | undefined;
  return async () => {
    const rest = last === undefined ? 0 : last + everyMs - clock.monotonic();
    if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
    last = clock.monotonic();
  };
}

async function show(ports: PlanPorts, plan: Plan, query: PlanLook) {
  const now = ports.clock.now();
  const asked = query.job;
  const job = asked ? await ports.store.read((tx) => findJob(tx, plan.id, asked)) : undefined;
  return { ...brief(plan), ...(await showView(ports, plan, job, query, now)) };
}

type Shown = Partial<Awaited<ReturnType<typeof summarize>>> &
  Partial<{
    list: Awaited<ReturnType<typeof listJobs>>;
    graph: Awaited<ReturnType<typeof showGraph>>;
    job: Awaited<ReturnType<typeof showJob>>;
    logs: Awaited<ReturnType<typeof readLog>>;
    attempts: Awaited<ReturnType<typeof showAttempts>>;
    failure: Awaited<ReturnType<typeof showFailure>>;
    evidence: Awaited<ReturnType<typeof showEvidence>>;
    diff: Awaited<ReturnType<typeof showDiff>>;
    problem: string;
  }>;

async function showView(
  ports: PlanPorts,
  plan: Plan,
  job: Job | undefined,
  query: PlanLook,
  now: number,
): Promise<Shown> {
  const { store, logs } = ports;
  switch (query.view) {
    case 'summary':
      return showSummary(ports, plan, now);
    case 'jobs':
      return { list: await store.read((tx) => listJobs(tx, plan, query, now)) };
    case 'graph':
      return { graph: await store.read((tx) => showGraph(tx, plan, now)) };
    case 'failure':
      return {
        failure: await showFailure((work) => store.read(work), logs, plan, query.job, now),
      };
    case 'job': {
      const { id } = existing(job);
      return { job: await store.read((tx) => showJob(tx, plan, id, now)) };
    }
    case 'attempts': {
      const { id } = existing(job);
      return { attempts: await store.read((tx) => showAttempts(tx, plan.id, id, now)) };
    }
    case 'evidence':
      return { evidence: await store.read((tx) => showEvidence(tx, plan.id, query, now)) };
    case 'diff':
      return { diff: await showDiff(store, ports.repositories, plan, query) };
    case 'logs':
      return { logs: await showLogs(ports, plan, existing(job), query) };
  }
}

async function showSummary({ store, workers }: PlanPorts, plan: Plan, now: number) {
  const problem = isMoving(plan.state) ? await workers.problem() : undefined;
  const summary = await store.read((tx) => summarize(tx, plan, now));
  return { ...summary, ...(problem && { problem }) };
}

async function showLogs({ store, logs }: PlanPorts, plan: Plan, job: Job, query: PlanLook) {
  const place = await store.read((tx) => findLog(tx, plan, job, query.attempt));
  if (place) return readLog(logs, place, query);
  const isOver = !isMoving(plan.state);
  return { attempt: 0, from: 0, next: 0, end: 0, truncated: false, isOver, text: '' };
}

function existing(job: Job | undefined): Job {
  if (job) return job;
  throw new BatonError('job_needed', 'This view is of one job.', 'Pass its id in `job`.');
}
