import { readFileSync } from 'node:fs';
// biome-ignore lint/style/noRestrictedImports: our own package, only from further below
import { Connection } from '../../../src/drivers/sqlite/connection.ts';

/** Below this nobody asks where the time went. */
const WORTH_A_LOOK_MS = 10;

/**
 * How long the event loop could not turn, at most: from the first synchronous call until the
 * last one before the next turn. Time in which the process was ready to run but the machine ran
 * others is taken off where the system tells it.
 */
export class Stretches {
  longestMs = 0;
  #begun: { readonly at: number; readonly waited: number } | undefined;

  measure<Result>(work: () => Result): Result {
    if (!this.#begun) {
      this.#begun = { at: performance.now(), waited: waitedForProcessor() };
      setImmediate(() => {
        this.#begun = undefined;
      });
    }
    try {
      return work();
    } finally {
      this.#record();
    }
  }

  #record(): void {
    const { at, waited } = this.#begun ?? { at: performance.now(), waited: 0 };
    const elapsed = performance.now() - at;
    if (elapsed < WORTH_A_LOOK_MS || elapsed < this.longestMs) return;
    this.longestMs = Math.max(this.longestMs, elapsed - (waitedForProcessor() - waited));
  }
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

function waitedForProcessor(): number {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0; // Not Linux: the process beside it that does not use the store tells the noise.
  }
}
