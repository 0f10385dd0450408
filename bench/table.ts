import type { Figures } from './figures.ts';

/** A line of the table. */
export interface Row<RowId extends string> {
  readonly id: RowId;
  readonly label: string;
  readonly unit: string;
  readonly digits: number;
}

export function renderFigures<RowId extends string, Name extends string>(
  figures: Figures<RowId, Name | 'baton'>,
  rows: readonly Row<RowId>[],
  names: readonly (Name | 'baton')[],
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
