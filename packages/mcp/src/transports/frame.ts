import { escapeControls, type Log } from '@baton/core';
import type {
  JSONRPCErrorResponse,
  JSONRPCMessage,
  JSONRPCRequest,
} from '@modelcontextprotocol/server';
import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';
import { _meta } from '../params.ts';
import { Code } from '../protocol-error.ts';
import { isObject } from '../shape.ts';

export type RequestId = string | number;

/** What became of one parsed line: a message, a reply to send back, or nothing at all. */
export type Frame =
  | { readonly kind: 'message'; readonly message: JSONRPCMessage }
  | { readonly kind: 'refused'; readonly reply: JSONRPCErrorResponse }
  | { readonly kind: 'ignored'; readonly reason: string };

export const FIRST_MODERN_VERSION = '2026-07-28';
const MODERN_VERSIONS = [FIRST_MODERN_VERSION];
const LATEST_LEGACY_VERSION = '2025-11-25';

export function errorReply(
  id: RequestId | null,
  code: number,
  message: string,
  data?: object,
): JSONRPCErrorResponse {
  const error = { code, message: escapeControls(message), ...(data && { data }) };
  // JSON-RPC wants `null` where no id could be read; the SDK's type has no room for it.
  return { jsonrpc: '2.0', id: id as RequestId, error };
}

// A number beyond 2^53 would come back as a different one.
function isId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

function refused(id: RequestId | null, message: string, code: number = Code.invalidRequest): Frame {
  return { kind: 'refused', reply: errorReply(id, code, message) };
}

/** Checks the shape of a JSON-RPC message, strictly where a wrong guess could hang a client. */
export function readFrame(value: unknown): Frame {
  if (Array.isArray(value)) {
    return refused(null, 'Invalid Request: batches are not supported, send one message per line');
  }
  if (!isObject(value)) return refused(null, 'Invalid Request: a message must be a JSON object');
  const id = isId(value.id) ? value.id : null;
  if (value.jsonrpc !== '2.0') return refused(id, 'Invalid Request: jsonrpc must be "2.0"');
  if ('method' in value) return readCall(value, id);
  if ('result' in value || 'error' in value) return readResponse(value, id);
  return refused(id, 'Invalid Request: method is missing');
}

function readCall(value: Record<string, unknown>, id: RequestId | null): Frame {
  const { method } = value;
  if (typeof method !== 'string') return refused(id, 'Invalid Request: method must be a string');
  const isNotification = !('id' in value);
  if (!isNotification && id === null) {
    return refused(null, 'Invalid Request: id must be a string or an integer');
  }
  const fault = callFault(value);
  if (fault) {
    if (isNotification) return { kind: 'ignored', reason: `${method}: ${fault.message}` };
    return refused(id, fault.message, fault.code);
  }
  const message = withoutSurplus(value as JSONRPCRequest);
  return { kind: 'message', message: method === 'initialize' ? withDefaults(message) : message };
}

/** The SDK drops a request with keys that it does not know. */
function withoutSurplus(message: JSONRPCRequest): JSONRPCRequest {
  const { jsonrpc, id, method, params } = message;
  const known = 2 + ('id' in message ? 1 : 0) + ('params' in message ? 1 : 0);
  if (Object.keys(message).length === known) return message;
  return { jsonrpc, method, ...('id' in message && { id }), ...(params && { params }) } as never;
}

function callFault(value: Record<string, unknown>): { message: string; code: number } | undefined {
  if ('result' in value || 'error' in value) {
    const message = 'Invalid Request: a message is either a request or a response';
    return { message, code: Code.invalidRequest };
  }
  const { params } = value;
  if (params === undefined) return undefined;
  if (!isObject(params)) {
    return { message: 'Invalid params: params must be an object', code: Code.invalidParams };
  }
  const wrong = _meta(params._meta, 'params._meta');
  return wrong ? { message: `Invalid params: ${wrong}`, code: Code.invalidParams } : undefined;
}

/** A response is never answered: the other side would take the answer for one of its own calls. */
function readResponse(value: Record<string, unknown>, id: RequestId | null): Frame {
  const { result, error } = value;
  const isError =
    isObject(error) && Number.isInteger(error.code) && typeof error.message === 'string';
  if (id === null || !(isError || isObject(result))) {
    return { kind: 'ignored', reason: 'malformed response' };
  }
  return { kind: 'message', message: value as JSONRPCMessage };
}

/** Hand-written tests often send `initialize` with half of its params: they get an answer. */
function withDefaults(request: JSONRPCRequest): JSONRPCRequest {
  const defaults = {
    protocolVersion: LATEST_LEGACY_VERSION,
    capabilities: {},
    clientInfo: { name: '', version: '0' },
  };
  return { ...request, params: { ...defaults, ...request.params } };
}

/**
 * The refusal of a request of the new era, which names its version each time, if we do not speak
 * that one. The SDK looks at the first request of a connection only.
 */
export function unsupportedVersion(message: JSONRPCMessage): JSONRPCErrorResponse | undefined {
  if (!('method' in message && 'id' in message)) return undefined;
  if (message.method === 'initialize') return undefined;
  const requested = message.params?._meta?.[PROTOCOL_VERSION_META_KEY];
  if (typeof requested !== 'string' || MODERN_VERSIONS.includes(requested)) return undefined;
  const text = `Unsupported protocol version: ${requested.slice(0, 40)}`;
  const data = { supported: MODERN_VERSIONS, requested: requested.slice(0, 40) };
  return errorReply(message.id, Code.unsupportedVersion, text, data);
}

/** A reply that cannot be written as JSON must not leave the client waiting. */
export function serialize(message: JSONRPCMessage, log: Log): string {
  try {
    return JSON.stringify(message);
  } catch (error) {
    log.write('error', `a message could not be serialised: ${String(error)}`);
    const id = 'id' in message ? (message.id as RequestId) : null;
    return JSON.stringify(
      errorReply(id, Code.internal, 'The result could not be written as JSON.'),
    );
  }
}
