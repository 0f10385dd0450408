import { clientInfo, INITIALIZE, INITIALIZED, statusCall } from './messages.ts';

export const ERAS = ['new', 'old'] as const;
export type Era = (typeof ERAS)[number];

export const TOKEN = 'bench-token-0123456789-0123456789-abcdef';

const OLD_VERSION = '2025-11-25';
const NEW_VERSION = '2026-07-28';
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': NEW_VERSION,
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': {},
};

function post(body: string | Buffer, headers: Readonly<Record<string, string>>): Buffer {
  const lines = Object.entries({
    Host: '127.0.0.1',
    Authorization: `Bearer ${TOKEN}`,
    Accept: 'application/json, text/event-stream',
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST /mcp HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

export const HTTP_INITIALIZE = post(INITIALIZE, {});

export function httpInitialized(session: string): Buffer {
  return post(INITIALIZED, oldHeaders(session));
}

export function oldCall(id: number, session: string): Buffer {
  return post(statusCall(id, {}), oldHeaders(session));
}

export function newCall(id: number): Buffer {
  return post(statusCall(id, {}, ENVELOPE), {
    'MCP-Protocol-Version': NEW_VERSION,
    'Mcp-Method': 'tools/call',
    'Mcp-Name': 'status',
  });
}

function oldHeaders(session: string): Readonly<Record<string, string>> {
  return { 'Mcp-Session-Id': session, 'MCP-Protocol-Version': OLD_VERSION };
}
