import type { Figures } from './figures.ts';
import type { Name } from './programs.ts';
import type { Row } from './rows.ts';

export function renderFigures(
  figures: Figures,
  rows: readonly Row[],
  names: readonly Name[],
): string {
  const peers = names.filter((name) => name !== 'baton');
  const heading = ['', '', ...names, '', ...peers.map((peer) => `÷ ${peer}`)];
  const body = rows.map(({ id, label, unit, digits }) => [
    label,
    unit,
    ...names.map((name) => {
      const figure = figures.get(id, name);
      return typeof figure === 'number' ? group(figure.toFixed(digits)) : (figure ?? '-');
    }),
    '|',
    ...peers.map((peer) => figures.ratio(id, 'baton', peer)?.toFixed(2) ?? '-'),
  ]);
  return renderTable([heading, ...body], 2);
}

/** Columns as wide as their widest cell; the first ones to the left, the others to the right. */
export function renderTable(rows: readonly (readonly string[])[], leftColumns: number): string {
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const pad = (cell: string, column: number) =>
    column < leftColumns ? cell.padEnd(width(column)) : cell.padStart(width(column));
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n');
}

function group(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}
