import path from 'node:path';
import { BatonError, type Environment, type Log, type Ports } from '@baton/core';
import type { JobTickets, PlanPorts } from '@baton/plans';
import type { OnPoint, WorkerMode } from '@baton/runner';
import type { Store } from '@baton/store';
import type { StoreAccess } from './store-access.ts';
import { systemIds } from './system-ports.ts';
import { readWorkspaceFile } from './workspace-file.ts';

export interface PlanSettings {
  readonly state: string;
  /** What jobs may see of the environment of this process. */
  readonly environment: Environment;
  readonly workerMode: WorkerMode;
  readonly worker: WorkerSettings;
  /** Starts a worker that outlives this process. */
  startWorker(): Promise<void>;
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

const NO_TICKETS: JobTickets = {
  async open() {
    const next = 'Let the job run a command instead.';
    throw new BatonError('tickets_unavailable', 'There are no tickets here yet.', next);
  },
  async cancel() {},
};

/** Connects plans with this process, on first use. */
export function connectPlans(access: StoreAccess, settings: PlanSettings) {
  return async ({ clock, ids, log, trust, workspace }: Ports): Promise<PlanPorts> => {
    const [{ createWorkers }, { LogFiles }, { createSealer }] = await Promise.all([
      import('@baton/runner'),
      import('@baton/store'),
      import('./sealer.ts'),
    ]);
    const store = await access.open();
    const { state, environment, workerMode } = settings;
    const startInline = async () => {
      const worker = await createWorker(store, settings, log);
      const working = worker.run().then(
        () => {},
        (error: unknown) => log.write('error', `the worker failed: ${error}`),
      );
      access.beforeClose(() => {
        worker.leave(INLINE_GRACE_MS);
        return working;
      });
    };
    const start = workerMode === 'inline' ? startInline : () => settings.startWorker();
    return {
      store,
      clock,
      ids,
      trust,
      environment,
      workspace: workspace.path,
      logs: new LogFiles(store, { folder: jobLogs(state) }),
      sealer: createSealer(state),
      files: { read: async (file) => readWorkspaceFile(workspace.path, file) },
      tickets: NO_TICKETS,
      workers: createWorkers({ store, log: log.child('workers'), mode: workerMode, start }),
    };
  };
}

export async function createWorker(
  store: Store,
  { state, worker }: Pick<PlanSettings, 'state' | 'worker'>,
  log: Log,
) {
  const [{ KeepAwake, Worker }, { LogFiles }, { createSealer }] = await Promise.all([
    import('@baton/runner'),
    import('@baton/store'),
    import('./sealer.ts'),
  ]);
  return new Worker({
    store,
    log: log.child('worker'),
    ids: systemIds,
    logs: new LogFiles(store, { folder: jobLogs(state) }),
    sealer: createSealer(state),
    tickets: NO_TICKETS,
    label: `worker ${process.pid}`,
    folder: path.join(state, 'jobs'),
    userLimit: worker.maxJobs,
    idleMs: worker.idleSeconds * 1000,
    graceMs: GRACE_MS,
    ...(worker.keepAwake && { awake: new KeepAwake(log.child('worker')) }),
    ...(worker.onPoint && { onPoint: worker.onPoint }),
  });
}

/** Starts a program that outlives us. */
export async function startDetached(
  ...args: Parameters<typeof import('@baton/runner').startDetached>
): Promise<void> {
  const runner = await import('@baton/runner');
  return runner.startDetached(...args);
}

function jobLogs(state: string): string {
  return path.join(state, 'job-logs');
}
