import { mkdirSync } from 'node:fs';
import { startDetached } from '@baton/runtime';
import type { Io } from './io.ts';

/** What a worker needs of the environment; jobs get that of their plan. */
const PASSED =
  /^(PATH|HOME|USER|LOGNAME|LANG|TMPDIR|TEMP|TMP|TZ|SystemRoot|ComSpec|PATHEXT|USERPROFILE|APPDATA|LOCALAPPDATA|ELECTRON_RUN_AS_NODE|BATON_(LOG_LEVEL|MAX_JOBS|WORKER_IDLE_SECONDS))$/i;

/** Starts this same program as a worker that outlives us and everything that we belong to. */
export async function startWorker(io: Io, state: string): Promise<void> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(io.env)) {
    if (value !== undefined && PASSED.test(name)) env[name] = value;
  }
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const [program = ''] = process.argv.slice(1);
  await startDetached(
    { command: process.execPath, args: [program, 'worker', '--state', state] },
    // Not in the workspace: a process keeps the folder that it stands in from being removed.
    { env, cwd: state },
  );
}
