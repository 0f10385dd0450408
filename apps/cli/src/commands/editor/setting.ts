import type { Command } from '../../command.ts';
import { textOf } from '../../flag-values.ts';
import type { Flag } from '../../flags.ts';
import { UsageError } from '../../usage-error.ts';
import { calling, json } from './tool-call.ts';

const scope: Flag = { type: 'string', value: 'workspace|user', summary: 'whose setting' };

export const settingGet: Command = {
  name: 'setting get',
  summary: 'tell a setting of VS Code',
  usage: 'baton setting get <key> [--scope workspace|user] [--json] [flags]',
  flags: { ...json, scope },
  examples: ['baton setting get editor.tabSize'],
  maxArguments: 1,
  run: calling('setting_get', (parsed) => {
    const [key] = parsed.positionals;
    if (!key) throw new UsageError('Which setting?');
    const where = textOf(parsed, 'scope');
    return { key, ...(where !== undefined && { scope: where }) };
  }),
};

export const settingSet: Command = {
  name: 'setting set',
  summary: 'change a setting of VS Code that is known to be harmless, as agents can',
  usage: 'baton setting set <key> [<value>] [--scope workspace|user] [--json] [flags]',
  flags: { ...json, scope: { ...scope, summary: 'whose setting (default: workspace)' } },
  examples: ['baton setting set editor.tabSize 2', 'baton setting set editor.tabSize --scope user'],
  maxArguments: 2,
  run: calling('setting_set', (parsed) => {
    const [key, value] = parsed.positionals;
    if (!key) throw new UsageError('Which setting?');
    const where = textOf(parsed, 'scope') ?? 'workspace';
    return { key, scope: where, ...(value !== undefined && { value: settingValue(value) }) };
  }),
};

/** As JSON where it is; a word needs no quotes. */
function settingValue(typed: string): unknown {
  try {
    return JSON.parse(typed);
  } catch {
    return typed;
  }
}
