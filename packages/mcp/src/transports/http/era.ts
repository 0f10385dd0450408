import type { IncomingHttpHeaders } from 'node:http';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type JSONRPCMessage,
  type JSONRPCRequest,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import { LOG_LEVELS } from '../../log-levels.ts';
import { Code } from '../../protocol-error.ts';
import { anyObject, fields, oneOf, optional, text } from '../../shape.ts';
import { errorReply, FIRST_MODERN_VERSION } from '../frame.ts';
import { type Refusal, refusal } from './refusal.ts';

export type Era = 'legacy' | 'modern';

/** What the header Mcp-Name repeats, by method. */
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

const envelope = fields({
  [PROTOCOL_VERSION_META_KEY]: text,
  [CLIENT_CAPABILITIES_META_KEY]: anyObject,
  [CLIENT_INFO_META_KEY]: optional(fields({ name: text, version: text })),
  [LOG_LEVEL_META_KEY]: optional(oneOf(LOG_LEVELS)),
});

/** The era that a message belongs to, by its body first; its headers must agree with it. */
export function eraOf(message: JSONRPCMessage, headers: IncomingHttpHeaders): Era | Refusal {
  if (!('method' in message)) return 'legacy';
  const meta = message.params?._meta ?? {};
  const isModernBody = Object.hasOwn(meta, PROTOCOL_VERSION_META_KEY);
  const isModern = isModernBody || isModernHeader(headers);
  if (!('id' in message)) return isModern ? 'modern' : 'legacy';
  if (!isModern) return legacyVersionFault(message, headers) ?? 'legacy';
  if (message.method === 'initialize' && !isModernBody) {
    return mismatch(message, 'MCP-Protocol-Version names an era that has no initialize');
  }
  return envelopeFault(message, meta) ?? headerFault(message, headers) ?? 'modern';
}

/** All that tells the era of a request without a body. */
export function isModernHeader(headers: IncomingHttpHeaders): boolean {
  return (versionIn(headers) ?? '') >= FIRST_MODERN_VERSION;
}

function versionIn(headers: IncomingHttpHeaders): string | undefined {
  return single(headers['mcp-protocol-version']);
}

function single(value: string | string[] | undefined): string | undefined {
  return (Array.isArray(value) ? value[0] : value)?.trim();
}

function envelopeFault(request: JSONRPCRequest, meta: object): Refusal | undefined {
  const wrong = envelope(meta, '_meta');
  if (wrong === undefined) return undefined;
  const message = `Invalid ${request.method} request: params.${wrong}`;
  return { status: 400, reply: errorReply(request.id, Code.invalidParams, message) };
}

function headerFault(request: JSONRPCRequest, headers: IncomingHttpHeaders): Refusal | undefined {
  const meta = request.params?._meta as Record<string, unknown>;
  const key = Object.hasOwn(NAMED_BY, request.method) ? NAMED_BY[request.method] : undefined;
  const named = key === undefined ? undefined : request.params?.[key];
  const expected: readonly (readonly [string, unknown])[] = [
    ['MCP-Protocol-Version', meta[PROTOCOL_VERSION_META_KEY]],
    ['Mcp-Method', request.method],
    ...(typeof named === 'string' ? [['Mcp-Name', named] as const] : []),
  ];
  for (const [name, inBody] of expected) {
    const raw = single(headers[name.toLowerCase()]);
    if (raw === undefined) return mismatch(request, `the header ${name} is missing`);
    const given = name === 'Mcp-Name' ? decodeName(raw) : raw;
    if (given !== inBody) return mismatch(request, `the header ${name} differs from the body`);
  }
  return undefined;
}

/** A name that no header can carry comes as `=?base64?…?=`. */
function decodeName(value: string): string | undefined {
  const [, encoded] = /^=\?base64\?(.*)\?=$/.exec(value) ?? [];
  if (encoded === undefined) return value;
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.toString('base64') === encoded ? bytes.toString() : undefined;
}

function mismatch(request: JSONRPCRequest, what: string): Refusal {
  const message = `Header mismatch in ${request.method}: ${what}`;
  return { status: 400, reply: errorReply(request.id, Code.headerMismatch, message) };
}

function legacyVersionFault(
  request: JSONRPCRequest,
  headers: IncomingHttpHeaders,
): Refusal | undefined {
  const version = versionIn(headers);
  if (request.method === 'initialize' || version === undefined) return undefined;
  if (SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return undefined;
  return refusal(400, 'unsupported_version', 'The header MCP-Protocol-Version is not supported.', {
    next: `Use one of ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')}, or ${FIRST_MODERN_VERSION}.`,
    id: request.id,
  });
}
