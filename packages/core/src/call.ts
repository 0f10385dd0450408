import type { ErrorReport } from './errors.ts';
import type { LogLevel } from './ports.ts';
import type { Progress, Question } from './tool.ts';

/** What a transport knows about one call. Everything but the signal is optional for it. */
export interface CallContext {
  readonly signal: AbortSignal;
  readonly draining?: AbortSignal;
  readonly progress?: (update: Progress) => void;
  /** Passes what a tool logs on to the client. */
  readonly clientLog?: (level: LogLevel, message: string) => void;
  readonly canAsk?: boolean;
  /** Answers to earlier questions of this call by key; `null` means declined. */
  readonly answers?: Readonly<Record<string, unknown>>;
}

export type CallOutcome =
  | { readonly kind: 'result'; readonly data: object; readonly text: string }
  | { readonly kind: 'error'; readonly error: ErrorReport; readonly text: string }
  | { readonly kind: 'question'; readonly question: Question };
