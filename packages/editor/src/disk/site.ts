import type { Log } from '@baton/core';
import type { Turns } from '@baton/folders';
import type { Point } from './points.ts';
import type { WorkspaceFiles } from './workspace-files.ts';

/** What every step of a change needs. */
export interface Site {
  readonly files: WorkspaceFiles;
  readonly log: Log;
  readonly turns: Turns;
  reach(point: Point): void | Promise<void>;
}
