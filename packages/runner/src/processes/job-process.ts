import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { isInTime } from './in-time.ts';
import { JobFamily } from './job-family.ts';
import { JobOutput } from './job-output.ts';
import { TRACKING_VARIABLE } from './living-process.ts';
import type { ProcessCommand } from './process-command.ts';
import { type NotStarted, notStarted } from './start-failure.ts';

export type { ProcessCommand } from './process-command.ts';

export type Ending =
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'signal'; readonly signal: string }
  | NotStarted;

export interface JobProcess {
  readonly pid: number | undefined;
  /**
   * Never rejects. Resolves once the process and everything in its group are gone and its output
   * has been read to the end, or given up on. `leftovers`: how many processes outlived it and
   * were ended for that.
   */
  readonly ended: Promise<Ending & { readonly leftovers: number }>;
  /**
   * TERM to the group and to those who left it with the tracking id, after the grace KILL. Called
   * again, it can only shorten the grace.
   */
  stop(graceMs: number): void;
}

export interface JobProcessOptions {
  readonly trackingId: string;
  /** The process is made to wait until this is done, and nothing piles up. Must not reject. */
  readonly onOutput: (chunk: Buffer) => Promise<unknown> | undefined;
  /** What a process that leaves others behind gives these, from TERM to KILL. */
  readonly leftoverGraceMs?: number;
}

const LEFTOVER_GRACE_MS = 500;
/** Somebody who left job and environment behind may hold the output open for ever. */
const OUTPUT_LIMIT_MS = 2_000;

export function startJobProcess(command: ProcessCommand, options: JobProcessOptions): JobProcess {
  let child: ChildProcess;
  try {
    child = spawnLeader(command, options.trackingId);
  } catch (error) {
    return failed(Promise.resolve(notStarted(error as Error, command)));
  }
  const { pid } = child;
  if (pid === undefined) {
    return failed(once(child, 'error').then(([error]) => notStarted(error as Error, command)));
  }
  const output = new JobOutput(child, options.onOutput);
  const family = new JobFamily(pid, options.trackingId);
  return {
    pid,
    ended: endOf(child, output, family, options.leftoverGraceMs ?? LEFTOVER_GRACE_MS),
    stop: (graceMs) => family.stop(graceMs),
  };
}

function spawnLeader({ file, args, cwd, env, ...rest }: ProcessCommand, id: string): ChildProcess {
  return spawn(file, args, {
    cwd,
    env: { ...env, [TRACKING_VARIABLE]: id },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that one signal reaches all. On Windows it would get a console.
    detached: process.platform !== 'win32',
    windowsHide: true,
    windowsVerbatimArguments: rest.verbatimArguments ?? false,
  });
}

function failed(ending: Promise<NotStarted>): JobProcess {
  return {
    pid: undefined,
    ended: ending.then((found) => ({ ...found, leftovers: 0 })),
    stop: () => {},
  };
}

async function endOf(
  child: ChildProcess,
  output: JobOutput,
  family: JobFamily,
  leftoverGraceMs: number,
) {
  const closed = new Promise((resolve) => child.once('close', resolve));
  // Not 'close': a process in the background that holds the output would put it off for ever.
  const ending = await new Promise<Ending>((resolve) => {
    child.once('exit', (code, signal) => {
      resolve(signal === null ? { kind: 'exit', code: code ?? 0 } : { kind: 'signal', signal });
    });
  });
  const leftovers = await family.endLeftovers(leftoverGraceMs, closed);
  await output.taken();
  if (!(await isInTime(closed, OUTPUT_LIMIT_MS))) output.close();
  return { ...ending, leftovers };
}
