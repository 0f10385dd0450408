import type { Clock, Ids, Log, LogLevel } from '@baton/core';

export interface FakeClock extends Clock {
  advance(ms: number): void;
}

export function createFakeClock(start = Date.UTC(2026, 0, 1)): FakeClock {
  let elapsed = 0;
  return {
    now: () => start + elapsed,
    monotonic: () => elapsed,
    advance(ms) {
      elapsed += ms;
    },
  };
}

export function createFakeIds(): Ids {
  let count = 0;
  return {
    next() {
      count += 1;
      return `id-${count}`;
    },
  };
}

export interface LogEntry {
  readonly level: LogLevel;
  readonly component: string;
  readonly message: string;
}

/** A log that keeps everything, to be looked at. */
export function createMemoryLog(component = 'test', entries: LogEntry[] = []) {
  const log: Log & { readonly entries: readonly LogEntry[] } = {
    entries,
    isEnabled: () => true,
    write(level, message) {
      entries.push({ level, component, message });
    },
    child: (name) => createMemoryLog(name, entries),
  };
  return log;
}
