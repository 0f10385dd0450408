import { type Buckets, bucketName, bucketsOf } from './buckets.ts';
import { bursts } from './bursts.ts';
import { type Found, pValue, rounded, shown } from './finding.ts';
import { sampleNote, source } from './source.ts';
import { holm, mannKendall, mean, type Point, theilSen } from './statistics.ts';
import type { Column, Subject } from './subject.ts';

const MOST_DATES = 2;
const LEAST_RECORDS = 30;
const LEAST_P = 0.01;
const LEAST_CHANGE = 0.05;
const LEAST_POINTS = 6;
/** The median of fewer values says little about a bucket. */
const LEAST_PER_BUCKET = 3;
const EARLIEST = '1900-01-01';

interface Series {
  readonly date: Column;
  /** Absent if records are counted. */
  readonly measure?: Column;
  readonly buckets: Buckets;
  readonly points: readonly Point[];
  readonly looked: number;
}

/** What rises or falls over time, and when there were far more or fewer records than usual. */
export async function trends(
  subject: Subject,
  today: string,
): Promise<{ readonly found: readonly Found[]; readonly tests: number }> {
  const dates = subject.own.filter(({ role }) => role === 'date').slice(0, MOST_DATES);
  const all: Series[] = [];
  const found: Found[] = [];
  for (const date of dates) {
    const series = await seriesOf(subject, date, today);
    const [counts] = series;
    if (counts && subject.isWanted(date)) {
      const values = counts.points.map(({ value }) => value);
      found.push(...bursts(date.name, counts.buckets, values));
    }
    all.push(
      ...series.filter(({ measure }) => subject.isWanted(date, ...(measure ? [measure] : []))),
    );
  }
  const tests = all.map((series) => mannKendall(series.points.map(({ value }) => value)));
  const adjusted = holm(tests.map(({ p }) => p));
  for (const [at, series] of all.entries()) {
    const { tau = 0 } = tests[at] ?? {};
    const p = adjusted[at] ?? 1;
    if (p < LEAST_P) found.push(...trendFinding(subject, series, tau, p, tests.length));
  }
  return { found, tests: tests.length };
}

/** The counts first, if there are enough records. */
async function seriesOf(subject: Subject, date: Column, today: string): Promise<readonly Series[]> {
  const within = `c0::DATE BETWEEN DATE '${EARLIEST}' AND ?::DATE`;
  const [span] = await subject.ask(
    `SELECT count(*), min(c0)::DATE::VARCHAR, max(c0)::DATE::VARCHAR
     FROM (${source(subject, [date])}) WHERE ${within}`,
    [today],
  );
  const records = Number(span?.[0] ?? 0);
  if (records < LEAST_RECORDS) return [];
  const hasTimes = date.field.type === 'timestamp';
  const buckets = bucketsOf(String(span?.[1]), String(span?.[2]), hasTimes);
  if (!buckets) return [];
  const { unit, starts } = buckets;
  const bucket = `date_trunc('${unit}', c0)::DATE::VARCHAR`;
  const counted = await subject.ask(
    `SELECT ${bucket}, count(*) FROM (${source(subject, [date])}) WHERE ${within} GROUP BY 1`,
    [today],
  );
  const counts = new Map(counted.map(([start, count]) => [String(start), Number(count)]));
  const points = starts.map((start, at) => ({ at, value: counts.get(start) ?? 0 }));
  const measures = subject.measures.filter(({ via }) => !via);
  const medians = await mediansOf(subject, [date, ...measures], bucket, within, today);
  const ofMeasures = measures.map((measure, at): Series => {
    const own = starts.flatMap((start, index) => {
      const { values = 0, median = 0 } = medians.get(start)?.[at] ?? {};
      return values >= LEAST_PER_BUCKET ? [{ at: index, value: median }] : [];
    });
    const looked = [...medians.values()].reduce((sum, one) => sum + (one[at]?.values ?? 0), 0);
    return { date, measure, buckets, points: own, looked };
  });
  return [
    { date, buckets, points, looked: records },
    ...ofMeasures.filter(({ points: own }) => own.length >= LEAST_POINTS),
  ];
}

async function mediansOf(
  subject: Subject,
  [date, ...measures]: readonly [Column, ...Column[]],
  bucket: string,
  within: string,
  today: string,
): Promise<ReadonlyMap<string, readonly { readonly values: number; readonly median: number }[]>> {
  if (measures.length === 0) return new Map();
  const parts = measures.map((_, at) => `count(c${at + 1}), median(c${at + 1})`);
  const rows = await subject.ask(
    `SELECT ${bucket}, ${parts.join(', ')}
     FROM (${source(subject, [date, ...measures], { isSampled: true })}) WHERE ${within} GROUP BY 1`,
    [today],
  );
  return new Map(
    rows.map(([start, ...cells]) => [
      String(start),
      measures.map((_, at) => ({
        values: Number(cells[2 * at]),
        median: Number(cells[2 * at + 1]),
      })),
    ]),
  );
}

function trendFinding(
  subject: Subject,
  { date, measure, buckets, points, looked }: Series,
  tau: number,
  p: number,
  tests: number,
): readonly Found[] {
  const { unit, starts } = buckets;
  const third = Math.floor(points.length / 3);
  const values = points.map(({ value }) => value);
  const [first, last] = [mean(values.slice(0, third)), mean(values.slice(-third))];
  const change = first > 0 ? last / first - 1 : undefined;
  if (change !== undefined && Math.abs(change) < LEAST_CHANGE) return [];
  const { slope } = theilSen(points);
  const name = measure
    ? `The median ${measure.name} per ${unit}`
    : `The number of records per ${unit}`;
  const by = change === undefined ? '' : ` by ${shown(Math.abs(change) * 100)} %`;
  const [from, to] = [points[0], points.at(-1)].map((point) =>
    bucketName(unit, starts[point?.at ?? 0] ?? ''),
  ) as [string, string];
  return [
    {
      finding: {
        kind: 'trend',
        fields: measure ? [measure.name, date.name] : [date.name],
        what: `${name} of ${date.name} ${tau > 0 ? 'rises' : 'falls'}${by} from ${shown(first)} in the first third to ${shown(last)} in the last, ${from} to ${to}.`,
        numbers: {
          unit,
          from,
          to,
          buckets: points.length,
          [`slopePer${unit.charAt(0).toUpperCase()}${unit.slice(1)}`]: rounded(slope),
          tau: rounded(tau),
          p: pValue(p),
          firstThird: rounded(first),
          lastThird: rounded(last),
          ...(change !== undefined && { changePercent: rounded(change * 100) }),
        },
        how: `Theil–Sen slope, Mann–Kendall test, Holm over ${tests} series${measure ? sampleNote(subject, looked) : ''}`,
      },
      strength: 0.45 + 0.45 * Math.abs(tau),
    },
  ];
}
