import type { Asking, CheckDefinition, Clock, Ids, Log, Trust } from '@baton/core';
import type { Reading, Store, Transaction } from '@baton/store';
import type { Ticket } from './ticket-repository.ts';

/** Runs the checks of tickets. Belongs to another feature. */
export interface CheckRuns {
  /** Begins, in the transaction of the caller. Returns the id of the run. */
  start(tx: Transaction, run: CheckRun): Promise<string>;
  /** Which of these runs are over. */
  ended(tx: Reading, runs: readonly string[]): Promise<string[]>;
  /** What came of a run that is over. */
  evidence(run: string): Promise<Evidence>;
  /** Its outcome does not matter any more. */
  cancel(tx: Transaction, run: string): Promise<void>;
}

export interface CheckRun {
  readonly workspace: string;
  readonly title: string;
  readonly checks: readonly CheckDefinition[];
  /** They run in a clean worktree with this commit; without it in the workspace as it is. */
  readonly commit?: string | undefined;
}

export interface Evidence {
  readonly verdict: 'passed' | 'failed' | 'cancelled';
  /** Where they ran: in the workspace as it was, with whatever was changed there. */
  readonly dirty: boolean;
  /** Or at this commit. */
  readonly commit?: string;
  readonly checks: readonly CheckEvidence[];
}

export interface CheckEvidence {
  readonly command: string;
  readonly passed: boolean;
  readonly message?: string;
  readonly seconds?: number;
  readonly exitCode?: number;
  /** Of all that it said. */
  readonly digest?: string;
  /** The end of what it said. */
  readonly output?: string;
  /** All of it. */
  readonly log: string;
}

/** Whoever makes work runnable makes sure that somebody runs it. */
interface Workers {
  ensure(): Promise<void>;
  problem(): Promise<string | undefined>;
}

/** Files of the workspace, and of nowhere else. */
interface WorkspaceFiles {
  read(file: string): Promise<{ readonly text: string; readonly source: string }>;
}

export interface TicketPorts {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly workspace: string;
  readonly trust: Trust;
  readonly files: WorkspaceFiles;
  readonly checks: CheckRuns;
  readonly workers: Workers;
  /** The commit of the workspace's repository that this means. Throws if there is none. */
  resolveCommit(commit: string, asking: Asking): Promise<string>;
  /** Tickets that may be claimed at once; 0: any number. */
  readonly maxClaims: number;
  /**
   * Milliseconds that this machine has run since it was started: the same for all its
   * processes, and nobody can set it.
   */
  uptime(): number;
  /** A ticket is done, cancelled or deleted. True if that lets work go on that needs a worker. */
  onEnded(tx: Transaction, ticket: Ticket): Promise<boolean>;
}
