import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { JSONRPCErrorResponse } from '@modelcontextprotocol/server';
import { Code } from '../../protocol-error.ts';
import { errorReply, type RequestId } from '../frame.ts';

/** An answer with an HTTP error status; MCP clients find a JSON-RPC error in its body. */
export interface Refusal {
  readonly status: number;
  readonly reply: JSONRPCErrorResponse;
  readonly headers?: OutgoingHttpHeaders;
}

interface Details {
  readonly next: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly rpcCode?: number;
  readonly id?: RequestId | null;
}

/** `code` is stable and part of the public contract, like the codes of tools' errors. */
export function refusal(status: number, code: string, message: string, details: Details): Refusal {
  const { next, headers, rpcCode = Code.refused, id = null } = details;
  return {
    status,
    reply: errorReply(id, rpcCode, `${message} ${next}`, { code, next }),
    ...(headers && { headers }),
  };
}

export function sendRefusal(response: ServerResponse, { status, reply, headers }: Refusal): void {
  sendJson(response, status, JSON.stringify(reply), headers);
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: string,
  headers?: OutgoingHttpHeaders,
): void {
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
}
