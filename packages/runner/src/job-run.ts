import { BatonError } from '@baton/core';
import {
  type Claimed,
  type FailureReason,
  type JobTicket,
  jobTicket,
  type LandingWork,
  neededOutputs,
  type Result,
  type RunningWork,
  type Sealer,
  type TicketWork,
} from '@baton/plans/jobs';
import type { LogFiles, Store } from '@baton/store';
import { AttemptCommands, failed, failureOf, type Stopping } from './attempt-commands.ts';
import { jobCommand } from './job-command.ts';
import { jobEnvironment } from './job-environment.ts';
import { jobFolder } from './job-folder.ts';
import { JobLog } from './job-log.ts';
import { readOutputs } from './job-outputs.ts';
import { outputFile, removeOutputs } from './output-file.ts';
import type { Point } from './points.ts';
import { endTracked } from './processes/tracked-processes.ts';
import type { GitGround } from './worktree/git-ground.ts';

export interface JobSurroundings {
  readonly store: Store;
  readonly logs: LogFiles;
  readonly sealer: Sealer;
  /** Where jobs write their outputs. */
  readonly folder: string;
  readonly graceMs: number;
  readonly git: GitGround;
  onStart(claimed: Claimed, pid: number): void;
  onPoint(point: Point, claimed: Claimed): void;
}

/** How an attempt ended, or that it waits for a ticket from now on. */
export type Outcome = Result | { readonly kind: 'parked'; readonly ticket: JobTicket };

/** One attempt at a job, from what an earlier one may have left to the last byte of its output. */
export class JobRun {
  readonly claimed: Claimed;
  readonly #around: JobSurroundings;
  readonly #outputFile: string;
  readonly #log: JobLog;
  readonly #commands: AttemptCommands;

  constructor(claimed: Claimed, around: JobSurroundings) {
    const { id } = claimed.attempt;
    this.claimed = claimed;
    this.#around = around;
    this.#outputFile = outputFile(around.folder, id);
    this.#log = new JobLog(around.logs, id, () => this.stop('log failed'));
    this.#commands = new AttemptCommands(id, around.graceMs, this.#log);
  }

  /** Ends it, whatever it is doing: TERM, then KILL, to everything that it has started. */
  stop(why: Stopping, graceMs = this.#around.graceMs): void {
    this.#commands.stop(why, graceMs);
  }

  async run(): Promise<Outcome> {
    try {
      await this.#endLeftovers();
      return await this.#attempt();
    } catch (error) {
      return this.#refused(error);
    } finally {
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
    const { work } = this.claimed.job.definition;
    if (work.type === 'ticket') return this.#handOver(work);
    const running = this.claimed.git ? this.#inWorktree() : this.#inWorkspace(work);
    const result = await running.catch((error: unknown) => this.#refused(error));
    await this.#log.close();
    this.#around.onPoint('output closed', this.claimed);
    const { failure } = this.#log;
    return failure ? failed('log_failed', `Its output could not be kept: ${failure}`) : result;
  }

  #refused(error: unknown): Result {
    const { stopping } = this.#commands;
    return stopping ? this.#commands.stopped(stopping) : refused(error);
  }

  async #inWorkspace(work: RunningWork | LandingWork): Promise<Result> {
    const { plan } = this.claimed;
    if (work.type === 'land') throw new Error('There is nothing to land without git');
    const cwd = jobFolder(plan.workspace, work.cwd);
    if (!cwd) return badFolder(work.cwd ?? plan.workspace);
    return this.#runWork(work, cwd);
  }

  async #inWorktree(): Promise<Result> {
    const { git, store } = this.#around;
    const { WorktreeRun } = await import('./worktree/worktree-run.ts');
    const run = new WorktreeRun(this.claimed, {
      git,
      store,
      log: this.#log,
      commands: this.#commands,
      runWork: (work, cwd) => this.#runWork(work, cwd),
      environment: () => this.#environment(),
      onPoint: (point) => this.#around.onPoint(point, this.claimed),
    });
    return run.run();
  }

  async #environment() {
    const { store, sealer } = this.#around;
    const outputs = await neededOutputs(store, this.claimed, sealer);
    return { outputs, env: jobEnvironment(this.claimed, sealer, outputs, this.#outputFile) };
  }

  async #runWork(work: RunningWork, cwd: string): Promise<Result & { digest?: string }> {
    const { onPoint, onStart } = this.#around;
    const { env, outputs } = await this.#environment();
    const command = jobCommand(work, cwd, env, outputs);
    const { stopping } = this.#commands;
    if (stopping) return this.#commands.stopped(stopping);
    const isEvidence = this.claimed.git !== undefined;
    const { timeoutSeconds } = work;
    const { ending, digest } = await this.#commands.run(
      command,
      { timeoutSeconds, isEvidence },
      {
        onSpawned: (pid) => {
          onPoint('spawned', this.claimed);
          if (pid !== undefined) onStart(this.claimed, pid);
        },
        onFirstOutput: () => onPoint('first output', this.claimed),
        onExited: () => onPoint('exited', this.claimed),
      },
    );
    if (this.#commands.stopping) return this.#commands.stopped(this.#commands.stopping);
    const failure = failureOf(ending);
    const said = digest === undefined ? {} : { digest };
    if (failure) return { ...failure, ...said };
    return { kind: 'succeeded', outputs: readOutputs(this.#outputFile), ...said };
  }

  /** No process: whoever takes the ticket does the work. */
  async #handOver(work: TicketWork): Promise<Outcome> {
    const { store, sealer } = this.#around;
    const outputs = await neededOutputs(store, this.claimed, sealer);
    const { stopping } = this.#commands;
    if (stopping) return this.#commands.stopped(stopping);
    return { kind: 'parked', ticket: jobTicket(this.claimed, work, outputs) };
  }
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
