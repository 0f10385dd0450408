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
}

export type Flags = Readonly<Record<string, Flag>>;

export interface Parsed {
  readonly values: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
  readonly positionals: readonly string[];
}

export const globalFlags: Flags = {
  workspace: { type: 'string', value: 'folder', summary: 'serve this folder (default: here)' },
  toolsets: { type: 'string', value: 'a,b', summary: 'offer only these toolsets' },
  'without-tools': { type: 'string', value: 'a,b', summary: 'leave these tools out' },
  'read-only': { type: 'boolean', summary: 'hide every tool that writes' },
  'log-level': { type: 'string', value: 'level', summary: 'debug, info, warn or error' },
  state: {
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
  version: { type: 'boolean', short: 'v', summary: 'show the version' },
};

function config(args: readonly string[], flags: Flags) {
  const options: NonNullable<ParseArgsConfig['options']> = {};
  for (const [name, { type, short, multiple }] of Object.entries(flags)) {
    options[name] = { type, ...(short && { short }), ...(multiple && { multiple }) };
  }
  return { args: [...args], options, allowPositionals: true } as const;
}

/** The words of the command line that are not flags, before it is known which flags apply. */
export function commandWords(args: readonly string[]): string[] {
  return parseArgs({ ...config(args, globalFlags), strict: false }).positionals;
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
    const meant = nearest(unknown.replace(/^-+/, ''), Object.keys(flags));
    throw new UsageError(`Unknown flag ${unknown}.${meant ? ` Did you mean --${meant}?` : ''}`);
  }
}
