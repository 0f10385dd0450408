import { columnsOf, fit, pad } from './columns.ts';
import type { Io } from './io.ts';

const GAP = '  ';

/** Rows as lines whose columns stand below each other, each as long as the terminal is wide. */
export function tableLines(io: Io, rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [at, cell] of row.entries()) {
      widths[at] = Math.max(widths[at] ?? 0, columnsOf(cell));
    }
  }
  const room = io.stdout.size?.()?.columns;
  return rows.map((row) => {
    const line = row
      .map((cell, at) => pad(cell, widths[at] ?? 0))
      .join(GAP)
      .trimEnd();
    return room === undefined ? line : fit(line, room);
  });
}
