import { type ParseArgsConfig, parseArgs } from 'node:util';
import { nearest } from '@baton/core';
import { UsageError } from './usage-error.ts';

export interface Flag {
  readonly type: 'string' | 'boolean';
  readonly summary: string;
  /** What stands for the value in help. */
  readonly value?: string;
  readonly short?: string;
  readonly multiple?: boolean;
  /** Still understood, no longer shown. */
  readonly isHidden?: boolean;
}

export type Flags = Readonly<Record<string, Flag>>;

export interface Parsed {
  readonly values: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
  readonly positionals: readonly string[];
}

/** Those of every command. No command has one of its own by such a name: a flag means one thing. */
export const globalFlags: Flags = {
  workspace: { type: 'string', value: 'folder', summary: 'serve this folder (default: here)' },
  toolsets: { type: 'string', value: 'a,b', summary: 'offer only these toolsets' },
  'without-tools': { type: 'string', value: 'a,b', summary: 'leave these tools out' },
  'read-only': { type: 'boolean', summary: 'hide every tool that writes' },
  'log-level': { type: 'string', value: 'level', summary: 'debug, info, warn or error' },
  'state-dir': {
    type: 'string',
    value: 'folder',
    summary: "where Baton keeps its state (default: the user's state folder)",
  },
  'max-message-bytes': {
    type: 'string',
    value: 'n',
    summary: 'longest message accepted (default: 64 MiB)',
  },
  help: { type: 'boolean', short: 'h', summary: 'show help' },
};

/** Those of the program without a command. */
export const programFlags: Flags = {
  ...globalFlags,
  version: { type: 'boolean', short: 'v', summary: 'show the version' },
};

/**
 * The folder's flag until 0.1, when it was also a filter of tickets and plans. A worker still takes
 * it: a server that was started before an upgrade starts the new program with it.
 */
export const OLD_STATE_FLAG: Flags = { state: { type: 'string', summary: '', isHidden: true } };

function config(args: readonly string[], flags: Flags) {
  const options: NonNullable<ParseArgsConfig['options']> = {};
  for (const [name, { type, short, multiple }] of Object.entries(flags)) {
    options[name] = { type, ...(short && { short }), ...(multiple && { multiple }) };
  }
  return { args: [...args], options, allowPositionals: true } as const;
}

/** The words of the command line that are not flags, before it is known which flags apply. */
export function commandWords(args: readonly string[]): string[] {
  const flags = { ...programFlags, ...OLD_STATE_FLAG }; // Its value is no word, whatever it means.
  return parseArgs({ ...config(args, flags), strict: false }).positionals;
}

/** Strict: an unknown flag, a missing or surplus value, or a flag given twice is an error. */
export function parseFlags(args: readonly string[], flags: Flags): Parsed {
  const parsed = parseStrictly(args, flags);
  const seen = new Set<string>();
  for (const token of parsed.tokens) {
    if (token.kind !== 'option' || flags[token.name]?.multiple) continue;
    if (seen.has(token.name)) throw new UsageError(`--${token.name} is given twice.`);
    seen.add(token.name);
  }
  const { state } = parsed.values;
  if (!flags.state?.isHidden && typeof state === 'string' && /[\\/~]/.test(state)) {
    throw new UsageError(
      `${JSON.stringify(state)} is no state.`,
      "The folder of Baton's state is --state-dir.",
    );
  }
  return parsed;
}

function parseStrictly(args: readonly string[], flags: Flags) {
  try {
    return parseArgs({ ...config(args, flags), strict: true, tokens: true });
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    if (!code?.startsWith('ERR_PARSE_ARGS')) throw error;
    const [, unknown] = /Unknown option '(-{1,2}[^']*)'/.exec(message) ?? [];
    if (unknown === undefined) throw new UsageError(`${message.split('. ')[0]}.`);
    if (unknown === '--state')
      throw new UsageError("--state, the folder of Baton's state, is called --state-dir now.");
    const meant = nearest(unknown.replace(/^-+/, ''), Object.keys(flags));
    throw new UsageError(`Unknown flag ${unknown}.${meant ? ` Did you mean --${meant}?` : ''}`);
  }
}
