import { type Engine, EngineError } from '../engine/engine.ts';
import type { Cell } from '../model.ts';

/** For all questions about a category together. */
const SECONDS = 30;
const AT_ONCE = 2;
const MOST_ROWS = 10_000;

export type Ask = (
  sql: string,
  values?: readonly string[],
) => Promise<readonly (readonly Cell[])[]>;

/** Asks the engine many questions, a few at a time, until the time for all of them is over. */
export function createAsk(engine: Engine, signal: AbortSignal | undefined): Ask {
  const end = performance.now() + SECONDS * 1000;
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (sql, values = []) => {
    if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
    running += 1;
    try {
      const seconds = (end - performance.now()) / 1000;
      if (seconds <= 0) throw new EngineError('time', `It took more than ${SECONDS} s.`);
      const options = { values, seconds, rows: MOST_ROWS, ...(signal && { signal }) };
      return (await engine.run(sql, options)).rows;
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  };
}
