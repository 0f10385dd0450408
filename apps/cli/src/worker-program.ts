import { mkdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { BatonError, stateUnwritable } from '@baton/core';
import { passedEnvironment, startDetached, type WorkerProgram } from '@baton/runtime';
import type { Io } from './io.ts';

/** What a worker needs besides what every program does; jobs get the environment of their plan. */
const OWN = [
  'ELECTRON_RUN_AS_NODE',
  'BATON_LOG_LEVEL',
  'BATON_KEEP_AWAKE',
  'BATON_MAX_JOBS',
  'BATON_WORKER_IDLE_SECONDS',
];
/** Tells a worker that nobody reads what it says. */
export const DETACHED = 'BATON_WORKER_DETACHED';
const STDERR_FILE = 'worker-stderr.log';

const NEXT =
  'Install Baton again and restart this client. What was accepted runs as soon as a worker starts.';

/** This same program as a worker that outlives us and everything that we belong to. */
export function createWorkerProgram(io: Io, state: string): WorkerProgram {
  const [file = ''] = process.argv.slice(1);
  const before = { program: stampOf(file), beside: stampBeside(file) };
  return {
    problem() {
      const now = stampOf(file);
      if (!now) return `${gone(file)} ${NEXT}`;
      if (now === before.program) return undefined;
      return `${file} was replaced since this process began: restart this client.`;
    },
    async start() {
      const now = stampOf(file);
      if (!now) throw new BatonError('worker_not_started', gone(file), NEXT);
      const isDoubtful = now !== before.program || stampBeside(file) !== before.beside;
      makeStateFolder(state);
      const started = await startDetached(
        { command: process.execPath, args: [file, 'worker', '--state-dir', state] },
        {
          env: { ...passedEnvironment(io.env, OWN), [DETACHED]: '1' },
          // Not in the workspace: a process keeps the folder that it stands in from being removed.
          cwd: state,
          stderr: path.join(state, STDERR_FILE),
        },
      );
      return { ...started, isDoubtful };
    },
  };
}

function makeStateFolder(state: string): void {
  try {
    mkdirSync(state, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw stateUnwritable(state, error);
  }
}

/** Changes with the program; `undefined` if it is gone. Each `status` asks for it. */
function stampOf(file: string): string | undefined {
  try {
    const { ino, size, mtimeNs } = statSync(file, { bigint: true });
    return [ino, size, mtimeNs].join();
  } catch {
    return undefined;
  }
}

/** The same of the folder with the parts that the program loads. */
function stampBeside(file: string): string | undefined {
  try {
    return stampOf(path.dirname(realpathSync.native(file)));
  } catch {
    return undefined;
  }
}

function gone(file: string): string {
  return `The program ${file} is gone.`;
}
