import { type Asking, type ClientAbilities, createAsking, NO_ABILITIES } from './asking.ts';
import type { CallContext } from './call.ts';
import type { Caller } from './caller.ts';
import type { Log, LogLevel } from './ports.ts';
import type { Reporter } from './progress-reporter.ts';
import { escapeControls } from './text.ts';
import type { Progress, Tool, ToolContext } from './tool.ts';

const NEVER = new AbortController().signal;
const NOBODY: Caller = Object.freeze({});

/** What a tool may use while it runs. Most use little of it, so each part is made when asked for. */
class RunningContext implements ToolContext {
  readonly signal: AbortSignal;
  readonly draining: AbortSignal;
  readonly can: ClientAbilities;
  readonly isTerminal: boolean;
  readonly progress: (update: Progress) => void;
  readonly #tool: Tool;
  readonly #call: CallContext;
  readonly #parentLog: Log;
  #log: Log | undefined;
  #asking: Asking | undefined;

  constructor(tool: Tool, call: CallContext, log: Log, reporter: Reporter) {
    this.signal = call.signal;
    this.draining = call.draining ?? NEVER;
    this.can = call.can ?? NO_ABILITIES;
    this.isTerminal = call.isTerminal ?? false;
    this.progress = reporter.report;
    this.#tool = tool;
    this.#call = call;
    this.#parentLog = log;
  }

  get caller(): Caller {
    return this.#call.caller ?? NOBODY;
  }

  get log(): Log {
    this.#log ??= forwardingLog(this.#parentLog.child(this.#tool.name), this.#call);
    return this.#log;
  }

  get ask(): Asking['ask'] {
    return this.#ask().ask;
  }

  get askAll(): Asking['askAll'] {
    return this.#ask().askAll;
  }

  #ask(): Asking {
    this.#asking ??= createAsking(this.#tool.name, this.#call);
    return this.#asking;
  }
}

export function createToolContext(
  tool: Tool,
  call: CallContext,
  log: Log,
  reporter: Reporter,
): ToolContext {
  return new RunningContext(tool, call, log, reporter);
}

/** The tool's own log, which the client may listen to. */
function forwardingLog(own: Log, call: CallContext): Log {
  return {
    isEnabled: (level) => own.isEnabled(level),
    child: (name) => own.child(name),
    write(level: LogLevel, message: string) {
      own.write(level, message);
      if (!call.signal.aborted) call.clientLog?.(level, escapeControls(message));
    },
  };
}
