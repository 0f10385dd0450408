import { BatonError, describeError, escapeLine, nearest } from '@baton/core';
import { builtInTools } from '@baton/runtime';
import type { Command } from './command.ts';
import { call } from './commands/call.ts';
import { doctor } from './commands/doctor.ts';
import { planCommands } from './commands/plan/index.ts';
import { serve } from './commands/serve.ts';
import { stdio } from './commands/stdio.ts';
import { storeCommands } from './commands/store.ts';
import { token } from './commands/token.ts';
import { tools } from './commands/tools.ts';
import { trustCommands } from './commands/trust.ts';
import { worker } from './commands/worker.ts';
import { commandWords, globalFlags, parseFlags } from './flags.ts';
import { commandHelp, overview } from './help.ts';
import { type Extras, type Io, print } from './io.ts';
import { version } from './session.ts';
import { toolCommand } from './tool-commands.ts';
import { UsageError } from './usage-error.ts';

const commands: readonly Command[] = [
  stdio,
  serve,
  token,
  call,
  tools,
  ...planCommands,
  ...trustCommands,
  ...storeCommands,
  worker,
  doctor,
];

/** The whole program but for the process itself. Returns the exit code. */
export async function runCli(io: Io, extras: Extras = {}): Promise<number> {
  try {
    return await dispatch(io, extras);
  } catch (error) {
    // One line, so that a client's log shows all of it.
    await print(io.stderr, `baton: ${escapeLine(describe(error))}`).catch(() => {});
    return error instanceof UsageError ? 2 : 1;
  }
}

function describe(error: unknown): string {
  if (!(error instanceof BatonError)) return describeError(error);
  return `${error.code}: ${error.message} ${error.next}`;
}

async function dispatch(io: Io, extras: Extras): Promise<number> {
  const words = commandWords(io.argv);
  if (words.length === 0 && isServerStart(io)) return runCommand(stdio, 0, io, extras);
  const fromTools = toolsAsCommands(extras);
  const command = findCommand([...commands, ...fromTools], words);
  if (command) return runCommand(command, command.name.split(' ').length, io, extras);

  const { values } = parseFlags(io.argv, globalFlags);
  if (words.length > 0) throw unknownCommand(words, [...commands, ...fromTools]);
  return say(io, values.version ? version : overview(commands, fromTools));
}

/** The documents' clients start a server with `--stdio`; a pipe without any word means the same. */
function isServerStart({ argv, stdin }: Io): boolean {
  if (argv.includes('--stdio')) return true;
  const asksForText = argv.some((word) => ['--help', '-h', '--version', '-v'].includes(word));
  return !stdin.isTTY && !asksForText;
}

async function runCommand(
  command: Command,
  nameLength: number,
  io: Io,
  extras: Extras,
): Promise<number> {
  const parsed = parseFlags(io.argv, { ...globalFlags, ...command.flags });
  if (parsed.values.help) return say(io, commandHelp(command));
  const positionals = parsed.positionals.slice(nameLength);
  if (positionals.length > command.maxArguments) {
    const surplus = JSON.stringify(positionals[command.maxArguments]);
    throw new UsageError(`Unexpected ${surplus}.`, `Usage: ${command.usage}`);
  }
  return command.run(io, { ...parsed, positionals }, extras);
}

function toolsAsCommands(extras: Extras): Command[] {
  const own = (extras.features ?? []).flatMap((feature) => feature.tools);
  return [...builtInTools, ...own].map(toolCommand);
}

function findCommand(known: readonly Command[], words: readonly string[]): Command | undefined {
  return known.find(({ name }) => name.split(' ').every((word, index) => words[index] === word));
}

function unknownCommand(words: readonly string[], known: readonly Command[]): UsageError {
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

async function say(io: Io, text: string): Promise<number> {
  await print(io.stdout, text);
  return 0;
}
