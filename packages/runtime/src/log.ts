import type { Log, LogLevel } from '@baton/core';
import { escapeLine } from '@baton/core';

const ORDER: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

/** `[time] [LEVEL] [component] message`, one event one line, to every sink. */
export function createLog(
  level: LogLevel,
  sinks: readonly ((line: string) => void)[],
  component = 'baton',
): Log {
  const threshold = ORDER.indexOf(level);
  return {
    isEnabled: (asked) => ORDER.indexOf(asked) >= threshold,
    write(asked, message) {
      if (ORDER.indexOf(asked) < threshold) return;
      const time = new Date().toISOString();
      const line = `[${time}] [${asked.toUpperCase()}] [${component}] ${escapeLine(message)}`;
      for (const sink of sinks) sink(line);
    },
    child: (name) => createLog(level, sinks, name),
  };
}
