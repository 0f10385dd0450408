import type { CallContext } from './call.ts';
import { BatonError } from './errors.ts';
import type { Log, LogLevel } from './ports.ts';
import type { Reporter } from './progress-reporter.ts';
import { escapeControls } from './text.ts';
import type { Question, Tool, ToolContext } from './tool.ts';

const NEVER = new AbortController().signal;

/** Ends a run that needs an answer first. Only the executor sees it. */
export class AnswerNeeded extends Error {
  readonly question: Question;
  constructor(question: Question) {
    super(`Waits for an answer to ${question.key}`);
    this.question = question;
  }
}

/** What a tool may use while it runs. */
export function createToolContext(
  tool: Tool,
  call: CallContext,
  log: Log,
  reporter: Reporter,
): ToolContext {
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
