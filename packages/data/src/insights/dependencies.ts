import { type Found, quoted, rounded } from './finding.ts';
import { cellsOf, type TableCell, type TableTest } from './pair-tests.ts';
import type { Column, Subject } from './subject.ts';

/** Exceptions may be mistakes. */
const LEAST_SHARE = 0.99;
const MOST_EXAMPLES = 3;

/** The value of one field tells that of another. */
export interface Dependency {
  readonly from: Column;
  readonly to: Column;
}

/** Whether one of two fields tells the other, in either direction. */
export async function dependencyOf(
  subject: Subject,
  { a, b, cells }: TableTest,
): Promise<{ readonly found: Found; readonly dependencies: readonly Dependency[] } | undefined> {
  const swapped = (all: readonly TableCell[]) =>
    all.map(({ a: x, b: y, count }) => ({ a: y, b: x, count }));
  if (!tells(cells).isTold && !tells(swapped(cells)).isTold) return undefined;
  // A sample may have left out the exceptions.
  const all = await cellsOf(subject, a, b, false);
  const [forth, back] = [tells(all), tells(swapped(all))];
  if (!forth.isTold && !back.isTold) return undefined;
  const both = forth.isTold && back.isTold;
  // The one with more values tells the other; of two that tell each other, the first.
  const isForth = forth.isTold;
  const [from, to] = isForth ? [a, b] : [b, a];
  const told = isForth ? forth : back;
  const dependencies = [
    ...(forth.isTold ? [{ from: a, to: b }] : []),
    ...(back.isTold ? [{ from: b, to: a }] : []),
  ];
  const { of, exceptions, values } = told;
  const [first] = exceptions;
  const but = first
    ? `, but for ${of - told.holds} of ${of} records such as ${from.name} ${quoted(first.a)} with ${to.name} ${quoted(first.b)}`
    : '';
  return {
    dependencies,
    found: {
      finding: {
        kind: 'association',
        fields: [from.name, to.name],
        what: `${both ? `${from.name} and ${to.name} tell each other` : `Each value of ${from.name} has one value of ${to.name}`}${but}.`,
        numbers: {
          values,
          records: of,
          exceptions: of - told.holds,
          share: rounded(told.holds / of),
          ...(first && {
            examples: exceptions.slice(0, MOST_EXAMPLES).map(({ a: x, b: y, count }) => ({
              [from.name]: x,
              [to.name]: y,
              records: count,
            })),
          }),
        },
        how: 'counted pairs of values',
      },
      strength: first ? 0.75 : 0.45,
    },
  };
}

interface Told {
  readonly isTold: boolean;
  readonly holds: number;
  readonly of: number;
  readonly values: number;
  readonly exceptions: readonly TableCell[];
}

/** Whether nearly all records with the same first value have the same second one. */
function tells(cells: readonly TableCell[]): Told {
  const usual = new Map<string, TableCell>();
  for (const cell of cells) {
    if (cell.count > (usual.get(cell.a)?.count ?? 0)) usual.set(cell.a, cell);
  }
  const of = cells.reduce((sum, { count }) => sum + count, 0);
  const holds = [...usual.values()].reduce((sum, { count }) => sum + count, 0);
  const exceptions = cells
    .filter((cell) => usual.get(cell.a) !== cell)
    .toSorted((x, y) => x.count - y.count);
  // If all had the same second value, the first would tell nothing.
  const seconds = new Set([...usual.values()].map(({ b }) => b));
  const isTold = of > 0 && holds >= of * LEAST_SHARE && seconds.size > 1;
  return { isTold, holds, of, values: usual.size, exceptions };
}
