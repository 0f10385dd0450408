import type { ChangeFeed, Clock, Log } from '@baton/core';
import type { FolderSource } from '@baton/folders';
import type { EngineProgram } from './engine/engine-child.ts';

/** What data is connected with. */
export interface DataPorts {
  /** In the order of precedence. */
  readonly sources: readonly FolderSource[];
  /** Where records are kept in the engine's own form. Nobody else writes there. */
  readonly cacheFolder: string;
  /** The program that runs the engine. */
  readonly program: EngineProgram;
  /** Files from which the engine's package is looked for, in order. */
  readonly packagesOf: readonly string[];
  /** The folder that the engine can be installed into. */
  readonly installInto: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly changes: ChangeFeed;
}
