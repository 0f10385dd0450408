import { AnswersNeeded, CannotAsk } from './asking.ts';
import type { CallContext, CallOutcome } from './call.ts';
import type { Callable } from './catalogue.ts';
import { BatonError, describeError } from './errors.ts';
import { invalidInput } from './invalid-input.ts';
import type { Clock, Ids, Log } from './ports.ts';
import { createReporter } from './progress-reporter.ts';
import { escapeData, renderText } from './render.ts';
import { escapeControls } from './text.ts';
import type { Tool, ToolContext } from './tool.ts';
import { createToolContext } from './tool-context.ts';

export interface ExecutorOptions {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** How often a silent call reports that it still runs; clients give up after about a minute. */
  readonly heartbeatMs?: number;
}

/** Everything that surrounds a tool's `run`, in one place for all tools and transports. */
export function createExecutor(options: ExecutorOptions) {
  const { clock, ids, log, heartbeatMs = 5000 } = options;

  return async function execute(
    callable: Callable,
    args: unknown,
    call: CallContext,
  ): Promise<CallOutcome> {
    const { item: tool } = callable;
    const started = clock.monotonic();
    const reporter = createReporter(call, heartbeatMs);
    let outcome: CallOutcome;
    try {
      const running = start(callable, args, call, createToolContext(tool, call, log, reporter));
      // What is done already needs no watching, which costs more than most tools do.
      const data = running instanceof Promise ? await unlessAborted(running, call.signal) : running;
      outcome = succeeded(tool, data);
    } catch (error) {
      outcome = failed(tool, error, ids, log);
    } finally {
      reporter.stop();
    }
    if (log.isEnabled('debug')) {
      const what = outcome.kind === 'error' ? outcome.error.code : outcome.kind;
      log.write('debug', `${tool.name}: ${what} in ${Math.round(clock.monotonic() - started)} ms`);
    }
    return outcome;
  };
}

function start(
  { item: tool, service, input }: Callable,
  args: unknown,
  { signal }: CallContext,
  context: ToolContext,
): object | Promise<object> {
  const given = args ?? {};
  const translated = input && isObject(given) ? input(given) : withNewNames(tool, given);
  const parsed = tool.input.safeParse(translated);
  if (!parsed.success) throw invalidInput(tool.name, tool.input, translated, parsed.error);
  if (signal.aborted) throw cancelled(signal);
  const ready = service();
  return ready instanceof Promise
    ? ready.then((made) => tool.run(made, parsed.data, context))
    : tool.run(ready, parsed.data, context);
}

/** What has both names has two values: which one is meant is not for us to say. */
function withNewNames({ olderNames }: Tool, given: unknown): unknown {
  if (!olderNames || !isObject(given)) return given;
  const entries = Object.entries(given).map(([key, value]) => {
    const newer = Object.hasOwn(olderNames, key) ? olderNames[key] : undefined;
    return [newer === undefined || Object.hasOwn(given, newer) ? key : newer, value];
  });
  return Object.fromEntries(entries);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function succeeded(tool: Tool, data: object): CallOutcome {
  const checked = tool.output.safeParse(data);
  if (!checked.success) {
    throw new TypeError(`${tool.name} returned data that its output schema refuses`, {
      cause: checked.error,
    });
  }
  const safe = escapeData(checked.data);
  const content = tool.content
    ? escapeData(tool.content(safe))
    : [{ type: 'text' as const, text: renderText(safe) }];
  return { kind: 'result', data: safe, content };
}

function failed(tool: Tool, error: unknown, ids: Ids, log: Log): CallOutcome {
  if (error instanceof AnswersNeeded) return { kind: 'question', requests: error.requests };
  if (error instanceof BatonError) return errorOutcome(error);
  const fault = ids.next();
  log.write('error', `${tool.name}: fault ${fault}: ${describeError(error)}`);
  return errorOutcome(
    new BatonError(
      'internal_error',
      `${tool.name} failed inside Baton (fault ${fault}).`,
      `Try once more; if it fails again, look for ${fault} in Baton's log (\`baton doctor\` says where it is).`,
    ),
  );
}

function errorOutcome(error: BatonError): CallOutcome {
  const report = {
    code: error.code,
    message: escapeControls(error.message),
    next: escapeControls(error.next),
  };
  return {
    kind: 'error',
    error: report,
    text: `${report.message}\nNext: ${report.next}`,
    ...(error instanceof CannotAsk && { missing: error.missing }),
  };
}

function cancelled({ reason }: AbortSignal): BatonError {
  if (reason instanceof BatonError) return reason;
  return new BatonError(
    'cancelled',
    'The call was cancelled.',
    'Call again if it is still wanted.',
  );
}

/** A tool that ignores its signal still ends for the caller at once. */
function unlessAborted<T>(running: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(cancelled(signal));
    // From the next turn on: most calls end in this one, before any client can cancel.
    const nextTurn = setImmediate(() => {
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      stopWatching = () => signal.removeEventListener('abort', onAbort);
    });
    let stopWatching = () => clearImmediate(nextTurn);
    running.then(
      (value) => {
        stopWatching();
        resolve(value);
      },
      (error) => {
        stopWatching();
        reject(error);
      },
    );
  });
}
