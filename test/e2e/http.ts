import http from 'node:http';
import type { Reply, ServedProgram } from '@baton/testkit';

export interface Sent {
  readonly method?: string;
  readonly path?: string;
  /** Instead of the headers of a well-behaved client, or in addition: `undefined` leaves one out. */
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>;
  readonly body?: string | Buffer | object;
  readonly agent?: http.Agent;
}

export interface Received {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  /** The messages in it: one if it is JSON, any number if it is a stream. */
  readonly messages: readonly Reply[];
}

/** One raw HTTP request, with every header as the test wants it. */
export function send(served: ServedProgram, sent: Sent = {}): Promise<Received> {
  const { method = 'POST', path = '/mcp', headers = {}, body, agent } = sent;
  const raw = typeof body === 'object' && !Buffer.isBuffer(body) ? JSON.stringify(body) : body;
  const length = raw === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(raw)) };
  const all = { ...served.headers, ...length, ...headers };
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  return new Promise((resolve, reject) => {
    const request = http.request(new URL(path, served.address), {
      method,
      headers: given as http.OutgoingHttpHeaders,
      ...(agent && { agent }),
    });
    request.on('error', reject);
    request.on('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(parts).toString();
        const { statusCode: status = 0, headers: got } = response;
        resolve({ status, headers: got, text, messages: messagesIn(got['content-type'], text) });
      });
    });
    request.end(raw);
  });
}

function messagesIn(type: string | undefined, text: string): Reply[] {
  if (type === 'application/json') return [JSON.parse(text)];
  if (type !== 'text/event-stream') return [];
  return eventsIn(text).map((data) => JSON.parse(data));
}

export function eventsIn(text: string): string[] {
  return [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => data ?? '');
}

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A request of the new era with everything that belongs to it. */
export function modern(id: string | number, method: string, params: Record<string, unknown> = {}) {
  const name = params.name ?? params.uri;
  const meta = params._meta as object | undefined;
  return {
    headers: {
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
      ...(typeof name === 'string' && { 'Mcp-Name': name }),
    },
    body: { jsonrpc: '2.0', id, method, params: { ...params, _meta: { ...META, ...meta } } },
  };
}

export function call(id: string | number, name: string, args: object = {}) {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } };
}

/** Starts a session of the old era and returns its id. */
export async function initialize(
  served: ServedProgram,
  capabilities: object = {},
): Promise<string> {
  const { headers } = await send(served, {
    body: {
      jsonrpc: '2.0',
      id: 'initialize',
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities,
        clientInfo: { name: 'raw', version: '1' },
      },
    },
  });
  return String(headers['mcp-session-id']);
}
