import type { Clock, Environment, Ids, Trust } from '@baton/core';
import type { LogFiles, Store } from '@baton/store';
import type { Sealer } from './environment.ts';

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
  /** What jobs may see of the environment of this process. */
  readonly environment: Environment;
}
