import { BatonError, type ErrorReport } from '@baton/core';
import { type HttpServer, serveHttp } from '@baton/mcp';
import type { Command } from '../command.ts';
import { type Io, print } from '../io.ts';
import { createPage } from '../page.ts';
import { portOwner } from '../port-owner.ts';
import { type Announcement, announceAsJson, announceAsText } from '../serve-announcement.ts';
import { chooseToken } from '../serve-token.ts';
import { openSession, type Session, version } from '../session.ts';
import { supervise } from '../supervise.ts';

const DEFAULT_PORT = 39_219;

export const serve: Command = {
  name: 'serve',
  summary: 'serve MCP over HTTP on 127.0.0.1 (for clients that cannot start a process)',
  usage: 'baton serve [--port <n>] [flags]',
  flags: {
    port: {
      type: 'string',
      value: 'n',
      summary: `the port to listen on (default: ${DEFAULT_PORT}; 0: any that is free)`,
    },
    child: {
      type: 'boolean',
      summary: 'for a program that starts Baton: say where it is as JSON, stop when stdin ends',
    },
  },
  examples: ['baton serve', 'baton serve --port 0 --workspace ~/src/acme'],
  maxArguments: 0,
  async run(io, parsed, extras) {
    const isChild = parsed.values.child === true;
    try {
      await using session = await openSession(io, parsed, extras, { logTo: 'stderr and file' });
      return await run(io, session, isChild);
    } catch (error) {
      if (!isChild || !(error instanceof BatonError)) throw error;
      const { code, message, next } = error;
      const report: ErrorReport = { code, message, next };
      await print(io.stdout, JSON.stringify({ error: report }));
      return 1;
    }
  },
};

async function run(io: Io, { baton, workspace, config, state }: Session, isChild: boolean) {
  const { log } = baton;
  const token = chooseToken(io.env.BATON_TOKEN, state);
  log.write('info', `Baton ${version} serves ${workspace.path} (found by ${workspace.foundBy})`);
  const port = config.port ?? DEFAULT_PORT;
  const server = await serveHttp(baton, {
    port,
    token: token.value,
    page: await createPage(version),
    ...(config.maxMessageBytes && { maxMessageBytes: config.maxMessageBytes }),
  }).catch((error: unknown) => {
    throw cannotListen(port, error);
  });
  const closed = untilStopped(io, log, server, isChild);
  const place = token.publish(server.port);
  log.write('info', `ready: ${baton.catalogue.tools.length} tools at ${server.address}/mcp`);
  const announcement: Announcement = {
    version,
    workspace: workspace.path,
    port: server.port,
    address: server.address,
  };
  // Only a terminal shows the token, to a person; a pipe or a file may be a log, which keeps it.
  const shown = io.stdout.isTTY ? token.value : undefined;
  const text = isChild ? announceAsJson(announcement) : announceAsText(announcement, place, shown);
  await print(io.stdout, text);
  await closed;
  token.withdraw();
  log.write('info', 'bye');
  return 0;
}

function untilStopped(
  { stdin }: Io,
  log: Parameters<typeof supervise>[0],
  server: HttpServer,
  isChild: boolean,
): Promise<void> {
  return new Promise<void>((resolve) => {
    const close = () => server.close().finally(resolve);
    supervise(log, close);
    if (!isChild) return;
    // Whatever became of the parent, even if it was killed, its end of the pipe is closed.
    const onEnd = () => {
      log.write('info', 'the parent is gone');
      void close();
    };
    stdin.on('end', onEnd).on('error', onEnd).resume();
  });
}

function cannotListen(port: number, cause: unknown): unknown {
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    const owner = portOwner(port);
    return new BatonError(
      'port_in_use',
      `Port ${port} is in use${owner ? ` by ${owner}` : ''}.`,
      'Stop that program, or choose another port with --port or BATON_PORT (0 takes any that is free).',
      { cause },
    );
  }
  if (code === undefined) return cause;
  return new BatonError(
    'cannot_listen',
    `Port ${port} cannot be used: ${message}.`,
    'Choose another port with --port or BATON_PORT (0 takes any that is free).',
    { cause },
  );
}
