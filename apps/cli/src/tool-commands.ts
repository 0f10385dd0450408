import { type Tool, truncate } from '@baton/core';
import { describeTool } from '@baton/mcp';
import { inputSchemas } from '@baton/runtime';
import { callTool } from './call-tool.ts';
import type { Command } from './command.ts';
import { type Flag, type Parsed, programFlags } from './flags.ts';
import { openSession } from './session.ts';
import { UsageError } from './usage-error.ts';

interface Property {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly items?: Property;
}

/** A tool as a command: `plan_create` of the toolset `plans` is `baton plan create`. */
export function toolCommand(tool: Tool): Command {
  const name = commandName(tool);
  const made = inputSchemas[tool.name];
  const { properties = {} } = describeTool(tool, made).inputSchema as {
    properties?: Record<string, Property>;
  };
  const flags: Record<string, Flag> = {
    json: { type: 'boolean', summary: 'print the result as JSON' },
  };
  const flagOf = (key: string) => flagName(key, groupOf(tool));
  for (const [key, property] of Object.entries(properties)) flags[flagOf(key)] = flagFor(property);
  return {
    name,
    summary: tool.description,
    usage: `baton ${name} [flags]`,
    flags,
    examples: tool.examples.map(({ input }) => exampleCommand(name, input, flagOf)),
    maxArguments: 0,
    async run(io, parsed, extras) {
      const args = argumentsFrom(parsed, properties, flagOf);
      await using session = await openSession(io, parsed, extras, { logTo: 'file' });
      const { baton } = session;
      return await callTool(io, baton, tool.name, args, parsed.values.json ? 'json' : 'text');
    },
  };
}

/** A tool whose first word is that of its toolset, or of another, is a command below that word. */
function commandName(tool: Tool): string {
  const group = groupOf(tool);
  const [first = '', ...rest] = tool.name.split('_');
  return [group, 'setting'].includes(first) && rest.length > 0
    ? `${first} ${rest.join('-')}`
    : tool.name.replaceAll('_', '-');
}

function groupOf({ toolset }: Tool): string {
  return toolset.replace(/s$/, '');
}

/** What is a flag of the program already is named after the tool's group: `--ticket-version`. */
function flagName(key: string, group: string): string {
  const name = kebab(key);
  return Object.hasOwn(programFlags, name) ? `${group}-${name}` : name;
}

function flagFor(property: Property): Flag {
  const summary = property.description ?? '';
  if (property.type === 'boolean') return { type: 'boolean', summary };
  if (property.type === 'array') {
    return { type: 'string', summary, multiple: true, value: valueName(property.items ?? {}) };
  }
  return { type: 'string', summary, value: valueName(property) };
}

function valueName({ enum: values, type }: Property): string {
  if (values) return values.join('|');
  return type === 'string' || type === undefined ? 'text' : type === 'object' ? 'json' : 'n';
}

function argumentsFrom(
  { values }: Parsed,
  properties: Readonly<Record<string, Property>>,
  flagOf: (key: string) => string,
): Record<string, unknown> {
  const args: Record<string, unknown> = {};
  for (const [key, property] of Object.entries(properties)) {
    const flag = flagOf(key);
    const given = values[flag];
    if (given === undefined) continue;
    args[key] = Array.isArray(given)
      ? given.map((item) => convert(flag, item, property.items ?? {}))
      : convert(flag, given, property);
  }
  return args;
}

/** Numbers and objects are written as JSON; whether they fit is for the tool's schema to say. */
function convert(flag: string, given: string | boolean, { type }: Property): unknown {
  if (typeof given !== 'string' || type === 'string' || type === undefined) return given;
  // What may be either is an object if it looks like one.
  if (type.includes('string') && !given.trimStart().startsWith('{')) return given;
  try {
    return JSON.parse(given);
  } catch {
    throw new UsageError(`--${flag} must be ${type === 'object' ? 'JSON' : `a ${type}`}.`);
  }
}

function exampleCommand(name: string, input: object, flagOf: (key: string) => string): string {
  const flags = Object.entries(input).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value]).map((item) => exampleFlag(flagOf(key), item)),
  );
  return truncate(['baton', name, ...flags].join(' '), 200);
}

function exampleFlag(flag: string, value: unknown): string {
  if (value === true) return `--${flag}`;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `--${flag} ${/^[\w./:-]+$/.test(text) ? text : `'${text}'`}`;
}

function kebab(key: string): string {
  return key.replaceAll('_', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
