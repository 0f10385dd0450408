import { spawn } from 'node:child_process';
import { BatonError } from '@baton/core';
import { TRACKING_VARIABLE } from './living-process.ts';

export interface DetachedProgram {
  readonly command: string;
  readonly args: readonly string[];
}

export interface DetachedOptions {
  readonly env: Record<string, string>;
  readonly cwd: string;
}

const LONGEST_COMPLAINT = 4_000;

/*
 * Runs in the process between. The environment is handed on, not written into the arguments,
 * which everybody on the machine can read.
 */
const starter = `
const { spawn } = require('node:child_process');
const { command, args, runAsNode } = JSON.parse(process.argv[1]);
const env = { ...process.env };
if (!runAsNode) delete env.ELECTRON_RUN_AS_NODE;
const fail = (error) => { process.stderr.write(error.message); process.exitCode = 1; };
try {
  const options = { env, detached: true, stdio: 'ignore', windowsHide: true };
  const child = spawn(command, args, options);
  child.once('error', fail);
  child.once('spawn', () => child.unref());
} catch (error) {
  fail(error);
}`;

/**
 * Starts a program that outlives us, whoever ends us and how. A child of ours would die with
 * VS Code's process tree however detached it is, so a process between starts it and exits.
 */
export async function startDetached(
  { command, args }: DetachedProgram,
  { env, cwd }: DetachedOptions,
): Promise<void> {
  const { [TRACKING_VARIABLE]: _, ...untracked } = env;
  const runAsNode = 'ELECTRON_RUN_AS_NODE' in env;
  const program = JSON.stringify({ command, args, runAsNode });
  const fault = await run(['-e', starter, '--', program], {
    cwd,
    // Inside VS Code we are Electron, and without this it would open another window.
    env: { ...untracked, ELECTRON_RUN_AS_NODE: env['ELECTRON_RUN_AS_NODE'] ?? '1' },
    // Some refusals are thrown, others arrive.
  }).catch((error: Error) => error.message);
  if (fault === undefined) return;
  const next = 'Check that the program exists and may be run, and that the folder is there.';
  throw new BatonError('worker_not_started', `${command} did not start: ${fault}`, next);
}

/** What went wrong, if anything did. */
function run(args: string[], options: DetachedOptions): Promise<string | undefined> {
  return new Promise((resolve) => {
    const between = spawn(process.execPath, args, {
      ...options,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
      windowsHide: true,
    });
    let complaint = '';
    between.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(-LONGEST_COMPLAINT);
    });
    between.once('error', ({ message }) => resolve(message));
    between.once('close', (code, signal) => {
      const how = signal ?? `exit code ${code}`;
      resolve(code === 0 ? undefined : complaint.trim() || `the process between ended by ${how}`);
    });
  });
}
