import { setTimeout as pause } from 'node:timers/promises';
import { BatonError, describeError, escapeLine, type Log, truncate } from '@baton/core';
import { hasLeftovers, loseJob, QUEUE, type Workers } from '@baton/plans/jobs';
import { expireLeases, LeaseWatch, type Reading, readyGroups, type Store } from '@baton/store';
import type { Detached } from './processes/detached-program.ts';
import { WORKER_LEASE } from './worker.ts';

/** `auto`: a process of its own; `inline`: in this process; `off`: somebody else sees to it. */
export type WorkerMode = 'auto' | 'inline' | 'off';

export interface WorkersOptions {
  readonly store: Store;
  readonly log: Log;
  readonly mode: WorkerMode;
  /** Starts one that outlives us, or for `inline` one in this process: then there is nothing to watch. */
  start(): Promise<StartedWorker | undefined>;
}

/** A worker that was started, as far as can be told before it has its seat. */
export interface StartedWorker extends Detached {
  /** Its program is not the one that this process began with: it may be half of a new one. */
  readonly isDoubtful: boolean;
}

/** While there is work, it is looked after this often that a worker lives. */
const LOOK_MS = 3000;
/** A worker needs a moment to begin; meanwhile no second one is started. */
const START_MS = 5000;

const WATCH_MS = 50;
/** Of what a worker has said last. */
const MAX_LINES = 5;
const MAX_WORDS = 500;

const IN_VAIN =
  'Workers were started and are gone again; their logs are where `baton doctor` says.';
/** Nothing that was accepted is lost. */
const NEXT =
  'Install Baton again and restart this client. What was accepted runs as soon as a worker starts.';

/** Sees to it that somebody runs jobs as long as this process lives, and longer if all goes well. */
export function createWorkers({ store, log, mode, start }: WorkersOptions): Workers {
  const watch = new LeaseWatch(store.clock, store.processes);
  let timer: NodeJS.Timeout | undefined;
  let startedAt: number | undefined;
  let problem: string | undefined;
  /** Since a worker was last seen. */
  let starts = 0;

  const look = async () => {
    await expireLeases(store, watch, loseJob);
    return store.read(async (tx) => ({
      hasWorker: await isHeld(tx, WORKER_LEASE),
      hasWork: await hasOpenWork(tx),
    }));
  };
  const startOne = async () => {
    const now = store.clock.monotonic();
    if (startedAt !== undefined && now - startedAt < START_MS) return;
    startedAt = now;
    starts += 1;
    try {
      const started = await start();
      if (starts > 2) problem ??= IN_VAIN;
      if (!started) return;
      const watching = watchStart(started);
      if (started.isDoubtful) await watching;
      else watching.catch((error: unknown) => log.write('debug', `cannot watch: ${error}`));
    } catch (error) {
      // None is on its way: the next look may try again.
      startedAt = undefined;
      problem = `No worker could be started: ${describe(error)}`;
      log.write('error', problem);
    }
  };
  /** Until the worker has its seat, or another one has; what ends before that has failed. */
  const watchStart = async (started: StartedWorker) => {
    const until = store.clock.monotonic() + START_MS;
    const hasWorker = () => store.read((tx) => isHeld(tx, WORKER_LEASE));
    while (store.clock.monotonic() < until) {
      const isRunning = await started.isRunning();
      if (await hasWorker()) {
        problem = undefined;
        return;
      }
      if (!isRunning) break;
      await pause(WATCH_MS, undefined, { ref: false });
    }
    if (await started.isRunning()) return;
    // It may have found that there is nothing left to do.
    const { hasWorker: isSeated, hasWork } = await look();
    if (isSeated || !hasWork) return;
    const words = truncate(escapeLine(reasonIn(started.lastWords())), MAX_WORDS);
    problem = `The worker that was started ended at once: ${words || 'it said nothing.'} ${NEXT}`;
    log.write('error', problem);
  };
  const ensure = async () => {
    if (mode === 'off') return;
    const { hasWorker, hasWork } = await look();
    if (hasWorker) [problem, starts] = [undefined, 0];
    else if (hasWork) await startOne();
    clearTimeout(timer);
    timer = hasWork ? setTimeout(again, LOOK_MS).unref() : undefined;
  };
  const again = () => {
    ensure().catch((error: unknown) => log.write('debug', `cannot look for workers: ${error}`));
  };

  return {
    ensure,
    async problem() {
      const hasWorker = await store.read((tx) => isHeld(tx, WORKER_LEASE));
      if (hasWorker) return undefined;
      if (mode !== 'off') return problem;
      return 'No worker runs jobs, and none is started (BATON_WORKER=off): start `baton worker`.';
    },
  };
}

/** Node.js names an error above its stack, and below the line of the program that it is about. */
function reasonIn(lastWords: string): string {
  const lines = lastWords.split('\n').filter(Boolean);
  return lines.findLast((line) => /^\w*Error\b/.test(line)) ?? lines.slice(-MAX_LINES).join(' ');
}

function describe(error: unknown): string {
  return error instanceof BatonError ? `${error.message} ${error.next}` : describeError(error);
}

async function isHeld({ db }: Reading, name: string): Promise<boolean> {
  const row = await db
    .selectFrom('leases')
    .select('name')
    .where('name', '=', name)
    .where('owner', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** What runs, or could: jobs of a plan that is paused wait for a person. */
async function hasOpenWork(tx: Reading): Promise<boolean> {
  const gates = await tx.db
    .selectFrom('gates')
    .select('grp')
    .where('queue', '=', QUEUE)
    .where('paused', '=', 1)
    .execute();
  const paused = new Set(gates.map(({ grp }) => grp));
  const groups = await readyGroups(tx, QUEUE);
  if (groups.some(({ group }) => !paused.has(group))) return true;
  const running = await tx.db
    .selectFrom('work')
    .select('id')
    .where('queue', '=', QUEUE)
    .where('state', '=', 'running')
    .limit(1)
    .executeTakeFirst();
  return running !== undefined || (await hasLeftovers(tx));
}
