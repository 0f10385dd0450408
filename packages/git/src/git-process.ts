import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import type { Environment } from '@baton/core';
import { commandName, gitArguments, type Place, placeVariables } from './git-arguments.ts';
import { environmentOf, type GitCall } from './git-call.ts';
import { gitFailed, gitMissing } from './git-failure.ts';

const MIB = 1024 * 1024;
const MAX_OUTPUT = 64 * MIB;
const MAX_ERRORS = 64 * 1024;
const KILL_AFTER_MS = 5000;
/** A process that git left behind may hold its output open. */
const CLOSE_AFTER_MS = 1000;
// Git is not looked for where it works: the repository could bring one along.
const NEUTRAL_FOLDER = path.dirname(process.execPath);
// A group of its own, so that the processes that git starts end with it.
const HAS_GROUPS = process.platform !== 'win32';

export interface GitOptions {
  readonly input?: string | Uint8Array;
  readonly env?: Environment;
  /** Exit codes that are answers; others are thrown. */
  readonly accepts?: readonly number[] | 'any';
  readonly maxBytes?: number;
}

export interface GitOutput {
  readonly code: number;
  readonly bytes: Buffer;
  readonly stdout: string;
  readonly stderr: string;
}

const TOO_LARGE = 'stopped';

/** The cause of a failure that a smaller question would not have. */
export class OutputTooLarge extends Error {}

/** Starts git as it is asked to. What it reads there must have been looked at: see `runGit`. */
export async function spawnGit(
  place: Place | string,
  args: readonly string[],
  call: GitCall,
  options: GitOptions = {},
): Promise<GitOutput> {
  call.signal?.throwIfAborted();
  const { accepts = [0], input } = options;
  const command = commandName(args);
  if (args.some((arg) => arg.includes('\0'))) {
    throw gitFailed(command, 'not started', 'a name has a NUL character in it');
  }
  const child = spawn('git', gitArguments(place, args), {
    cwd: NEUTRAL_FOLDER,
    env: environmentOf(call, { ...placeVariables(place), ...options.env }),
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    windowsHide: true,
    detached: HAS_GROUPS,
  });
  // It may end without reading all of it.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
  const { code, bytes, stderr } = await outcomeOf(child, call.signal, options.maxBytes);
  if (code === TOO_LARGE) {
    throw gitFailed(command, code, 'it wrote too much', { cause: new OutputTooLarge() });
  }
  if (typeof code === 'number' && (accepts === 'any' || accepts.includes(code))) {
    return { code, bytes, stdout: bytes.toString('utf8'), stderr };
  }
  throw gitFailed(command, code, stderr);
}

interface Outcome {
  readonly code: number | string;
  readonly bytes: Buffer;
  readonly stderr: string;
}

function outcomeOf(
  child: ChildProcess,
  signal: AbortSignal | undefined,
  maxBytes = MAX_OUTPUT,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const output = collect(child.stdout, maxBytes, () => stop(child, 'SIGKILL'));
    const errors = collect(child.stderr, MAX_ERRORS, () => undefined);
    let timer: NodeJS.Timeout | undefined;
    const abort = () => {
      if (!isRunning(child)) return;
      stop(child, 'SIGTERM');
      timer = setTimeout(stop, KILL_AFTER_MS, child, 'SIGKILL');
    };
    const finish = (code: number | string, problem?: string) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      child.stdout?.destroy();
      child.stderr?.destroy();
      const stderr = problem ?? errors.bytes().toString('utf8');
      if (signal?.aborted) reject(signal.reason);
      else resolve({ code: output.isFull() ? TOO_LARGE : code, bytes: output.bytes(), stderr });
    };
    // Not before nothing has come for a while: we may have been too busy to read it.
    const finishWhenIdle = (code: number | string, seen?: number) => {
      if (output.length() === seen) return finish(code);
      timer = setTimeout(finishWhenIdle, CLOSE_AFTER_MS, code, output.length());
    };
    signal?.addEventListener('abort', abort, { once: true });
    child.once('error', (error) => {
      if (child.pid !== undefined) return;
      if ('code' in error && error.code === 'ENOENT') reject(gitMissing(error));
      finish('not started', error.message);
    });
    child.once('exit', (code, killed) => {
      clearTimeout(timer);
      finishWhenIdle(code ?? killed ?? 'ended');
    });
    child.once('close', (code, killed) => finish(code ?? killed ?? 'ended'));
  });
}

function collect(stream: ChildProcess['stdout'], max: number, whenFull: () => void) {
  const chunks: Buffer[] = [];
  let length = 0;
  stream?.on('data', (chunk: Buffer) => {
    const room = max - length;
    length += chunk.length;
    if (room > 0) chunks.push(chunk.subarray(0, room));
    if (room >= 0 && length > max) whenFull();
  });
  return {
    bytes: () => Buffer.concat(chunks),
    length: () => length,
    isFull: () => length > max,
  };
}

function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

function stop(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined || !isRunning(child)) return;
  try {
    if (HAS_GROUPS) process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch {
    // It has just ended.
  }
}
