import { cellText } from '../cell-text.ts';
import type { Cell } from '../model.ts';

interface Rendered {
  readonly records: readonly {
    readonly category?: string | undefined;
    readonly values: { readonly [field: string]: unknown };
  }[];
  readonly total: number;
  readonly counts?: { readonly [category: string]: number } | undefined;
  readonly cursor?: string | undefined;
  readonly connections?:
    | readonly {
        readonly name: string;
        readonly category: string;
        readonly count: number;
        readonly records: readonly {
          readonly id?: string | undefined;
          readonly label?: string | undefined;
        }[];
      }[]
    | undefined;
  readonly source: string;
  readonly version: string;
  readonly next?: string | undefined;
}

/** Each record on a line of its own. */
export function renderRecords(answer: Rendered): string {
  const { records, total, counts, cursor, connections = [], source, version, next } = answer;
  const lines = records.map(({ category, values }) => {
    const shown = Object.entries(values).map(
      ([name, value]) => `${name}: ${cellText(value as Cell)}`,
    );
    return `- ${category ? `[${category}] ` : ''}${shown.join('; ')}`;
  });
  const connected = connections.map(({ name, category, count, records: some }) => {
    const named = some.map(({ id, label }) => [id, label].filter(Boolean).join(' ')).join(', ');
    return `${name} (${count} ${category}): ${named}${some.length < count ? ', …' : ''}`;
  });
  const spread = counts && Object.entries(counts).map(([name, count]) => `${name} ${count}`);
  const about = `(${records.length} of ${total}${spread ? `: ${spread.join(', ')}` : ''}; ${source}; version ${version})`;
  return [
    ...lines,
    ...connected,
    about,
    ...(cursor ? [`cursor: ${cursor}`] : []),
    ...(next ? [next] : []),
  ].join('\n');
}
