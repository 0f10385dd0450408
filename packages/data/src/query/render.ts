import { cellText } from '../cell-text.ts';
import type { Cell } from '../model.ts';

interface Rendered {
  readonly columns: readonly { readonly name: string }[];
  readonly rows: readonly (readonly unknown[])[];
  readonly truncated: boolean;
  readonly version: string;
  readonly source: string;
  readonly next?: string | undefined;
}

/** The rows as lines, with a line that says whose words they are. */
export function renderRows({ columns, rows, version, source, next }: Rendered): string {
  const lines = [
    columns.map(({ name }) => cellText(name)).join(' | '),
    ...rows.map((row) => row.map((value) => cellText(value as Cell)).join(' | ')),
  ];
  const about = `(${rows.length} ${rows.length === 1 ? 'row' : 'rows'} of ${source}; version ${version})`;
  return [...lines, about, ...(next ? [next] : [])].join('\n');
}
