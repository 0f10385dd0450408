import { BatonError, escapeLine, nearest } from '@baton/core';
import { builtInTools } from '@baton/runtime';
import type { Command } from './command.ts';
import { call } from './commands/call.ts';
import { doctor } from './commands/doctor.ts';
import { stdio } from './commands/stdio.ts';
import { tools } from './commands/tools.ts';
import { commandWords, globalFlags, parseFlags } from './flags.ts';
import { commandHelp, overview } from './help.ts';
import { type Extras, type Io, print } from './io.ts';
import { version } from './session.ts';
import { toolCommand } from './tool-commands.ts';
import { UsageError } from './usage-error.ts';

const commands: readonly Command[] = [stdio, call, tools, doctor];

/** The whole program but for the process itself. Returns the exit code. */
export async function runCli(io: Io, extras: Extras = {}): Promise<number> {
  try {
    return await dispatch(io, extras);
  } catch (error) {
    const known = error instanceof BatonError;
    // One line, so that a client's log shows all of it.
    const text = known
      ? `${error.message} ${error.next}`
      : String((error as Error)?.stack ?? error);
    await print(io.stderr, `baton: ${escapeLine(text)}`);
    return error instanceof UsageError ? 2 : 1;
  }
}

async function dispatch(io: Io, extras: Extras): Promise<number> {
  const words = commandWords(io.argv);
  // The documents' clients start a server with `--stdio`; a pipe without any word means the same.
  if (io.argv.includes('--stdio')) return serve(io, extras);
  if (words.length === 0 && !asksForText(io) && !io.stdin.isTTY) return serve(io, extras);

  const known = [...commands, ...toolsAsCommands(extras)];
  const command = findCommand(known, words);
  if (!command) {
    const { values } = parseFlags(io.argv, globalFlags);
    if (values.version) return say(io, version);
    if (words.length > 0) throw unknownCommand(words, known);
    return say(io, overview(commands, toolsAsCommands(extras)));
  }
  return runCommand(command, io, extras);
}

async function runCommand(command: Command, io: Io, extras: Extras): Promise<number> {
  const parsed = parseFlags(io.argv, { ...globalFlags, ...command.flags });
  if (parsed.values.help) return say(io, commandHelp(command));
  const positionals = parsed.positionals.slice(command.name.split(' ').length);
  if (positionals.length > command.maxArguments) {
    const surplus = JSON.stringify(positionals[command.maxArguments]);
    throw new UsageError(`Unexpected ${surplus}.`, `Usage: ${command.usage}`);
  }
  return command.run(io, { ...parsed, positionals }, extras);
}

function serve(io: Io, extras: Extras): Promise<number> {
  const argv = io.argv.filter((word) => word !== '--stdio' && word !== 'stdio');
  return runCommand({ ...stdio, name: '' }, { ...io, argv: ['', ...argv] }, extras);
}

function asksForText(io: Io): boolean {
  return io.argv.some((word) => ['--help', '-h', '--version', '-v'].includes(word));
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
