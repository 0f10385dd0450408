import type { Cell } from '../model.ts';
import { count, type Found, quoted, rounded, shown } from './finding.ts';
import { sampleNote, source } from './source.ts';
import type { Column, Subject } from './subject.ts';
import { normalTail } from './tails.ts';

const LIMIT = 3.5;
/** What makes the median deviation comparable with a standard deviation. */
const NORMAL = 0.6745;
const LEAST_VALUES = 20;
const LEAST_DISTINCT = 5;
const MOST_EXAMPLES = 5;
/** If more lie outside, that is how the values are distributed. */
const MOST_SHARE = 0.02;
/** So many values as extreme as the most extreme one may be expected among normal ones. */
const BY_ACCIDENT = 0.05;

/** Between which values the usual ones lie, and why. */
interface Fence {
  readonly low: number;
  readonly high: number;
  readonly how: string;
  readonly numbers: { readonly [name: string]: number };
  /** How far away a value is; absent if only the fence tells. */
  readonly distance?: (value: number) => number;
}

/** Numbers far away from the others. */
export async function outliers(subject: Subject): Promise<readonly Found[]> {
  const columns = subject.measures.filter(
    (column) => !column.via && column.field.distinct >= LEAST_DISTINCT && subject.isWanted(column),
  );
  return (await Promise.all(columns.map((column) => outliersOf(subject, column)))).flat();
}

async function outliersOf(subject: Subject, column: Column): Promise<readonly Found[]> {
  const [facts] = await subject.ask(
    `SELECT count(c0), median(c0), mad(c0), quantile_cont(c0, 0.25), quantile_cont(c0, 0.75),
       CASE WHEN min(c0) > 0 THEN 1 END,
       median(logarithm), mad(logarithm)
     FROM (SELECT c0, CASE WHEN c0 > 0 THEN ln(c0) END AS logarithm
       FROM (${source(subject, [column], { isSampled: true })}))`,
  );
  const [looked, center, deviation, lower, upper, isPositive, logCenter, logDeviation] = (
    facts ?? []
  ).map((fact) => (fact === null ? undefined : Number(fact)));
  if (center === undefined || deviation === undefined || (looked ?? 0) < LEAST_VALUES) return [];
  const fences = [
    deviation > 0 ? byDeviation(center, deviation) : byQuartiles(lower ?? center, upper ?? center),
    ...(isPositive && logCenter !== undefined && logDeviation
      ? [byLogarithm(logCenter, logDeviation)]
      : []),
  ].filter((fence) => fence !== undefined);
  for (const fence of fences) {
    const found = await beyond(subject, column, fence, looked ?? 0);
    if (found !== 'many') return found;
  }
  return [];
}

function byDeviation(center: number, deviation: number): Fence {
  const reach = (LIMIT * deviation) / NORMAL;
  return {
    low: center - reach,
    high: center + reach,
    how: `modified z-score (median, MAD) beyond ${LIMIT}`,
    numbers: { median: rounded(center), mad: rounded(deviation) },
    distance: (value) => (NORMAL * (value - center)) / deviation,
  };
}

function byLogarithm(center: number, deviation: number): Fence {
  const reach = (LIMIT * deviation) / NORMAL;
  return {
    low: Math.exp(center - reach),
    high: Math.exp(center + reach),
    how: `modified z-score of the logarithms (median, MAD) beyond ${LIMIT}`,
    numbers: { median: rounded(Math.exp(center)), madOfLogarithms: rounded(deviation) },
    distance: (value) =>
      value > 0 ? (NORMAL * (Math.log(value) - center)) / deviation : Number.NEGATIVE_INFINITY,
  };
}

/** For values more than half of which are the same. */
function byQuartiles(lower: number, upper: number): Fence | undefined {
  const range = upper - lower;
  if (range <= 0) return undefined;
  return {
    low: lower - 1.5 * range,
    high: upper + 1.5 * range,
    how: 'more than 1.5 interquartile ranges beyond the quartiles (MAD is 0)',
    numbers: { lowerQuartile: rounded(lower), upperQuartile: rounded(upper) },
  };
}

async function beyond(
  subject: Subject,
  column: Column,
  fence: Fence,
  looked: number,
): Promise<readonly Found[] | 'many'> {
  const { low, high, how, distance } = fence;
  const away = `greatest('${low}'::DOUBLE - c0, c0 - '${high}'::DOUBLE)`;
  const records = source(subject, [column], { hasRecord: true });
  const [row] = await subject.ask(
    `SELECT count(*) FILTER (WHERE away > 0), count(c0),
       list({'r': record, 'v': c0} ORDER BY away DESC, record) FILTER (WHERE away > 0)[:${MOST_EXAMPLES}]
     FROM (SELECT *, ${away} AS away FROM (${records}))`,
  );
  const [values = 0, of = 0] = (row ?? []).slice(0, 2).map(Number);
  if (values > Math.max(1, of * MOST_SHARE)) return 'many';
  const extremes = ((row?.[2] ?? []) as unknown as readonly { r: Cell; v: number }[]).map(
    ({ r, v }) => ({ record: r, value: v, ...(distance && { z: rounded(distance(v), 4) }) }),
  );
  const [first] = extremes;
  if (!first) return [];
  const z = Math.abs(distance?.(first.value) ?? Number.POSITIVE_INFINITY);
  if (distance && of * normalTail(z) > BY_ACCIDENT) return [];
  const usual = `the usual range is ${shown(low)} to ${shown(high)}`;
  return [
    {
      finding: {
        kind: 'outliers',
        fields: [column.name],
        what: `${count(values, 'value')} of ${column.name} ${values === 1 ? 'lies' : 'lie'} far outside, ${values === 1 ? '' : 'the farthest '}${shown(first.value)} in record ${quoted(first.record)}; ${usual}.`,
        numbers: {
          values,
          of,
          ...fence.numbers,
          low: rounded(low),
          high: rounded(high),
          records: extremes,
        },
        how: `${how}${sampleNote(subject, looked)}`,
      },
      strength: 0.5 + 0.3 * (1 - Math.min(1, LIMIT / z)),
    },
  ];
}
