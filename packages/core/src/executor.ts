import type { CallContext, CallOutcome } from './call.ts';
import { BatonError } from './errors.ts';
import { invalidInput } from './invalid-input.ts';
import type { Clock, Ids, Log, LogLevel } from './ports.ts';
import { escapeData, renderText } from './render.ts';
import { escapeControls } from './text.ts';
import type { Progress, Question, Tool, ToolContext } from './tool.ts';

export interface ExecutorOptions {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** How often a silent call reports that it still runs; clients give up after about a minute. */
  readonly heartbeatMs?: number;
}

export interface BoundTool {
  readonly tool: Tool;
  service(): unknown;
}

const NEVER = new AbortController().signal;

/** Ends a run that needs an answer first. Only the executor sees it. */
class AnswerNeeded extends Error {
  readonly question: Question;
  constructor(question: Question) {
    super(`Waits for an answer to ${question.key}`);
    this.question = question;
  }
}

/** Everything that surrounds a tool's `run`, in one place for all tools and transports. */
export function createExecutor(options: ExecutorOptions) {
  const { clock, ids, log, heartbeatMs = 5000 } = options;

  return async function execute(
    bound: BoundTool,
    args: unknown,
    call: CallContext,
  ): Promise<CallOutcome> {
    const { tool } = bound;
    const started = clock.monotonic();
    const reporter = createReporter(call, heartbeatMs);
    let outcome: CallOutcome;
    try {
      const running = start(bound, args, call, toolContext(tool, call, log, reporter));
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
  { tool, service }: BoundTool,
  args: unknown,
  { signal }: CallContext,
  context: ToolContext,
): object | Promise<object> {
  const parsed = tool.input.safeParse(args ?? {});
  if (!parsed.success) throw invalidInput(tool.name, tool.input, parsed.error);
  if (signal.aborted) throw cancelled(signal);
  const ready = service();
  return ready instanceof Promise
    ? ready.then((made) => tool.run(made, parsed.data, context))
    : tool.run(ready, parsed.data, context);
}

function succeeded(tool: Tool, data: object): CallOutcome {
  const checked = tool.output.safeParse(data);
  if (!checked.success) {
    throw new TypeError(`${tool.name} returned data that its output schema refuses`, {
      cause: checked.error,
    });
  }
  const safe = escapeData(checked.data);
  return { kind: 'result', data: safe, text: renderText(safe) };
}

function failed(tool: Tool, error: unknown, ids: Ids, log: Log): CallOutcome {
  if (error instanceof AnswerNeeded) return { kind: 'question', question: error.question };
  if (error instanceof BatonError) return errorOutcome(error);
  const fault = ids.next();
  const stack = error instanceof Error ? describe(error) : String(error);
  log.write('error', `${tool.name}: fault ${fault}: ${stack}`);
  return errorOutcome(
    new BatonError(
      'internal_error',
      `${tool.name} failed inside Baton (fault ${fault}).`,
      `Try once more; if it fails again, look for ${fault} in Baton's log (\`baton doctor\` says where it is).`,
    ),
  );
}

function describe(error: Error): string {
  const own = error.stack ?? String(error);
  return error.cause instanceof Error ? `${own}\ncaused by ${describe(error.cause)}` : own;
}

function errorOutcome(error: BatonError): CallOutcome {
  const report = {
    code: error.code,
    message: escapeControls(error.message),
    next: escapeControls(error.next),
  };
  return { kind: 'error', error: report, text: `${report.message}\nNext: ${report.next}` };
}

function toolContext(tool: Tool, call: CallContext, log: Log, reporter: Reporter): ToolContext {
  const own = log.child(tool.name);
  const forwarding: Log = {
    isEnabled: (level) => own.isEnabled(level),
    child: (name) => own.child(name),
    write(level: LogLevel, message: string) {
      own.write(level, message);
      if (!call.signal.aborted) call.clientLog?.(level, escapeControls(message));
    },
  };
  return {
    signal: call.signal,
    draining: call.draining ?? NEVER,
    log: forwarding,
    progress: reporter.report,
    canAsk: call.canAsk ?? false,
    ask(question) {
      const answer = call.answers?.[question.key];
      if (answer === null) return undefined;
      if (answer !== undefined) {
        const parsed = question.schema.safeParse(answer);
        if (parsed.success) return parsed.data;
      }
      if (!call.canAsk) {
        throw new BatonError(
          'cannot_ask',
          `${tool.name} has a question, and this client cannot show it: ${question.message}`,
          'Use a client that supports elicitation, or give the answer in the arguments where the tool takes it.',
        );
      }
      throw new AnswerNeeded(question);
    },
  };
}

interface Reporter {
  report(update: Progress): void;
  stop(): void;
}

const SILENT: Reporter = { report() {}, stop() {} };

/** Forwards progress while the call runs, rising as the protocol demands, and fills silences. */
function createReporter(call: CallContext, heartbeatMs: number): Reporter {
  const send = call.progress;
  if (!send) return SILENT;
  let last = 0;
  let ended = false;
  let heardFromTool = false;
  const report = (update: Progress) => {
    if (ended || call.signal.aborted || update.progress <= last) return;
    last = update.progress;
    heardFromTool = true;
    send(update);
  };
  const timer = setInterval(() => {
    if (call.signal.aborted) return;
    // A tool's own scale must not be disturbed, yet each value has to be larger than the last.
    last += heardFromTool ? 1e-6 : heartbeatMs / 1000;
    send({ progress: last, message: 'still running' });
  }, heartbeatMs);
  return {
    report,
    stop() {
      ended = true;
      clearInterval(timer);
    },
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
    signal.addEventListener('abort', onAbort, { once: true });
    running.then(
      (value) => {
        signal.removeEventListener('abort', onAbort);
        resolve(value);
      },
      (error) => {
        signal.removeEventListener('abort', onAbort);
        reject(error);
      },
    );
  });
}
