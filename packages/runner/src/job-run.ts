import { readFileSync, statSync } from 'node:fs';
import { BatonError } from '@baton/core';
import {
  type Claimed,
  type FailureReason,
  type JobTicket,
  jobTicket,
  neededOutputs,
  parseOutputs,
  type Result,
  runSettings,
  type Sealer,
  type TicketWork,
} from '@baton/plans/jobs';
import type { LogFiles, Store } from '@baton/store';
import { jobCommand } from './job-command.ts';
import { jobEnvironment } from './job-environment.ts';
import { jobFolder } from './job-folder.ts';
import { JobLog } from './job-log.ts';
import { outputFile, removeOutputs } from './output-file.ts';
import type { Point } from './points.ts';
import { type Ending, type JobProcess, startJobProcess } from './processes/job-process.ts';
import { endTracked } from './processes/tracked-processes.ts';

export interface JobSurroundings {
  readonly store: Store;
  readonly logs: LogFiles;
  readonly sealer: Sealer;
  /** Where jobs write their outputs. */
  readonly folder: string;
  readonly graceMs: number;
  onStart(claimed: Claimed, pid: number): void;
  onPoint(point: Point, claimed: Claimed): void;
}

/** How an attempt ended, or that it waits for a ticket from now on. */
export type Outcome = Result | { readonly kind: 'parked'; readonly ticket: JobTicket };

type Stopping = 'stop' | 'release' | 'timeout' | 'log failed';

const MAX_OUTPUT_BYTES = 512 * 1024;

/** One attempt at a job, from what an earlier one may have left to the last byte of its output. */
export class JobRun {
  readonly claimed: Claimed;
  readonly #around: JobSurroundings;
  readonly #outputFile: string;
  #process: JobProcess | undefined;
  #stopping: Stopping | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(claimed: Claimed, around: JobSurroundings) {
    this.claimed = claimed;
    this.#around = around;
    this.#outputFile = outputFile(around.folder, claimed.attempt.id);
  }

  /** Ends it, whatever it is doing: TERM, then KILL, to everything that it has started. */
  stop(why: Stopping, graceMs = this.#around.graceMs): void {
    this.#stopping ??= why;
    this.#process?.stop(graceMs);
  }

  async run(): Promise<Outcome> {
    try {
      await this.#endLeftovers();
      return await this.#attempt();
    } catch (error) {
      return refused(error);
    } finally {
      clearTimeout(this.#timer);
      removeOutputs(this.#around.folder, this.claimed.attempt.id);
    }
  }

  /** What an earlier attempt has left would work beside this one. */
  async #endLeftovers(): Promise<void> {
    const { unreaped } = this.claimed;
    if (unreaped.length === 0) return;
    await endTracked(new Set(unreaped), this.#around.graceMs);
    this.#around.onPoint('leftovers ended', this.claimed);
  }

  async #attempt(): Promise<Outcome> {
    const { plan, job, attempt } = this.claimed;
    const { store, sealer, logs, onPoint } = this.#around;
    const { work } = job.definition;
    if (work.type === 'ticket') return this.#handOver(work);
    const cwd = jobFolder(plan.workspace, work.cwd);
    if (!cwd) return badFolder(work.cwd ?? plan.workspace);
    const outputs = await neededOutputs(store, this.claimed, sealer);
    const env = jobEnvironment(this.claimed, sealer, outputs, this.#outputFile);
    const command = jobCommand(work, cwd, env, outputs);
    if (this.#stopping) return this.#stopped(this.#stopping);

    const log = new JobLog(logs, attempt.id, () => this.stop('log failed'));
    let hasOutput = false;
    const process = startJobProcess(command, {
      trackingId: attempt.id,
      onOutput: (chunk) => {
        if (!hasOutput) onPoint('first output', this.claimed);
        hasOutput = true;
        return log.write(chunk);
      },
    });
    this.#process = process;
    onPoint('spawned', this.claimed);
    if (process.pid !== undefined) this.#around.onStart(this.claimed, process.pid);
    this.#limit(work.timeoutSeconds);
    const ending = await process.ended;
    onPoint('exited', this.claimed);
    await log.close();
    onPoint('output closed', this.claimed);
    if (log.failure) return failed('log_failed', `Its output could not be kept: ${log.failure}`);
    return this.#stopping ? this.#stopped(this.#stopping) : this.#ended(ending);
  }

  /** No process: whoever takes the ticket does the work. */
  async #handOver(work: TicketWork): Promise<Outcome> {
    const { store, sealer } = this.#around;
    const outputs = await neededOutputs(store, this.claimed, sealer);
    if (this.#stopping) return this.#stopped(this.#stopping);
    return { kind: 'parked', ticket: jobTicket(this.claimed, work, outputs) };
  }

  #limit(seconds: number | undefined): void {
    if (seconds === undefined) return;
    this.#timer = setTimeout(() => this.stop('timeout'), seconds * 1000);
  }

  #stopped(why: Stopping): Result {
    switch (why) {
      case 'release':
        return { kind: 'released', hasRun: this.#process?.pid !== undefined };
      case 'timeout': {
        const { timeoutSeconds } = runSettings(this.claimed.job.definition.work);
        return failed('timeout', `It ran longer than ${timeoutSeconds} seconds and was ended.`);
      }
      default:
        return failed('signal', 'It was ended.');
    }
  }

  #ended(ending: Ending): Result {
    switch (ending.kind) {
      case 'not_started':
        return failed(ending.reason, ending.message);
      case 'signal':
        return { ...failed('signal', `It was ended by ${ending.signal}.`), signal: ending.signal };
      case 'exit':
        if (ending.code === 0) return { kind: 'succeeded', outputs: this.#outputs() };
        return { ...failed('exit_code', `It exited with ${ending.code}.`), exitCode: ending.code };
    }
  }

  #outputs(): Readonly<Record<string, string>> {
    const stat = statSync(this.#outputFile, { throwIfNoEntry: false });
    if (!stat) return {};
    // A job could put a pipe or a device there, and its reader would wait for ever.
    if (!stat.isFile() || stat.size > MAX_OUTPUT_BYTES) {
      throw new BatonError(
        'output_invalid',
        'What it wrote to $BATON_OUTPUT is no file or too large.',
        'Write small values there, and large ones to files of your own.',
      );
    }
    return parseOutputs(readFileSync(this.#outputFile, 'utf8'));
  }
}

function failed(reason: FailureReason, message: string) {
  return { kind: 'failed' as const, reason, message };
}

function badFolder(folder: string): Result {
  return failed('start_bad_folder', `${folder} is not a folder of the workspace.`);
}

const REFUSALS: readonly string[] = ['output_invalid', 'output_missing', 'shell_unknown'];

function refused(error: unknown): Result {
  if (error instanceof BatonError && REFUSALS.includes(error.code)) {
    return failed(error.code as FailureReason, `${error.message} ${error.next}`);
  }
  return failed(
    'internal',
    `It could not be run: ${error instanceof Error ? error.message : error}`,
  );
}
