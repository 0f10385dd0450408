import { type Buckets, bucketName } from './buckets.ts';
import { type Found, pValue, rounded, shown } from './finding.ts';
import { medianDeviation, theilSen } from './statistics.ts';
import { poissonAtLeast, poissonAtMost } from './tails.ts';

const NORMAL = 0.6745;
const LIMIT = 3.5;
const LEAST_P = 0.001;
const FAR_MORE = 1.5;
const FAR_LESS = 0.5;
const MOST_EXAMPLES = 3;
/** If more stand out, that is a rhythm. */
const MOST_SHARE = 0.1;

interface Burst {
  readonly at: string;
  readonly count: number;
  readonly expected: number;
  readonly p: number;
}

/** Times with far more or far fewer records than the times around them. */
export function bursts(
  dateField: string,
  { unit, starts }: Buckets,
  counts: readonly number[],
): readonly Found[] {
  const points = counts.map((value, at) => ({ at, value }));
  const { slope, intercept } = theilSen(points);
  const expectedAt = (at: number) => Math.max(0.5, intercept + slope * at);
  const spread = medianDeviation(counts.map((value, at) => value - expectedAt(at)));
  const all = counts.flatMap((value, at): Burst[] => {
    const expected = expectedAt(at);
    const ratio = value / expected;
    const isFar = NORMAL * Math.abs(value - expected) > LIMIT * spread;
    if (!isFar || (ratio < FAR_MORE && ratio > FAR_LESS)) return [];
    const tail = ratio > 1 ? poissonAtLeast(value, expected) : poissonAtMost(value, expected);
    const p = Math.min(1, tail * counts.length);
    return p < LEAST_P
      ? [{ at: bucketName(unit, starts[at] ?? ''), count: value, expected, p }]
      : [];
  });
  if (all.length > Math.max(2, counts.length * MOST_SHARE)) return [];
  const spikes = all.filter(({ count, expected }) => count > expected);
  const gaps = all.filter(({ count, expected }) => count < expected);
  return [
    ...burstFinding(dateField, unit, 'more', spikes),
    ...burstFinding(dateField, unit, 'fewer', gaps),
  ];
}

function burstFinding(
  dateField: string,
  unit: string,
  direction: 'more' | 'fewer',
  found: readonly Burst[],
): readonly Found[] {
  const [first, ...others] = found.toSorted(
    (a, b) => Math.abs(b.count - b.expected) - Math.abs(a.count - a.expected),
  );
  if (!first) return [];
  const shownOnes = [first, ...others].slice(0, MOST_EXAMPLES);
  const also = shownOnes.slice(1).map(({ at, count }) => `${at} (${count})`);
  return [
    {
      finding: {
        kind: 'trend',
        fields: [dateField],
        what: `By ${dateField}, ${first.at} has far ${direction} records than the ${unit}s around it: ${first.count} instead of about ${shown(first.expected)}${also.length > 0 ? `; so have ${also.join(', ')}` : ''}.`,
        numbers: {
          unit,
          [direction === 'more' ? 'spikes' : 'gaps']: found.length,
          examples: shownOnes.map(({ at, count, expected, p }) => ({
            at,
            count,
            expected: rounded(expected),
            p: pValue(p),
          })),
        },
        how: `counts per ${unit} against their Theil–Sen line; Poisson, Bonferroni over all ${unit}s`,
      },
      strength: 0.6,
    },
  ];
}
