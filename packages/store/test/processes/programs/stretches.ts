import { readFileSync } from 'node:fs';
// biome-ignore lint/style/noRestrictedImports: our own package, only from further below
import { Connection } from '../../../src/drivers/sqlite/connection.ts';

/** Below this nobody asks where the time went. */
const WORTH_A_LOOK_MS = 10;

interface Moment {
  readonly at: number;
  readonly usage: NodeJS.ResourceUsage;
  /** How long the process was ready to run while the machine ran others, if that is known. */
  readonly waited: number | undefined;
}

/**
 * How long the event loop could not turn, at most: from the first synchronous call until the
 * last one before the next turn. What a busy machine adds is taken off where the system tells it.
 */
export class Stretches {
  longestMs = 0;
  #begun: Moment | undefined;

  measure<Result>(work: () => Result): Result {
    this.#begun ??= this.#begin();
    try {
      return work();
    } finally {
      this.#record(this.#begun);
    }
  }

  #begin(): Moment {
    setImmediate(() => {
      this.#begun = undefined;
    });
    return now();
  }

  #record(begun: Moment): void {
    const elapsed = performance.now() - begun.at;
    if (elapsed < WORTH_A_LOOK_MS || elapsed < this.longestMs) return;
    this.longestMs = Math.max(this.longestMs, ownTime(begun, now()));
  }
}

function now(): Moment {
  return {
    at: performance.now(),
    usage: process.resourceUsage(),
    waited: waitedForProcessor(),
  };
}

function ownTime(from: Moment, to: Moment): number {
  const elapsed = to.at - from.at;
  if (from.waited === undefined || to.waited === undefined) return elapsed;
  const hasSlept = to.usage.voluntaryContextSwitches > from.usage.voluntaryContextSwitches;
  if (hasSlept) return elapsed - (to.waited - from.waited);
  // Whoever never waits for anything only loses the time that it computes.
  return (processorTime(to) - processorTime(from)) / 1000;
}

function processorTime({ usage }: Moment): number {
  return usage.userCPUTime + usage.systemCPUTime;
}

/** Everything that this process does with SQLite goes through these two. */
export function measureSqlite(stretches: Stretches): void {
  const { exec, query } = Connection.prototype;
  Connection.prototype.exec = function (...parameters) {
    return stretches.measure(() => exec.apply(this, parameters));
  };
  Connection.prototype.query = function (...parameters) {
    return stretches.measure(() => query.apply(this, parameters));
  };
}

function waitedForProcessor(): number | undefined {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return undefined; // Not Linux: only the process beside it tells how busy the machine is.
  }
}
