import { mkdirSync } from 'node:fs';
import { passedEnvironment, startDetached } from '@baton/runtime';
import type { Io } from './io.ts';

/** What a worker needs besides what every program does; jobs get the environment of their plan. */
const OWN = [
  'ELECTRON_RUN_AS_NODE',
  'BATON_LOG_LEVEL',
  'BATON_KEEP_AWAKE',
  'BATON_MAX_JOBS',
  'BATON_WORKER_IDLE_SECONDS',
];

/** Starts this same program as a worker that outlives us and everything that we belong to. */
export async function startWorker(io: Io, state: string): Promise<void> {
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const [program = ''] = process.argv.slice(1);
  await startDetached(
    { command: process.execPath, args: [program, 'worker', '--state', state] },
    // Not in the workspace: a process keeps the folder that it stands in from being removed.
    { env: { ...passedEnvironment(io.env, OWN) }, cwd: state },
  );
}
