import { chiSquaredTail, normalTail, studentTail } from './tails.ts';

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** The median distance from the median. */
export function medianDeviation(values: readonly number[]): number {
  const center = median(values);
  return median(values.map((value) => Math.abs(value - center)));
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** A value of a series, and when it was. */
export interface Point {
  readonly at: number;
  readonly value: number;
}

/** The median of the slopes between all pairs of points, and the line's height at 0. */
export function theilSen(points: readonly Point[]): { slope: number; intercept: number } {
  const slopes: number[] = [];
  for (const [index, first] of points.entries()) {
    for (const second of points.slice(index + 1)) {
      if (second.at !== first.at) {
        slopes.push((second.value - first.value) / (second.at - first.at));
      }
    }
  }
  const slope = median(slopes);
  return { slope, intercept: median(points.map(({ at, value }) => value - slope * at)) };
}

/** Whether a series goes up or down: Kendall's tau, and how likely that is without any trend. */
export function mannKendall(values: readonly number[]): { tau: number; p: number } {
  const n = values.length;
  let score = 0;
  for (const [index, first] of values.entries()) {
    for (const second of values.slice(index + 1)) score += Math.sign(second - first);
  }
  const ties = countsOf(values).reduce((sum, t) => sum + t * (t - 1) * (2 * t + 5), 0);
  const variance = (n * (n - 1) * (2 * n + 5) - ties) / 18;
  if (variance <= 0) return { tau: 0, p: 1 };
  const z = (score - Math.sign(score)) / Math.sqrt(variance);
  return { tau: score / ((n * (n - 1)) / 2), p: normalTail(z) };
}

function countsOf(values: readonly number[]): readonly number[] {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts.values()];
}

/** How likely a rank correlation is at least so strong if there is none. */
export function spearmanP(rho: number, n: number): number {
  return studentTail(rho * Math.sqrt((n - 2) / Math.max(0, 1 - rho * rho)), n - 2);
}

/** A group of a test by ranks: how many it has, and the sum of their ranks. */
export interface RankedGroup {
  readonly count: number;
  readonly rankSum: number;
}

/** Kruskal and Wallis; `squares` is the sum of all squared ranks, which knows of ties. */
export function kruskalWallis(
  groups: readonly RankedGroup[],
  squares: number,
): { readonly h: number; readonly epsilonSquared: number; readonly p: number } {
  const n = groups.reduce((sum, { count }) => sum + count, 0);
  const middle = (n + 1) / 2;
  const total = squares - n * middle * middle;
  if (groups.length < 2 || total <= 0) return { h: 0, epsilonSquared: 0, p: 1 };
  const between = groups.reduce(
    (sum, { count, rankSum }) => sum + count * (rankSum / count - middle) ** 2,
    0,
  );
  const h = ((n - 1) * between) / total;
  return { h, epsilonSquared: h / (n - 1), p: chiSquaredTail(h, groups.length - 1) };
}

/** Cramér's V without its bias, after Bergsma, of counts by row and column. */
export function cramersV(table: readonly (readonly number[])[]): {
  readonly v: number;
  readonly chiSquared: number;
  readonly p: number;
} {
  const rows = table.map((row) => row.reduce((sum, count) => sum + count, 0));
  const columns = (table[0] ?? []).map((_, at) =>
    table.reduce((sum, row) => sum + (row[at] ?? 0), 0),
  );
  const n = rows.reduce((sum, count) => sum + count, 0);
  const [r, c] = [rows.length, columns.length];
  if (r < 2 || c < 2 || n < 2) return { v: 0, chiSquared: 0, p: 1 };
  let chiSquared = 0;
  for (const [at, row] of table.entries()) {
    for (const [other, count] of row.entries()) {
      const expected = ((rows[at] ?? 0) * (columns[other] ?? 0)) / n;
      if (expected > 0) chiSquared += (count - expected) ** 2 / expected;
    }
  }
  const freedom = (r - 1) * (c - 1);
  const phi = Math.max(0, chiSquared / n - freedom / (n - 1));
  const smaller = Math.min(r - (r - 1) ** 2 / (n - 1), c - (c - 1) ** 2 / (n - 1)) - 1;
  const v = smaller > 0 ? Math.min(1, Math.sqrt(phi / smaller)) : 0;
  return { v, chiSquared, p: chiSquaredTail(chiSquared, freedom) };
}

/** Holm's correction: what each p becomes because so many tests were made. */
export function holm(ps: readonly number[]): readonly number[] {
  const order = [...ps.keys()].toSorted((a, b) => (ps[a] ?? 1) - (ps[b] ?? 1));
  const adjusted = new Array<number>(ps.length).fill(1);
  let largest = 0;
  for (const [rank, index] of order.entries()) {
    largest = Math.max(largest, Math.min(1, (ps[index] ?? 1) * (ps.length - rank)));
    adjusted[index] = largest;
  }
  return adjusted;
}
