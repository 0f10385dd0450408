import { callTool } from '../call-tool.ts';
import type { Command } from '../command.ts';
import { readAll } from '../read-all.ts';
import { openSession } from '../session.ts';
import { UsageError } from '../usage-error.ts';

export const call: Command = {
  name: 'call',
  summary: 'call a tool with JSON arguments and print its result as JSON',
  usage: "baton call <tool> ['<json>' | -] [flags]",
  flags: {},
  examples: ['baton call status', "echo '{}' | baton call status -"],
  maxArguments: 2,
  async run(io, parsed, extras) {
    const [tool, given = '{}'] = parsed.positionals;
    if (!tool) throw new UsageError('Which tool?', '`baton tools` lists them.');
    await using session = await openSession(io, parsed, extras, { logTo: 'file' });
    const { baton } = session;
    const text = given === '-' ? await readAll(io.stdin) : given;
    return await callTool(io, baton, tool, parseJson(text), 'json');
  },
};

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UsageError(
      `The arguments are not JSON: ${(cause as Error).message}.`,
      `Give them as one word, as in baton call status '{}'.`,
    );
  }
}
