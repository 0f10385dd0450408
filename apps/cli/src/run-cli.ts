import { BatonError, describeError, escapeLine } from '@baton/core';
import { runDataEngine } from '@baton/runtime';
import type { Command } from './command.ts';
import { stdio } from './commands/stdio.ts';
import { commandWords, globalFlags, parseFlags, programFlags } from './flags.ts';
import { commandHelp, overview } from './help.ts';
import { type Extras, type Io, print } from './io.ts';
import { DATA_ENGINE, version } from './session.ts';
import { UsageError } from './usage-error.ts';

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
  if (words[0] === stdio.name) return runCommand(stdio, 1, io, extras);
  if (words.length === 0 && isServerStart(io)) return runCommand(stdio, 0, io, extras);

  // The program starts itself with this; nobody else does.
  if (words[0] === DATA_ENGINE) return runDataEngine(io.argv.at(-1) ?? '');

  // Only now: every client starts a server, and that needs none of the others.
  const { commands, findCommand, toolsAsCommands, unknownCommand } = await import(
    './commands/index.ts'
  );
  const fromTools = toolsAsCommands(extras);
  const command = findCommand([...commands, ...fromTools], words);
  if (command) return runCommand(command, command.name.split(' ').length, io, extras);

  const { values } = parseFlags(io.argv, programFlags);
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

async function say(io: Io, text: string): Promise<number> {
  await print(io.stdout, text);
  return 0;
}
