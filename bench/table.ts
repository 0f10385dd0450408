import { type Figures, ROWS } from './figures.ts';
import { EVERYONE } from './programs.ts';

const PEERS = EVERYONE.filter((name) => name !== 'baton');

export function renderFigures(figures: Figures): string {
  const heading = ['', '', ...EVERYONE, '', ...PEERS.map((peer) => `÷ ${peer}`)];
  const body = ROWS.map(({ id, label, unit, digits }) => [
    label,
    unit,
    ...EVERYONE.map((name) => {
      const figure = figures.get(id, name);
      return typeof figure === 'number' ? group(figure.toFixed(digits)) : (figure ?? '-');
    }),
    '|',
    ...PEERS.map((peer) => figures.ratio(id, 'baton', peer)?.toFixed(2) ?? '-'),
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
