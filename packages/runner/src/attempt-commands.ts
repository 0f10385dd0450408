import { createHash } from 'node:crypto';
import type { FailureReason } from '@baton/plans/jobs';
import type { JobLog } from './job-log.ts';
import {
  type Ending,
  type JobProcess,
  type ProcessCommand,
  startJobProcess,
} from './processes/job-process.ts';

export type Stopping = 'stop' | 'release' | 'timeout' | 'log failed';

export interface CommandHooks {
  /** Its process runs. */
  onSpawned(pid: number | undefined): void;
  onFirstOutput(): void;
  onExited(): void;
}

export interface CommandEnd {
  readonly ending: Ending;
  /** SHA-256 of all that it said, where somebody wants to know. */
  readonly digest: string | undefined;
}

const SILENT: CommandHooks = { onSpawned() {}, onFirstOutput() {}, onExited() {} };

/** The commands of one attempt, one after the other, and one way to end whatever runs. */
export class AttemptCommands {
  readonly #trackingId: string;
  readonly #graceMs: number;
  readonly #log: JobLog;
  readonly #stopped = new AbortController();
  #process: JobProcess | undefined;
  #hasRun = false;
  #stopping: Stopping | undefined;
  #timer: NodeJS.Timeout | undefined;
  #limit = 0;

  constructor(trackingId: string, graceMs: number, log: JobLog) {
    this.#trackingId = trackingId;
    this.#graceMs = graceMs;
    this.#log = log;
  }

  /** Why it is being ended. */
  get stopping(): Stopping | undefined {
    return this.#stopping;
  }

  /** For what runs beside processes of its own. */
  get signal(): AbortSignal {
    return this.#stopped.signal;
  }

  get hasRun(): boolean {
    return this.#hasRun;
  }

  /** Whatever it is doing: TERM, then KILL, to everything that it has started. */
  stop(why: Stopping, graceMs = this.#graceMs): void {
    this.#stopping ??= why;
    this.#process?.stop(graceMs);
    this.#stopped.abort();
  }

  async run(
    command: ProcessCommand,
    options: { readonly timeoutSeconds?: number | undefined; readonly isEvidence?: boolean } = {},
    hooks: CommandHooks = SILENT,
  ): Promise<CommandEnd> {
    const hash = options.isEvidence ? createHash('sha256') : undefined;
    let hasOutput = false;
    const process = startJobProcess(command, {
      trackingId: this.#trackingId,
      onOutput: (chunk) => {
        if (!hasOutput) hooks.onFirstOutput();
        hasOutput = true;
        hash?.update(chunk);
        return this.#log.write(chunk);
      },
    });
    this.#process = process;
    if (process.pid !== undefined) this.#hasRun = true;
    hooks.onSpawned(process.pid);
    this.#limitTo(options.timeoutSeconds);
    // Asked for before there was a process to be ended.
    if (this.#stopping) process.stop(this.#graceMs);
    const ending = await process.ended;
    clearTimeout(this.#timer);
    this.#process = undefined;
    hooks.onExited();
    return { ending, digest: hash?.digest('hex') };
  }

  #limitTo(seconds: number | undefined): void {
    if (seconds === undefined) return;
    this.#limit = seconds;
    this.#timer = setTimeout(() => this.stop('timeout'), seconds * 1000);
  }

  /** What it means for the attempt that it was ended. */
  stopped(why: Stopping) {
    switch (why) {
      case 'release':
        return { kind: 'released', hasRun: this.#hasRun } as const;
      case 'timeout':
        return failed('timeout', `It ran longer than ${this.#limit} seconds and was ended.`);
      default:
        return failed('signal', 'It was ended.');
    }
  }
}

export function failed(reason: FailureReason, message: string) {
  return { kind: 'failed' as const, reason, message };
}

/** How a command ended that did not end well; `undefined` if it did. */
export function failureOf(ending: Ending, what = 'It') {
  switch (ending.kind) {
    case 'not_started':
      return failed(ending.reason, ending.message);
    case 'signal':
      return {
        ...failed('signal', `${what} was ended by ${ending.signal}.`),
        signal: ending.signal,
      };
    case 'exit':
      if (ending.code === 0) return undefined;
      return {
        ...failed('exit_code', `${what} exited with ${ending.code}.`),
        exitCode: ending.code,
      };
  }
}
