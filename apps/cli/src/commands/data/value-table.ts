import { escapeLine } from '@baton/core';
import { columnsOf, fit, pad } from '../../columns.ts';
import type { Io } from '../../io.ts';
import { styleFor } from '../../style.ts';
import type { Cell } from './data-session.ts';

export interface ValueTable {
  readonly lines: readonly string[];
  /** Columns for which the terminal is too narrow. */
  readonly leftOut: readonly string[];
}

const GAP = 2;
/** A column may be cut to this if there are many. */
const NARROW = 24;

/** Records below their columns' names; as many columns as the terminal has room for. */
export function valueTable(
  io: Io,
  names: readonly string[],
  rows: readonly (readonly Cell[])[],
): ValueTable {
  const style = styleFor(io);
  const columns = names.map((name, at) => {
    const values = rows.map((row) => row[at] ?? null);
    const texts = [escapeLine(name), ...values.map(cellText)];
    return {
      texts,
      isNumber: values.every((value) => value === null || typeof value === 'number'),
      width: texts.reduce((most, text) => Math.max(most, columnsOf(text)), 0),
    };
  });
  const widths = fittingWidths(
    columns.map(({ width }) => width),
    io.stdout.size?.()?.columns,
  );
  const line = (row: number) =>
    widths
      .map((width, at) => {
        const { texts, isNumber } = columns[at] ?? { texts: [], isNumber: false };
        return aligned(fit(texts[row] ?? '', width), width, isNumber);
      })
      .join(' '.repeat(GAP))
      .trimEnd();
  return {
    lines: [style.bold(line(0)), ...rows.map((_, row) => line(row + 1))],
    leftOut: names.slice(widths.length),
  };
}

/** A value on one line. */
export function cellText(value: Cell): string {
  if (value === null) return '';
  return escapeLine(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

function aligned(text: string, width: number, isRight: boolean): string {
  return isRight ? `${' '.repeat(width - columnsOf(text))}${text}` : pad(text, width);
}

function fittingWidths(natural: readonly number[], room: number | undefined): readonly number[] {
  if (room === undefined || sum(natural) + GAP * (natural.length - 1) <= room) return natural;
  const narrow = natural.map((width) => Math.min(width, NARROW));
  let count = narrow.length;
  const needed = () => sum(narrow.slice(0, count)) + GAP * (count - 1);
  while (count > 1 && needed() > room) count -= 1;
  let left = room - needed();
  return narrow.slice(0, count).map((width, at) => {
    const more = Math.min(left, (natural[at] ?? width) - width);
    left -= more;
    return width + more;
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
