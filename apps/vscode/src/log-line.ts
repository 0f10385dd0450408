import type { LogLevel } from '@baton/core';

const LINE = /^\[[^\]]+\] \[(DEBUG|INFO|WARN|ERROR)\] \[([^\]]+)\] (.*)$/s;

/** A line of the program's log. The channel adds a time and a level of its own. */
export function readLogLine(line: string): { readonly level: LogLevel; readonly message: string } {
  const [, level, component, message] = LINE.exec(line) ?? [];
  if (!level) return { level: 'info', message: line };
  return { level: level.toLowerCase() as LogLevel, message: `[${component}] ${message}` };
}
