import { type BatonError, type ErrorReport, escapeControls } from '@baton/core';
import { ProtocolError } from '@modelcontextprotocol/server';

/** JSON-RPC and MCP error codes that Baton answers with. */
export const Code = {
  parse: -32700,
  invalidRequest: -32600,
  invalidParams: -32602,
  internal: -32603,
  unsupportedVersion: -32022,
  shuttingDown: -32000,
  /** Refused by the HTTP transport before any method was looked at. */
  refused: -32000,
  sessionNotFound: -32001,
  headerMismatch: -32020,
  missingCapability: -32021,
  methodNotFound: -32601,
} as const;

export function invalidParams(message: string, data?: object): ProtocolError {
  return new ProtocolError(Code.invalidParams, escapeControls(message), data);
}

// What the caller asked for does not exist or is not allowed: its fault, not the server's.
const CALLERS_FAULT = new Set(['invalid_input', 'not_found', 'unknown_tool', 'hidden_tool']);

/** An expected failure where the protocol has no room for a result with `isError`. */
export function fromBatonError(error: BatonError): ProtocolError {
  return withNext(CALLERS_FAULT.has(error.code) ? Code.invalidParams : Code.internal, error);
}

/** An expected failure of what can fail because of its params, unless the store has failed it. */
export function refused(error: BatonError): ProtocolError {
  return withNext(error.code.startsWith('store_') ? Code.internal : Code.invalidParams, error);
}

function withNext(status: number, { code, message, next }: BatonError): ProtocolError {
  return new ProtocolError(status, escapeControls(`${message} ${next}`), { code, next });
}

/** The client has not declared what the request needs. Its SDK keeps only the message of ours. */
export function missingCapability(
  { code, message, next }: ErrorReport,
  requiredCapabilities: object,
): ProtocolError {
  const data = { requiredCapabilities, code, next };
  return new ProtocolError(Code.missingCapability, escapeControls(`${message} ${next}`), data);
}
