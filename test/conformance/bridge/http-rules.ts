import type { IncomingHttpHeaders } from 'node:http';
import { type Message, metaOf } from './messages.ts';

/*
 * What the protocol asks of HTTP and not of stdio, as little of it as lets the suite see what
 * lies behind: the process knows no hosts, headers and status codes.
 */

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const FIRST_OF_NEW_ERA = '2026-07-28';
const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]']);

export function isLocal({ host = '', origin }: IncomingHttpHeaders): boolean {
  const names = [`http://${host}`, ...(origin === undefined ? [] : [origin])];
  return names.every((name) => URL.canParse(name) && LOCAL.has(new URL(name).hostname));
}

export function isNewEra(headers: IncomingHttpHeaders, message: Message): boolean {
  const version = headers['mcp-protocol-version'] ?? metaOf(message)[VERSION];
  return typeof version === 'string' && version >= FIRST_OF_NEW_ERA;
}

/** The header that does not say what the body says, if any. */
export function mismatch(headers: IncomingHttpHeaders, message: Message): string | undefined {
  const { method, params } = message;
  const name = method === 'resources/read' ? params?.uri : params?.name;
  const isNamed = ['tools/call', 'prompts/get', 'resources/read'].includes(method ?? '');
  const expected: Record<string, unknown> = {
    'mcp-protocol-version': metaOf(message)[VERSION],
    'mcp-method': method,
    ...(isNamed && { 'mcp-name': name }),
  };
  return Object.keys(expected).find(
    (header) => expected[header] !== undefined && headers[header] !== expected[header],
  );
}

export function hasEnvelope(message: Message): boolean {
  const meta = metaOf(message);
  return meta[VERSION] !== undefined && meta[CAPABILITIES] !== undefined;
}

export function statusOf({ error }: Message, isEnveloped: boolean): number {
  if (!error) return 200;
  if (error.code === -32601) return 404;
  // Missing capability, unsupported version; and a request without what every one has to carry.
  const isRefused = error.code === -32021 || error.code === -32022;
  return isRefused || !isEnveloped ? 400 : 200;
}
