import type { Cell } from '../model.ts';

export type Bound = string | number | boolean | null;

export interface Result {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly Cell[])[];
  /** Whether there were more rows than were wanted, or than fit. */
  readonly isCut: boolean;
}

export interface RunOptions {
  /** For `?` in the statement, in order. */
  readonly values?: readonly Bound[];
  /** At most so many rows are returned; the rest is not computed if it need not be. */
  readonly rows?: number;
  /** It is ended after so long. */
  readonly seconds?: number;
  readonly signal?: AbortSignal;
}

/** What runs SQL. It reads and writes files of one folder of ours, and no others. */
export interface Engine {
  run(sql: string, options?: RunOptions): Promise<Result>;
}

export type EngineFailure =
  /** The statement is wrong, or cannot be computed from these values. */
  | 'statement'
  | 'time'
  | 'memory'
  /** A file could not be written: there is no room, or the disk fails. */
  | 'disk'
  /** The engine's process has ended by itself. */
  | 'crash'
  | 'cancelled'
  /** The engine is not installed. */
  | 'missing';

export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly failure: EngineFailure;

  constructor(failure: EngineFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
  }
}

/** An identifier in SQL. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text in SQL, for where no value can be bound. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
