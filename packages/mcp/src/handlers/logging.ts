import type { LogLevel } from '@baton/core';
import {
  LOG_LEVEL_META_KEY,
  type LoggingLevel,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { ProtocolServer } from '../protocol-server.ts';

const LEVELS: readonly LoggingLevel[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];

export function toMcpLevel(level: LogLevel): LoggingLevel {
  return level === 'warn' ? 'warning' : level;
}

/**
 * Says whether the client wants a log message. Nothing is sent until it asks, by
 * `logging/setLevel` in the old era or by the request's own `_meta` in the new one.
 */
export function handleLogging(server: ProtocolServer) {
  let threshold: LoggingLevel | undefined;
  server.on('logging/setLevel', ({ level }) => {
    threshold = level;
    return {};
  });
  return (level: LogLevel, context: ServerContext): boolean => {
    const envelope = context.mcpReq.envelope as Record<string, unknown> | undefined;
    const wanted = (envelope?.[LOG_LEVEL_META_KEY] as LoggingLevel | undefined) ?? threshold;
    return wanted !== undefined && LEVELS.indexOf(toMcpLevel(level)) >= LEVELS.indexOf(wanted);
  };
}
