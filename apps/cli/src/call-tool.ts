import {
  type Baton,
  type Caller,
  type CallOutcome,
  contentText,
  createCaller,
  escapeControls,
} from '@baton/core';
import { onTerminal } from './answer-questions.ts';
import { type Io, print } from './io.ts';

/** Calls a tool for a person at a terminal and prints its result. Returns the exit code. */
export async function callTool(
  io: Io,
  baton: Baton,
  name: string,
  args: unknown,
  format: 'json' | 'text',
): Promise<number> {
  const interrupted = new AbortController();
  const onSignal = () => interrupted.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  const outcome = await callAndAnswer(io, baton, name, args, interrupted.signal);
  const data = outcome.kind === 'result' ? outcome.data : outcome.error;
  if (format === 'json') await print(io.stdout, JSON.stringify(data, null, 2));
  else if (outcome.kind === 'result') await print(io.stdout, contentText(outcome.content));
  else await print(io.stderr, outcome.text);
  if (outcome.kind === 'result') return 0;
  return outcome.error.code === 'invalid_input' ? 2 : 1;
}

/** Calls a tool, and again with the answers as long as it asks. */
export async function callAndAnswer(
  io: Io,
  baton: Baton,
  name: string,
  args: unknown,
  signal: AbortSignal,
  answering = onTerminal(io),
): Promise<Exclude<CallOutcome, { kind: 'question' }>> {
  const caller = callerOf(io);
  let answers: Readonly<Record<string, unknown>> = {};
  for (;;) {
    const outcome = await baton.call(name, args, {
      signal,
      caller,
      can: answering.can,
      isTerminal: true,
      answers,
      clientLog(level, message) {
        if (baton.log.isEnabled(level)) io.stderr.write(`${escapeControls(message)}\n`);
      },
    });
    if (outcome.kind !== 'question') return outcome;
    answers = { ...answers, ...(await answering.answer(outcome.requests, signal)) };
  }
}

/** The person at the terminal. */
export function callerOf({ env: { USER, USERNAME, LOGNAME } }: Io): Caller {
  return createCaller(undefined, USER ?? USERNAME ?? LOGNAME);
}
