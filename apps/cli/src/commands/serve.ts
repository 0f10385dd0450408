import { BatonError } from '@baton/core';
import { serveHttp } from '@baton/mcp';
import { clientConfigs } from '../client-configs.ts';
import type { Command } from '../command.ts';
import { print } from '../io.ts';
import { createPage } from '../page.ts';
import { portOwner } from '../port-owner.ts';
import { chooseToken, type TokenPlace } from '../serve-token.ts';
import { openSession, version } from '../session.ts';
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
  },
  examples: ['baton serve', 'baton serve --port 0 --workspace ~/src/acme'],
  maxArguments: 0,
  async run(io, parsed, extras) {
    await using session = await openSession(io, parsed, extras, { logTo: 'stderr and file' });
    const { baton, config, workspace, state } = session;
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
    const closed = new Promise<void>((resolve) => {
      supervise(log, () => server.close().finally(resolve));
    });
    const place = token.publish(server.port);
    log.write('info', `ready: ${baton.catalogue.tools.length} tools at ${server.address}/mcp`);
    const shown = io.stdout.isTTY ? token.value : undefined;
    await print(io.stdout, announcement(workspace.path, server.address, place, shown));
    await closed;
    token.withdraw();
    log.write('info', 'bye');
    return 0;
  },
};

/** Only a terminal shows the token, to a person; a pipe or a file may be a log, which keeps it. */
function announcement(
  workspace: string,
  address: string,
  place: TokenPlace,
  token: string | undefined,
): string {
  const url = `${address}/mcp`;
  const inShell = token ?? place.shell;
  const configs = clientConfigs(url, token ?? '<token>', inShell).map(
    ({ client, where, text }) => `${client}, in ${where}:\n  ${text.replaceAll('\n', '\n  ')}`,
  );
  const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"status"}}';
  return [
    `Baton ${version} serves ${workspace}`,
    `  MCP    ${url}   (clients of protocol 2024-11-05: ${address}/sse)\n  token  ${place.text}`,
    'Connect a client and ask it for the status of Baton.',
    ...configs,
    `Or by hand:\n  curl ${url} -H "Authorization: Bearer ${inShell}" -H 'Content-Type: application/json' -d '${call}'`,
    'Stop with Ctrl-C.',
  ].join('\n\n');
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
