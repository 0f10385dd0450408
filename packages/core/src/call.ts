import type { AskedBefore, ClientAbility, ClientRequests } from './asking.ts';
import type { Caller } from './caller.ts';
import type { Content, Message } from './content.ts';
import type { ErrorReport } from './errors.ts';
import type { LogLevel } from './ports.ts';
import type { Progress } from './tool.ts';

/** What a transport knows about one call. Everything but the signal is optional for it. */
export interface CallContext extends AskedBefore {
  readonly signal: AbortSignal;
  readonly draining?: AbortSignal;
  readonly caller?: Caller;
  readonly progress?: (update: Progress) => void;
  /** Passes what a tool logs on to the client. */
  readonly clientLog?: (level: LogLevel, message: string) => void;
}

/** The run has ended with requests to the client; with the answers it starts again. */
interface Questions {
  readonly kind: 'question';
  readonly requests: ClientRequests;
}

export type CallOutcome =
  | { readonly kind: 'result'; readonly data: object; readonly content: readonly Content[] }
  | {
      readonly kind: 'error';
      readonly error: ErrorReport;
      readonly text: string;
      /** What the client would have to declare for the call to succeed. */
      readonly missing?: readonly ClientAbility[];
    }
  | Questions;

export type PromptOutcome =
  | { readonly kind: 'messages'; readonly messages: readonly Message[] }
  | Questions;
