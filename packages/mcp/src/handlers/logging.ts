import type { LogLevel } from '@baton/core';
import { LOG_LEVEL_META_KEY, type ServerContext } from '@modelcontextprotocol/server';
import { LOG_LEVELS, type McpLogLevel, toMcpLevel } from '../log-levels.ts';
import type { ProtocolServer } from '../protocol-server.ts';

/**
 * Says whether the client wants a log message. Nothing is sent until it asks, by
 * `logging/setLevel` in the old era or by the request's own `_meta` in the new one.
 */
export function handleLogging(server: ProtocolServer) {
  let threshold: McpLogLevel | undefined;
  server.on('logging/setLevel', ({ level }) => {
    threshold = level;
    return {};
  });
  return (level: LogLevel, context: ServerContext): boolean => {
    const envelope = context.mcpReq.envelope as Record<string, unknown> | undefined;
    const wanted = (envelope?.[LOG_LEVEL_META_KEY] as McpLogLevel | undefined) ?? threshold;
    if (wanted === undefined) return false;
    return LOG_LEVELS.indexOf(toMcpLevel(level)) >= LOG_LEVELS.indexOf(wanted);
  };
}
