import type { Asking, CheckDefinition, Clock, Environment, Ids, Trust } from '@baton/core';
import type { LogFiles, Store, Transaction } from '@baton/store';
import type { Sealer } from './environment.ts';
import type { GitSettings } from './git-settings.ts';
import type { WorktreeRow } from './worktrees.ts';

/** Whoever makes work runnable makes sure that somebody runs it. */
export interface Workers {
  /** Starts a worker if none lives, and sees to it that one does while there is work. */
  ensure(): Promise<void>;
  /** Why nothing may be running although it could; `undefined` while a worker lives. */
  problem(): Promise<string | undefined>;
}

/** Files of the workspace, and of nowhere else. */
export interface WorkspaceFiles {
  read(file: string): Promise<{ readonly text: string; readonly source: string }>;
}

/** The tickets that jobs wait for. They belong to another feature. */
export interface JobTickets {
  /** Makes the ticket of a job, in the same transaction in which the job begins to wait. */
  open(tx: Transaction, ticket: JobTicket): Promise<{ readonly id: string; readonly ref: string }>;
  /** Nobody waits for it any more. Does nothing if it is over. */
  cancel(tx: Transaction, id: string, why: string): Promise<void>;
}

export interface JobTicket {
  readonly workspace: string;
  readonly title: string;
  readonly body: string;
  readonly kind: 'agent' | 'person' | 'question';
  readonly priority?: number | undefined;
  readonly labels: readonly string[];
  readonly assignee?: string | undefined;
  readonly checks: readonly CheckDefinition[];
  readonly maxAttempts?: number | undefined;
  /** Who asks, for people: `job build of plan 4f1c…`. */
  readonly by: string;
}

/** The git repositories of the workspace. */
export interface Repositories {
  /**
   * Throws unless jobs can work in these, and asks a person where a repository would have commands
   * run or files copied. Returns what each would begin with now.
   */
  examine(
    settings: GitSettings,
    repositories: readonly string[],
    asking: Asking,
  ): Promise<readonly FoundRepository[]>;
  /** Throws unless it is the name of a branch that results may land on. */
  requireTarget(repository: string, target: string, intoDefault: boolean): Promise<void>;
  /** What differs between two commits. */
  stat(root: string, from: string, to: string): Promise<DiffStat>;
  patch(root: string, from: string, to: string): Promise<string>;
  /**
   * Keeps what people have done in a worktree that is to be removed, and returns the ref that has it;
   * `undefined` if nobody has changed anything. Throws if it cannot be kept.
   */
  saveWork(worktree: WorktreeRow): Promise<string | undefined>;
}

export interface FoundRepository {
  readonly repository: string;
  readonly root: string;
  /** A commit. */
  readonly base: string;
}

export interface DiffStat {
  readonly files: number;
  readonly insertions: number;
  readonly deletions: number;
  readonly paths: readonly {
    readonly path: string;
    /** Unknown for what is no text. */
    readonly insertions: number | undefined;
    readonly deletions: number | undefined;
  }[];
}

export interface PlanPorts {
  readonly store: Store;
  readonly logs: LogFiles;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly workspace: string;
  readonly sealer: Sealer;
  readonly trust: Trust;
  readonly files: WorkspaceFiles;
  readonly workers: Workers;
  readonly tickets: JobTickets;
  readonly repositories: Repositories;
  /** What jobs may see of the environment of this process. */
  readonly environment: Environment;
}
