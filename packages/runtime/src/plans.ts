import path from 'node:path';
import type { Environment, Log, Ports } from '@baton/core';
import type { PlanPorts } from '@baton/plans';
import type { OnPoint, StartedWorker, WorkerMode } from '@baton/runner';
import type { Store } from '@baton/store';
import { type Crossing, createCrossing } from './crossing.ts';
import { createRepositories } from './repositories.ts';
import type { StoreAccess } from './store-access.ts';
import { machineUptime, systemIds } from './system-ports.ts';
import { createApprovals } from './trust/approvals.ts';
import { readWorkspaceFile } from './workspace-file.ts';

export interface PlanSettings {
  readonly state: string;
  /** What jobs may see of the environment of this process. */
  readonly environment: Environment;
  readonly workerMode: WorkerMode;
  readonly worker: WorkerSettings;
  readonly workerProgram: WorkerProgram;
}

/** What workers are started from, which may change while this process runs. */
export interface WorkerProgram {
  /** Why it cannot be started now, or not as it was, as far as can be told without trying. */
  problem(): string | undefined;
  /** Starts a worker that outlives this process. */
  start(): Promise<StartedWorker | undefined>;
}

export interface WorkerSettings {
  readonly maxJobs: number;
  readonly idleSeconds: number;
  readonly keepAwake: boolean;
  readonly onPoint?: OnPoint | undefined;
}

/** From TERM to KILL. */
const GRACE_MS = 5000;
/** A server has to be gone two seconds after its client. */
const INLINE_GRACE_MS = 500;

/** What plans are connected with, and what tickets need of that. */
export type Connected = PlanPorts & { readonly crossing: Crossing };

/** Connects plans with this process, on first use. */
export function connectPlans(access: StoreAccess, settings: PlanSettings) {
  return async ({ clock, ids, log, trust, workspace }: Ports): Promise<Connected> => {
    const { createWorkers } = await import('@baton/runner');
    const store = await access.open();
    const { workerMode } = settings;
    const ground = await createGround(store, settings);
    const startInline = async (): Promise<undefined> => {
      const worker = await createWorker(access, settings, log);
      const working = worker.run().then(
        () => {},
        (error: unknown) => log.write('error', `the worker failed: ${error}`),
      );
      access.beforeClose(() => {
        worker.leave(INLINE_GRACE_MS);
        return working;
      });
    };
    const start = workerMode === 'inline' ? startInline : () => settings.workerProgram.start();
    return {
      store,
      clock,
      ids,
      trust,
      ...ground,
      tickets: ground.crossing.tickets,
      workspace: workspace.path,
      repositories: createRepositories(workspace.path, settings.environment, trust, store),
      files: { read: async (file) => readWorkspaceFile(workspace.path, file) },
      workers: createWorkers({ store, log: log.child('workers'), mode: workerMode, start }),
    };
  };
}

export async function createWorker(
  access: StoreAccess,
  { state, worker, environment }: Pick<PlanSettings, 'state' | 'worker' | 'environment'>,
  log: Log,
) {
  const store = await access.open();
  const [{ KeepAwake, Worker }, { conclude }] = await Promise.all([
    import('@baton/runner'),
    import('@baton/tickets/work'),
  ]);
  const { logs, sealer, crossing } = await createGround(store, { state, environment: {} });
  const acting = { store, ids: systemIds, uptime: machineUptime, workers: AT_WORK, ...crossing };
  return new Worker({
    store,
    log: log.child('worker'),
    ids: systemIds,
    logs,
    sealer,
    tickets: crossing.tickets,
    onPlansEnded() {
      conclude(acting).catch((error: unknown) => {
        log.write('warn', `checks of tickets are left to whoever looks next: ${error}`);
      });
    },
    label: `worker ${process.pid}`,
    folder: path.join(state, 'jobs'),
    worktrees: path.join(state, 'worktrees'),
    trust: createApprovals(access),
    environment,
    userLimit: worker.maxJobs,
    idleMs: worker.idleSeconds * 1000,
    graceMs: GRACE_MS,
    ...(worker.keepAwake && { awake: new KeepAwake(log.child('worker')) }),
    ...(worker.onPoint && { onPoint: worker.onPoint }),
  });
}

/** In a worker there is one. */
const AT_WORK = { ensure: async () => {}, problem: async () => undefined };

/** What jobs are run with, in a worker, or only read and written. */
async function createGround(
  store: Store,
  { state, environment }: Pick<PlanSettings, 'state' | 'environment'>,
) {
  const [{ LogFiles }, { createSealer }] = await Promise.all([
    import('@baton/store'),
    import('./sealer.ts'),
  ]);
  const logs = new LogFiles(store, { folder: path.join(state, 'job-logs') });
  const ground = { logs, environment, sealer: createSealer(state) };
  return { ...ground, crossing: await createCrossing({ ...ground, store, ids: systemIds }) };
}

/** Starts a program that outlives us. */
export async function startDetached(
  ...args: Parameters<typeof import('@baton/runner').startDetached>
): ReturnType<typeof import('@baton/runner').startDetached> {
  const runner = await import('@baton/runner');
  return runner.startDetached(...args);
}
