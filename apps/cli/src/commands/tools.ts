import { describeTool } from '@baton/mcp';
import type { Command } from '../command.ts';
import { print } from '../io.ts';
import { openSession } from '../session.ts';

export const tools: Command = {
  name: 'tools',
  summary: 'list the tools that a client sees',
  usage: 'baton tools [--json] [flags]',
  flags: { json: { type: 'boolean', summary: 'print the list as clients receive it' } },
  examples: ['baton tools', 'baton tools --read-only --json'],
  maxArguments: 0,
  async run(io, parsed, extras) {
    await using session = await openSession(io, parsed, extras, { logTo: 'file' });
    const { baton } = session;
    const list = baton.catalogue.tools.map(({ item }) => item);
    if (parsed.values.json) {
      await print(
        io.stdout,
        JSON.stringify(
          list.map((tool) => describeTool(tool)),
          null,
          2,
        ),
      );
      return 0;
    }
    const width = Math.max(...list.map(({ name }) => name.length));
    const effect = { read: 'reads', add: 'writes', destroy: 'destroys', run: 'runs' };
    const lines = list.map(
      (tool) => `${tool.name.padEnd(width)}  ${effect[tool.effect].padEnd(8)}  ${tool.description}`,
    );
    await print(io.stdout, lines.join('\n'));
    return 0;
  },
};
