import { BatonError } from '@baton/core';
import { type DataService, openData } from '@baton/runtime';
import { wholeNumberOf } from '../../flag-values.ts';
import type { Parsed } from '../../flags.ts';
import type { Extras, Io } from '../../io.ts';
import { SessionTools, withSession } from '../../session-tools.ts';
import { UsageError } from '../../usage-error.ts';

export type Overview = Awaited<ReturnType<DataService['overview']>>;
export type DescribedCategory = Awaited<ReturnType<DataService['describe']>>;
export type SearchAnswer = Awaited<ReturnType<DataService['search']>>;
export type FoundRecord = SearchAnswer['records'][number];
export type QueryAnswer = Awaited<ReturnType<DataService['query']>>;
export type Insights = Awaited<ReturnType<DataService['insights']>>;
export type Cell = QueryAnswer['rows'][number][number];

/** The team's records as this command line uses them. */
export interface DataSession {
  readonly tools: SessionTools;
  readonly service: DataService;
}

export async function withData(
  io: Io,
  parsed: Parsed,
  extras: Extras,
  work: (session: DataSession) => Promise<number>,
): Promise<number> {
  try {
    return await withSession(io, parsed, extras, async (session, signal) =>
      work({
        tools: new SessionTools(io, session, signal),
        service: await openData(session.baton),
      }),
    );
  } catch (error) {
    const isUsage = error instanceof BatonError && error.code === 'invalid_input';
    throw isUsage ? new UsageError(error.message, error.next) : error;
  }
}

/** How an answer is written; there is one way at a time. */
export function formatOf({ values }: Parsed): 'json' | 'csv' | 'table' {
  if (values.json && values.csv) throw new UsageError('--json and --csv exclude each other.');
  if (values.json) return 'json';
  return values.csv ? 'csv' : 'table';
}

export function limitOf(parsed: Parsed): number | undefined {
  const limit = wholeNumberOf(parsed, 'limit');
  if (limit === 0) throw new UsageError('--limit must be at least 1.');
  return limit;
}

/** What was given, without what was not. */
export function given(optional: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined));
}
