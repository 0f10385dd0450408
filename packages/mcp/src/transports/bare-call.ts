import { type Alias, type Baton, describeError } from '@baton/core';
import type { JSONRPCRequest, JSONRPCResponse } from '@modelcontextprotocol/server';
import { Code } from '../protocol-error.ts';
import { errorReply, type RequestId } from './frame.ts';

/** Makes the reply to a bare call of the reply to the tool call. */
export type ReplyShape = (reply: JSONRPCResponse) => JSONRPCResponse;

/** How a method is answered that is an old name of a tool, called without `tools/call`. */
export type BareCalls = (method: string) => ReplyShape | undefined;

export function createBareCalls({ catalogue, ids, log }: Baton): BareCalls {
  return (method) => {
    const alias = catalogue.alias(method);
    if (!alias) return undefined;
    return (reply) => {
      try {
        return fromToolResult(reply, alias.bare);
      } catch (error) {
        // Without an answer the client would wait for ever.
        const fault = ids.next();
        log.write('error', `${method}: fault ${fault}: ${describeError(error)}`);
        const text = `${method} failed inside Baton (fault ${fault}).`;
        return errorReply(reply.id as RequestId, Code.internal, text);
      }
    };
  };
}

/** `getNextTask` as a method of its own, the way older clients call a tool, as a tool call. */
export function toToolCall(request: JSONRPCRequest): JSONRPCRequest {
  const { _meta, ...args } = request.params ?? {};
  return {
    ...request,
    method: 'tools/call',
    params: { ...(_meta && { _meta }), name: request.method, arguments: args },
  };
}

/** The tool's data, in the shape of the old name if it has one, or a JSON-RPC error. */
function fromToolResult(reply: JSONRPCResponse, bare: Alias['bare']): JSONRPCResponse {
  if (!('result' in reply)) return reply;
  const { isError, structuredContent: data } = reply.result as {
    isError?: boolean;
    structuredContent?: Record<string, unknown>;
  };
  if (!isError) {
    const result = data && bare ? (bare(data) ?? null) : (data ?? {});
    // JSON-RPC takes any result; the SDK's type has room for objects only.
    return { ...reply, result: result as typeof reply.result };
  }
  const { code, message, next } = data ?? {};
  const number = code === 'invalid_input' ? Code.invalidParams : Code.internal;
  return errorReply(reply.id, number, String(message), { code, next });
}
