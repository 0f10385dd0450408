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

/**
 * The last words on stderr of a process that has taken too much memory. It cannot tell it by an exit
 * code, because only a kill ends it while a statement runs.
 */
export const MEMORY_WORDS = 'The engine took too much memory.';
