import { type Baton, contentText, escapeControls } from '@baton/core';
import { type Io, print } from './io.ts';

/** Calls a tool for a person at a terminal. Returns the exit code. */
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
  const outcome = await baton.call(name, args, {
    signal: interrupted.signal,
    clientLog(level, message) {
      if (baton.log.isEnabled(level)) io.stderr.write(`${escapeControls(message)}\n`);
    },
  });
  if (outcome.kind === 'question') throw new Error('a question, although nobody can answer it');
  const data = outcome.kind === 'result' ? outcome.data : outcome.error;
  if (format === 'json') await print(io.stdout, JSON.stringify(data, null, 2));
  else if (outcome.kind === 'result') await print(io.stdout, contentText(outcome.content));
  else await print(io.stderr, outcome.text);
  if (outcome.kind === 'result') return 0;
  return outcome.error.code === 'invalid_input' ? 2 : 1;
}
