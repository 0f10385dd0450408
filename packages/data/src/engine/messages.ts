import type { Bound, EngineFailure, Result } from './engine.ts';

/** What a process that runs the engine is told. */
export type ToEngine =
  | {
      readonly type: 'run';
      readonly id: number;
      readonly sql: string;
      readonly values: readonly Bound[];
      readonly rows: number;
    }
  | { readonly type: 'interrupt'; readonly id: number };

/** What it answers. */
export type FromEngine =
  | { readonly type: 'ready' }
  | { readonly type: 'missing'; readonly message: string }
  | { readonly type: 'result'; readonly id: number; readonly result: Result }
  | {
      readonly type: 'error';
      readonly id: number;
      readonly failure: EngineFailure;
      readonly message: string;
    };

/** How the process is told where it may work. */
export interface EngineSettings {
  /** The one folder whose files it may read and write. */
  readonly folder: string;
  /** Of the engine itself. */
  readonly memoryMegabytes: number;
  /** Of the whole process: it ends itself beyond this. */
  readonly processMegabytes: number;
  readonly threads: number;
  /** Files from which the engine's package is looked for, in order. */
  readonly packagesOf: readonly string[];
}

/** The code that it exits with when it has taken too much memory. */
export const MEMORY_EXIT = 71;
