import type { LogLevel } from '@baton/core';

/** MCP's levels, from the least to the most severe. */
export const LOG_LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;

export type McpLogLevel = (typeof LOG_LEVELS)[number];

export function toMcpLevel(level: LogLevel): McpLogLevel {
  return level === 'warn' ? 'warning' : level;
}
