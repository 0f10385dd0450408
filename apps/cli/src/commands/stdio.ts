import { describeError } from '@baton/core';
import { serveStdio } from '@baton/mcp';
import type { Command } from '../command.ts';
import { openSession, version } from '../session.ts';

const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

export const stdio: Command = {
  name: 'stdio',
  summary: 'serve MCP over stdin and stdout (what an MCP client starts)',
  usage: 'baton stdio [flags]',
  flags: { stdio: { type: 'boolean', summary: 'stands for the command itself: baton --stdio' } },
  examples: ['baton stdio', 'baton stdio --workspace ~/src/acme --read-only'],
  maxArguments: 0,
  async run(io, parsed, extras) {
    const { baton, config, workspace } = await openSession(io, parsed, extras, {
      logTo: 'stderr and file',
    });
    const { log } = baton;
    log.write('info', `Baton ${version} serves ${workspace.path} (found by ${workspace.foundBy})`);
    const server = serveStdio(baton, {
      input: io.stdin,
      output: io.stdout,
      ...(config.maxMessageBytes && { maxMessageBytes: config.maxMessageBytes }),
    });
    log.write('info', `ready: ${baton.catalogue.tools.length} tools over stdio`);

    const stop = (signal: NodeJS.Signals) => {
      log.write('info', `received ${signal}`);
      server.close().catch((error: unknown) => log.write('error', String(error)));
    };
    // One stray rejection of one call must not take the other calls down.
    const survive = (error: unknown) => {
      log.write('error', `unexpected: ${describeError(error)}`);
    };
    process.on('uncaughtException', survive).on('unhandledRejection', survive);
    for (const signal of SIGNALS) process.on(signal, stop);
    await server.closed;
    log.write('info', 'bye');
    return 0;
  },
};
