import type { Column } from './subject.ts';

export const LEAST_RECORDS = 20;
/** Of the records looked at. */
const LIKELY = 0.95;
/** Above this a field is a copy rather than a sum or product. */
const MOSTLY_THE_SAME = 0.9;
const LEAST_DISTINCT = 5;
const MOST_DECIMALS = 6;

type Operator = '=' | '+' | '×';

/** One field that follows from others: `total = quantity × price`. */
export interface Identity {
  readonly result: Column;
  readonly operands: readonly Column[];
  readonly operator: Operator;
  /** How far a result may be off because it is rounded. */
  readonly tolerance: number;
}

export type Numbers = readonly (number | null)[];

/** What holds for nearly all of some records, given by column. */
export function candidates(
  columns: readonly Column[],
  values: readonly Numbers[],
): readonly Identity[] {
  return columns.flatMap((result, at) =>
    result.field.distinct < LEAST_DISTINCT ? [] : candidatesFor(at, columns, values),
  );
}

function candidatesFor(
  result: number,
  columns: readonly Column[],
  values: readonly Numbers[],
): readonly Identity[] {
  const own = values[result] ?? [];
  const tolerance = toleranceOf(own);
  const shareOf = (operands: readonly number[], operator: Operator) => {
    const parts = operands.map((at) => values[at] ?? []);
    return share(own, parts, operator, tolerance);
  };
  const others = [...columns.keys()].filter((at) => at !== result);
  const copies = others.filter((at) => shareOf([at], '=') >= MOSTLY_THE_SAME);
  const rest = others.filter((at) => !copies.includes(at));
  const pairs = rest.flatMap((b, index) => rest.slice(index + 1).map((c) => [b, c]));
  const tried: readonly (readonly [readonly number[], Operator])[] = [
    // Of two copies, one is enough.
    ...copies.filter((at) => at > result).map((at) => [[at], '='] as const),
    ...pairs.flatMap((pair) => [[pair, '+'] as const, [pair, '×'] as const]),
  ];
  return tried
    .filter(([operands, operator]) => shareOf(operands, operator) >= LIKELY)
    .map(([operands, operator]) => ({
      result: columns[result] as Column,
      operands: operands.flatMap((at) => columns[at] ?? []),
      operator,
      tolerance,
    }));
}

/** Half of the last digit that the values have: results are rounded. */
function toleranceOf(values: Numbers): number {
  const decimals = values.map((value) => String(value ?? 0).split(/[.e]/)[1]?.length ?? 0);
  return 0.5001 * 10 ** -Math.min(MOST_DECIMALS, Math.max(0, ...decimals));
}

function computed(operator: Operator, [b = 0, c = 0]: readonly number[]): number {
  if (operator === '+') return b + c;
  return operator === '×' ? b * c : b;
}

function share(
  result: Numbers,
  operands: readonly Numbers[],
  operator: Operator,
  tolerance: number,
): number {
  let complete = 0;
  let holds = 0;
  for (const [at, value] of result.entries()) {
    const parts = operands.map((values) => values[at] ?? null);
    if (value === null || parts.some((part) => part === null)) continue;
    complete += 1;
    const expected = computed(operator, parts as readonly number[]);
    if (Math.abs(value - expected) <= tolerance + 1e-9 * Math.abs(value)) holds += 1;
  }
  return complete < LEAST_RECORDS ? 0 : holds / complete;
}
