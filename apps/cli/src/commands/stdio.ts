import { serveStdio } from '@baton/mcp';
import { watchForAbandonment } from '../abandoned.ts';
import type { Command } from '../command.ts';
import { openSession, version } from '../session.ts';
import { supervise } from '../supervise.ts';

export const stdio: Command = {
  name: 'stdio',
  summary: 'serve MCP over stdin and stdout (what an MCP client starts)',
  usage: 'baton stdio [flags]',
  flags: { stdio: { type: 'boolean', summary: 'stands for the command itself: baton --stdio' } },
  examples: ['baton stdio', 'baton stdio --workspace ~/src/acme --read-only'],
  maxArguments: 0,
  async run(io, parsed, extras) {
    await using session = await openSession(io, parsed, extras, { logTo: 'stderr and file' });
    const { baton, config, workspace } = session;
    const { log } = baton;
    log.write('info', `Baton ${version} serves ${workspace.path} (found by ${workspace.foundBy})`);
    const server = serveStdio(baton, {
      input: io.stdin,
      output: io.stdout,
      isPipe: io.stdout.isPipe?.() ?? false,
      abandoned: watchForAbandonment(io.stdout),
      ...(config.maxMessageBytes && { maxMessageBytes: config.maxMessageBytes }),
    });
    log.write('info', `ready: ${baton.catalogue.tools.length} tools over stdio`);

    supervise(log, () => server.close());
    await server.closed;
    log.write('info', 'bye');
    return 0;
  },
};
