import { textOf, textsOf } from '../../flag-values.ts';
import type { Parsed } from '../../flags.ts';
import { UsageError } from '../../usage-error.ts';
import { given } from './data-session.ts';
import { readWhere } from './where.ts';

/** What data_search is asked for, but for category, words and how many. */
export function conditionsOf(parsed: Parsed): Record<string, unknown> {
  const { connections } = parsed.values;
  if (connections && textOf(parsed, 'id') === undefined) {
    throw new UsageError('--connections are those of one record.', 'Give its --id as well.');
  }
  if (connections && parsed.values.csv) {
    throw new UsageError('--connections cannot be written as CSV.', 'Take --json.');
  }
  return given({
    id: textOf(parsed, 'id'),
    filters: filtersOf(parsed),
    fields: textsOf(parsed, 'field'),
    sort: textsOf(parsed, 'sort')?.map(sortOf),
    cursor: textOf(parsed, 'cursor'),
    connections,
  });
}

function filtersOf(parsed: Parsed): object | undefined {
  const filter = textOf(parsed, 'filter');
  const all = [
    ...(filter === undefined ? [] : [readFilter(filter)]),
    ...(textsOf(parsed, 'where') ?? []).map(readWhere),
  ];
  return all.length > 1 ? { $and: all } : all[0];
}

function readFilter(text: string): object {
  try {
    const filter: unknown = JSON.parse(text);
    if (typeof filter === 'object' && filter !== null && !Array.isArray(filter)) return filter;
  } catch {
    // It is said below what is wanted.
  }
  throw new UsageError(
    '--filter must be an object as JSON.',
    `Write --filter '{"salary": {"$gte": 50000}}', or --where 'salary>=50000'.`,
  );
}

/** A shell takes `-salary` for a flag unless it is written `--sort=-salary`. */
function sortOf(text: string): string {
  const [, field = '', way] = /^(.*\S)\s+(asc|desc)$/i.exec(text.trim()) ?? [];
  if (way === undefined) return text;
  return way.toLowerCase() === 'desc' ? `-${field}` : field;
}
