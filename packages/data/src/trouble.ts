import { BatonError } from '@baton/core';
import { EngineError } from './engine/engine.ts';

export const ENGINE_PACKAGE = '@duckdb/node-api@1.5.6-r.1';

/** What somebody is told when the engine has failed, unless it is a fault of ours. */
export function troubleOf(error: unknown, installInto: string): unknown {
  if (!(error instanceof EngineError)) return error;
  const fail = (code: string, message: string, next: string) =>
    new BatonError(code, message, next, { cause: error });
  switch (error.failure) {
    case 'missing':
      return engineMissing(installInto, error);
    case 'time':
      return fail(
        'data_query_too_slow',
        'It took too long.',
        'Ask for less: fewer conditions, a narrower text, fewer related records.',
      );
    case 'memory':
      return fail(
        'data_query_too_large',
        'It needs more memory than it may have.',
        'Ask for less at once.',
      );
    case 'crash':
      return fail(
        'data_engine_crashed',
        'The engine has ended unexpectedly.',
        'It starts again by itself: try once more.',
      );
    case 'cancelled':
      return fail('cancelled', 'The call was cancelled.', 'Call again if it is still wanted.');
    default:
      return error;
  }
}

export function engineMissing(installInto: string, cause?: EngineError): BatonError {
  const why = cause?.message ? `: ${cause.message}` : '';
  return new BatonError(
    'data_engine_missing',
    `Data needs DuckDB, and it is not installed${why}.`,
    `A person runs: npm install --prefix "${installInto}" ${ENGINE_PACKAGE}`,
    { cause },
  );
}
