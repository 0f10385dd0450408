import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { BatonError } from '@baton/core';
import { TRACKING_VARIABLE } from './living-process.ts';
import { isRunning } from './process-table.ts';

export interface DetachedProgram {
  readonly command: string;
  readonly args: readonly string[];
}

export interface DetachedOptions {
  readonly env: Record<string, string>;
  readonly cwd: string;
  /** A file that gets what it says on stderr, instead of what was in it. */
  readonly stderr?: string;
}

/** A program that goes its own way. */
export interface Detached {
  isRunning(): Promise<boolean>;
  /** The end of what it has said on stderr, if that went to a file. */
  lastWords(): string;
}

const LONGEST_COMPLAINT = 4_000;

/*
 * Runs in the process between. The environment is handed on, not written into the arguments,
 * which everybody on the machine can read.
 */
const starter = `
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const { command, args, runAsNode, stderr } = JSON.parse(process.argv[1]);
const env = { ...process.env };
if (!runAsNode) delete env.ELECTRON_RUN_AS_NODE;
const open = () => {
  try { return fs.openSync(stderr, 'w', 0o600); } catch { return 'ignore'; }
};
const fail = (error) => { process.stderr.write(error.message); process.exitCode = 1; };
try {
  const stdio = ['ignore', 'ignore', stderr ? open() : 'ignore'];
  const options = { env, detached: true, stdio, windowsHide: true };
  const child = spawn(command, args, options);
  child.once('error', fail);
  child.once('spawn', () => { process.stdout.write(String(child.pid)); child.unref(); });
} catch (error) {
  fail(error);
}`;

/**
 * Starts a program that outlives us, whoever ends us and how. A child of ours would die with
 * VS Code's process tree however detached it is, so a process between starts it and exits.
 */
export async function startDetached(
  { command, args }: DetachedProgram,
  { env, cwd, stderr }: DetachedOptions,
): Promise<Detached> {
  const { [TRACKING_VARIABLE]: _, ...untracked } = env;
  const runAsNode = 'ELECTRON_RUN_AS_NODE' in env;
  const program = JSON.stringify({ command, args, runAsNode, stderr });
  const { fault, said } = await run(['-e', starter, '--', program], {
    cwd,
    // Inside VS Code we are Electron, and without this it would open another window.
    env: { ...untracked, ELECTRON_RUN_AS_NODE: env['ELECTRON_RUN_AS_NODE'] ?? '1' },
    // Some refusals are thrown, others arrive.
  }).catch((error: Error) => ({ fault: error.message, said: '' }));
  if (fault === undefined) return detached(Number(said), stderr);
  const next = 'Check that the program exists and may be run, and that the folder is there.';
  throw new BatonError('worker_not_started', `${command} did not start: ${fault}`, next);
}

function detached(pid: number, stderr: string | undefined): Detached {
  return {
    isRunning: () => isRunning(pid),
    lastWords() {
      if (stderr === undefined) return '';
      try {
        return readFileSync(stderr, 'utf8').trim().slice(-LONGEST_COMPLAINT);
      } catch {
        return '';
      }
    },
  };
}

interface Between {
  /** What went wrong, if anything did. */
  readonly fault: string | undefined;
  readonly said: string;
}

function run(args: string[], options: DetachedOptions): Promise<Between> {
  return new Promise((resolve) => {
    const between = spawn(process.execPath, args, {
      ...options,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    let [said, complaint] = ['', ''];
    between.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    between.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(-LONGEST_COMPLAINT);
    });
    between.once('error', ({ message }) => resolve({ fault: message, said }));
    between.once('close', (code, signal) => {
      const how = signal ?? `exit code ${code}`;
      const words = complaint.trim() || `the process between ended by ${how}`;
      resolve({ fault: code === 0 ? undefined : words, said });
    });
  });
}
