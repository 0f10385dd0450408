import { type ClientAbilities, type ClientRequests, escapeLine } from '@baton/core';
import { type FormField, formFields } from '@baton/mcp';
import { type Io, print } from './io.ts';
import { isYes, readLine } from './read-line.ts';

/** Who answers what tools ask; `null` stands for a question declined. */
export interface Answering {
  readonly can: ClientAbilities;
  answer(requests: ClientRequests, signal: AbortSignal): Promise<Record<string, unknown>>;
}

/** Whether a person sits at both ends: only then can anything be asked. */
export function isTerminal({ stdin, stdout }: Io): boolean {
  return Boolean(stdin.isTTY && stdout.isTTY);
}

/** The person at the terminal, if there is one. */
export function onTerminal(io: Io): Answering {
  return {
    can: { ask: isTerminal(io), sample: false, roots: false },
    answer: (requests, signal) => answerQuestions(io, requests, signal),
  };
}

/** For `--yes`: a question that only wants a yes gets it, every other one is declined. */
export const sayingYes: Answering = {
  can: { ask: true, sample: false, roots: false },
  async answer(requests) {
    const answers = Object.entries(requests).map(([key, request]) => {
      const wanted = request.kind === 'ask' ? Object.keys(request.schema.shape) : [];
      return [key, wanted.length === 1 && wanted[0] === 'yes' ? { yes: true } : null];
    });
    return Object.fromEntries(answers);
  },
};

/** Shows each question of a tool and reads the answers. */
async function answerQuestions(
  io: Io,
  requests: ClientRequests,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const [key, request] of Object.entries(requests)) {
    if (request.kind !== 'ask') throw new TypeError(`${request.kind} was never offered`);
    await print(io.stdout, `${request.message}\n\n`);
    answers[key] = await fillIn(io, formFields(request.schema), signal);
  }
  return answers;
}

async function fillIn(io: Io, fields: readonly FormField[], signal: AbortSignal) {
  const filled: Record<string, unknown> = {};
  for (const field of fields) {
    const value = await askField(io, field, signal);
    if (value !== undefined) filled[field.name] = value;
    else if (field.isRequired || signal.aborted) return null;
  }
  return filled;
}

/** `undefined` if there is no answer. */
async function askField(io: Io, field: FormField, signal: AbortSignal): Promise<unknown> {
  const { name, description, type, choices } = field;
  const isFlag = type === 'boolean';
  const hint = isFlag ? ' [y/N]' : choices ? ` (${choices.join(', ')})` : ':';
  io.stdout.write(`${escapeLine(`${description ?? name}${hint}`)} `);
  const typed = await readLine(io.stdin, signal);
  // The cursor stands behind the question: what follows begins on a line of its own.
  if (typed === undefined) io.stdout.write('\n');
  if (typed === undefined || isFlag) return typed === undefined ? undefined : isYes(typed);
  const text = typed.trim();
  if (text === '') return undefined;
  const isNumber = (type === 'number' || type === 'integer') && !Number.isNaN(Number(text));
  return isNumber ? Number(text) : text;
}
