import { clientConfigs } from './client-configs.ts';
import type { TokenPlace } from './serve-token.ts';

/** Where a server is. */
export interface Announcement {
  readonly version: string;
  readonly workspace: string;
  readonly port: number;
  readonly address: string;
}

const NO_TOKEN = '<token>';

/** One line for the program that has started the server. It knows the token, if it gave one. */
export function announceAsJson({ address, ...facts }: Announcement): string {
  const url = `${address}/mcp`;
  return JSON.stringify({ ...facts, url, clients: clientConfigs(url, NO_TOKEN) });
}

/** For a person: where it is, and what to paste into each client. */
export function announceAsText(
  { version, workspace, address }: Announcement,
  place: TokenPlace,
  token: string | undefined,
): string {
  const url = `${address}/mcp`;
  const inShell = token ?? place.shell;
  const configs = clientConfigs(url, token ?? NO_TOKEN, inShell).map(
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
