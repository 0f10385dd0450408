/** Statistics in the plainest way, to check others against. */
export function sortedMedian(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const [low = Number.NaN, high = Number.NaN] = [sorted[half - 1], sorted[half]];
  return sorted.length % 2 ? high : (low + high) / 2;
}

export function sumOf(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

/** Each value's place among all; equal ones share it. */
function naiveRanks(values: readonly number[]): number[] {
  return values.map((value) => {
    const lower = values.filter((other) => other < value).length;
    const equal = values.filter((other) => other === value).length;
    return lower + (equal + 1) / 2;
  });
}

export function naiveSpearman(xs: readonly number[], ys: readonly number[]): number {
  const [a, b] = [naiveRanks(xs), naiveRanks(ys)];
  const middle = (xs.length + 1) / 2;
  const product = (us: readonly number[], vs: readonly number[]) =>
    sumOf(us.map((u, at) => (u - middle) * ((vs[at] ?? 0) - middle)));
  return product(a, b) / Math.sqrt(product(a, a) * product(b, b));
}

/** By the textbook, with its correction for ties. */
export function naiveKruskal(groups: readonly (readonly number[])[]): number {
  const all = groups.flat();
  const ranks = naiveRanks(all);
  const n = all.length;
  let at = 0;
  let sum = 0;
  for (const group of groups) {
    sum += sumOf(ranks.slice(at, at + group.length)) ** 2 / group.length;
    at += group.length;
  }
  const counts = new Map<number, number>();
  for (const value of all) counts.set(value, (counts.get(value) ?? 0) + 1);
  const ties = sumOf([...counts.values()].map((t) => t ** 3 - t));
  return ((12 / (n * (n + 1))) * sum - 3 * (n + 1)) / (1 - ties / (n ** 3 - n));
}

export function naiveCramersV(pairs: readonly (readonly [string, string])[]): number {
  const n = pairs.length;
  const rows = [...new Set(pairs.map(([a]) => a))];
  const columns = [...new Set(pairs.map(([, b]) => b))];
  let chi = 0;
  for (const row of rows) {
    for (const column of columns) {
      const seen = pairs.filter(([a, b]) => a === row && b === column).length;
      const expected =
        (pairs.filter(([a]) => a === row).length * pairs.filter(([, b]) => b === column).length) /
        n;
      chi += (seen - expected) ** 2 / expected;
    }
  }
  const [r, c] = [rows.length, columns.length];
  const phi = Math.max(0, chi / n - ((r - 1) * (c - 1)) / (n - 1));
  const corrected = (size: number) => size - (size - 1) ** 2 / (n - 1);
  return Math.sqrt(phi / (Math.min(corrected(r), corrected(c)) - 1));
}

export function naiveTheilSen(values: readonly number[]): number {
  const slopes: number[] = [];
  for (let i = 0; i < values.length; i++) {
    for (let j = i + 1; j < values.length; j++) {
      slopes.push(((values[j] ?? 0) - (values[i] ?? 0)) / (j - i));
    }
  }
  return sortedMedian(slopes);
}

export function groupBy<Item>(items: readonly Item[], key: (item: Item) => string) {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return groups;
}
