import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/server';
import { Code } from '../protocol-error.ts';
import { errorReply } from './frame.ts';

/** `getNextTask` as a method of its own, the way older clients call a tool, as a tool call. */
export function toToolCall(request: JSONRPCRequest): JSONRPCRequest {
  const { _meta, ...args } = request.params ?? {};
  return {
    ...request,
    method: 'tools/call',
    params: { ...(_meta && { _meta }), name: request.method, arguments: args },
  };
}

/** The reply to a bare call: the tool's data itself, or a JSON-RPC error. */
export function fromToolResult(reply: JSONRPCMessage): JSONRPCMessage {
  if (!('result' in reply)) return reply;
  const { isError, structuredContent } = reply.result as {
    isError?: boolean;
    structuredContent?: Record<string, unknown>;
  };
  if (!isError) return { ...reply, result: structuredContent ?? {} };
  const { code, message, next } = structuredContent ?? {};
  const number = code === 'invalid_input' ? Code.invalidParams : Code.internal;
  return errorReply(reply.id, number, String(message), { code, next });
}
