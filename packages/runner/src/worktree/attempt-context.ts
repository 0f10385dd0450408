import type { Environment } from '@baton/core';
import type { GitCall, Worktree } from '@baton/git';
import type { Claimed, GitPart, Result, RunningWork } from '@baton/plans/jobs';
import type { Store } from '@baton/store';
import type { AttemptCommands } from '../attempt-commands.ts';
import type { Outputs } from '../job-command.ts';
import type { JobLog } from '../job-log.ts';
import type { Point } from '../points.ts';
import type { GitGround, WorkspaceRepository } from './git-ground.ts';
import type { StepRecords } from './step-records.ts';

/** What an attempt in a worktree is given by the one that runs all attempts. */
export interface WorktreeSurroundings {
  readonly git: GitGround;
  readonly store: Store;
  readonly log: JobLog;
  readonly commands: AttemptCommands;
  /** Runs the work itself, in this folder. */
  runWork(work: RunningWork, cwd: string): Promise<Result & { digest?: string }>;
  environment(): Promise<{ readonly env: Environment; readonly outputs: Outputs }>;
  onPoint(point: Point): void;
}

/** What all phases of an attempt share. */
export interface AttemptContext extends WorktreeSurroundings {
  readonly claimed: Claimed;
  readonly part: GitPart;
  readonly repository: WorkspaceRepository;
  readonly call: GitCall;
  readonly steps: StepRecords;
}

/** The folder of an attempt, and the commit that it began with. */
export interface AttemptTree {
  readonly worktree: Worktree;
  readonly start: string;
}
