import { nearest } from '@baton/core';
import { builtInTools } from '@baton/runtime';
import type { Command } from '../command.ts';
import type { Extras } from '../io.ts';
import { toolCommand } from '../tool-commands.ts';
import { UsageError } from '../usage-error.ts';
import { call } from './call.ts';
import { dataCommands } from './data/index.ts';
import { doctor } from './doctor.ts';
import { editorCommands } from './editor/index.ts';
import { inboxCommands } from './inbox/index.ts';
import { knowledgeCommands } from './knowledge/index.ts';
import { planCommands } from './plan/index.ts';
import { serve } from './serve.ts';
import { stdio } from './stdio.ts';
import { storeCommands } from './store.ts';
import { ticketCommands } from './ticket/index.ts';
import { token } from './token.ts';
import { tools } from './tools.ts';
import { trustCommands } from './trust.ts';
import { worker } from './worker.ts';

export const commands: readonly Command[] = [
  stdio,
  serve,
  token,
  call,
  tools,
  ...planCommands,
  ...ticketCommands,
  ...inboxCommands,
  ...knowledgeCommands,
  ...dataCommands,
  ...editorCommands,
  ...trustCommands,
  ...storeCommands,
  worker,
  doctor,
];

export function toolsAsCommands(extras: Extras): Command[] {
  const own = (extras.features ?? []).flatMap((feature) => feature.tools);
  return [...builtInTools, ...own].map(toolCommand);
}

/** The longest name counts: `inbox answer` rather than `inbox`. */
export function findCommand(
  known: readonly Command[],
  words: readonly string[],
): Command | undefined {
  return known
    .filter(({ name }) => name.split(' ').every((word, index) => words[index] === word))
    .toSorted((one, other) => other.name.length - one.name.length)[0];
}

export function unknownCommand(words: readonly string[], known: readonly Command[]): UsageError {
  const word = words[0] ?? '';
  const below = known.filter(({ name }) => name.startsWith(`${word} `));
  if (below.length > 0) {
    const names = below.map(({ name }) => `\`baton ${name}\``).join(', ');
    return new UsageError(`\`baton ${words.join(' ')}\` is not a command.`, `There is ${names}.`);
  }
  const meant = nearest(
    word,
    known.map(({ name }) => name),
  );
  const hint = meant ? ` Did you mean \`baton ${meant}\`?` : '';
  return new UsageError(`There is no command ${JSON.stringify(word)}.${hint}`);
}
