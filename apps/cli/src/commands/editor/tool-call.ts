import { callTool } from '../../call-tool.ts';
import type { Command } from '../../command.ts';
import type { Flags, Parsed } from '../../flags.ts';
import { openSession } from '../../session.ts';

export const json: Flags = { json: { type: 'boolean', summary: 'print the result as JSON' } };

export const editing: Flags = {
  ...json,
  'dry-run': { type: 'boolean', summary: 'only show the diff' },
  undo: { type: 'string', value: 'id', summary: 'take back what an earlier result says' },
};

/** Calls a tool with what was typed; what it answers is for people as well. */
export function calling(
  tool: string,
  argumentsOf: (parsed: Parsed, folder: string) => object,
): Command['run'] {
  return async (io, parsed, extras) => {
    const args = argumentsOf(parsed, io.cwd);
    await using session = await openSession(io, parsed, extras, { logTo: 'file' });
    return await callTool(io, session.baton, tool, args, parsed.values.json ? 'json' : 'text');
  };
}

/** What every tool that edits files takes. `undo` stands alone. */
export function editingOf({ values, positionals }: Parsed, others: () => object): object {
  const { undo, 'dry-run': dryRun } = values;
  if (undo !== undefined && positionals.length === 0) return { undo };
  return { ...others(), ...(undo !== undefined && { undo }), ...(dryRun && { dryRun }) };
}
