import { isTerminal } from './answer-questions.ts';
import type { Io } from './io.ts';
import { readAll } from './read-all.ts';
import { readLine } from './read-line.ts';
import { UsageError } from './usage-error.ts';

/** A text of the command line; `-` stands for what comes in. */
export async function givenText(io: Io, text: string): Promise<string> {
  if (text !== '-') return text;
  const read = (await readAll(io.stdin)).trimEnd();
  if (read === '') throw new UsageError('Nothing came in.', 'Pipe the text into it.');
  return read;
}

/** The same, and what is not given is asked of the person at the terminal. */
export async function wantedText(
  io: Io,
  text: string | undefined,
  question: string,
  signal: AbortSignal,
): Promise<string> {
  if (text !== undefined) return givenText(io, text);
  if (!isTerminal(io)) {
    throw new UsageError(
      'The text is missing, and nobody can be asked here: this is not a terminal.',
      'Give it as the last word, or - to read it from the input.',
    );
  }
  io.stdout.write(`${question} `);
  const typed = (await readLine(io.stdin, signal))?.trim();
  if (!typed) throw new UsageError('Nothing was typed. Nothing was changed.');
  return typed;
}
