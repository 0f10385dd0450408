import { type Engine, EngineError, type Result } from '../engine/engine.ts';
import type { Sql } from './sql.ts';

/** Runs statements for one request. */
export type Ask = (sql: Sql, seconds?: number) => Promise<Result['rows']>;

export function createAsk(engine: Engine, signal: AbortSignal | undefined): Ask {
  return async ({ text, values }, seconds) => {
    const result = await engine.run(text, {
      values,
      ...(seconds !== undefined && { seconds }),
      ...(signal && { signal }),
    });
    return result.rows;
  };
}

/** What is only nice to know: nothing if it would take too much. */
export async function ifCheap<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    const { failure } = error instanceof EngineError ? error : {};
    if (failure === 'time' || failure === 'memory') return undefined;
    throw error;
  }
}
