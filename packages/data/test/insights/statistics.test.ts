import { describe, expect, it } from 'vitest';
import {
  chiSquaredTail,
  cramersV,
  holm,
  kruskalWallis,
  logGamma,
  mannKendall,
  median,
  medianDeviation,
  normalTail,
  poissonAtLeast,
  poissonAtMost,
  spearmanP,
  studentTail,
  theilSen,
} from '../insights-under-test.ts';

describe('distributions, against published tables', () => {
  it.each([
    [0.5, 0.5723649429247001],
    [1, 0],
    [5, Math.log(24)],
    [0.1, 2.252712651734206],
    [100, 359.1342053695754],
  ])('ln Γ(%d)', (x, expected) => {
    expect(logGamma(x)).toBeCloseTo(expected, 10);
  });

  it.each([
    [3.841458820694124, 1, 0.05],
    [6.6348966010212145, 1, 0.01],
    [10.827566170662733, 1, 0.001],
    [16.918977604620448, 9, 0.05],
    [27.877164871256568, 9, 0.001],
    [124.34211340400407, 100, 0.05],
    [2.705543454095404, 1, 0.1],
  ])('chi² of %d with %d degrees of freedom', (value, freedom, p) => {
    expect(chiSquaredTail(value, freedom)).toBeCloseTo(p, 10);
  });

  it.each([
    [1.959963984540054, 0.05],
    [2.5758293035489004, 0.01],
    [3.2905267314919255, 0.001],
    [-1.6448536269514722, 0.1],
    [0, 1],
  ])('a normal variable beyond %d', (z, p) => {
    expect(normalTail(z)).toBeCloseTo(p, 10);
  });

  it('far tails are small and not zero', () => {
    // Twice the upper tail at 10 is 1.523970604832094e-23.
    expect(normalTail(10) / 1.523970604832094e-23).toBeCloseTo(1, 9);
    expect(chiSquaredTail(1000, 5)).toBeGreaterThan(0);
  });

  it.each([
    [2.0859634472658364, 20, 0.05],
    [3.8495162749308265, 20, 0.001],
    [12.706204736432095, 1, 0.05],
    [1.9839715185235518, 100, 0.05],
    [4.604094871415897, 4, 0.01],
  ])("Student's t beyond %d with %d degrees of freedom", (t, freedom, p) => {
    expect(studentTail(t, freedom)).toBeCloseTo(p, 9);
    expect(studentTail(-t, freedom)).toBeCloseTo(p, 9);
  });

  it('Poisson variables', () => {
    // With mean 3: P(0) = e^-3, P(X ≤ 2) = 8.5 e^-3.
    expect(poissonAtMost(0, 3)).toBeCloseTo(Math.exp(-3), 12);
    expect(poissonAtMost(2, 3)).toBeCloseTo(8.5 * Math.exp(-3), 12);
    expect(poissonAtLeast(3, 3)).toBeCloseTo(1 - 8.5 * Math.exp(-3), 12);
    expect(poissonAtLeast(0, 3)).toBe(1);
  });
});

describe('statistics', () => {
  it('the median and the deviation from it', () => {
    expect(median([1, 1, 2, 2, 4, 6, 9])).toBe(2);
    expect(medianDeviation([1, 1, 2, 2, 4, 6, 9])).toBe(1);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([])).toBeNaN();
  });

  it('Theil and Sen are not led astray by one point', () => {
    const points = Array.from({ length: 11 }, (_, at) => ({ at, value: 3 + 2 * at }));
    expect(theilSen(points)).toEqual({ slope: 2, intercept: 3 });
    expect(theilSen([...points.slice(0, 10), { at: 10, value: 9999 }])).toEqual({
      slope: 2,
      intercept: 3,
    });
  });

  it('Mann and Kendall find what rises', () => {
    // S = 45 and its variance 125: z = 44 / √125.
    const rising = mannKendall([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(rising.tau).toBe(1);
    expect(rising.p).toBeCloseTo(normalTail(44 / Math.sqrt(125)), 12);
    expect(rising.p).toBeCloseTo(8.303e-5, 7);
    // With ties: S = 4 of pairs, variance (4·3·13 - 2·1·9) / 18.
    const tied = mannKendall([1, 1, 2, 3]);
    expect(tied.p).toBeCloseTo(normalTail(4 / Math.sqrt((156 - 18) / 18)), 12);
    expect(mannKendall([5, 5, 5, 5])).toEqual({ tau: 0, p: 1 });
    expect(mannKendall([])).toEqual({ tau: 0, p: 1 });
  });

  it('the significance of a rank correlation', () => {
    // The textbook case of ten people's IQ and hours of television: rho = -29/165.
    expect(spearmanP(-29 / 165, 10)).toBeCloseTo(0.6271883, 6);
    expect(spearmanP(1, 30)).toBe(0);
  });

  it('Kruskal and Wallis', () => {
    // Ranks 1–3, 4–6, 7–9: H = 12/90 · (36 + 225 + 576)/3 - 30 = 7.2, p = e^-3.6.
    const groups = [6, 15, 24].map((rankSum) => ({ count: 3, rankSum }));
    const { h, epsilonSquared, p } = kruskalWallis(groups, 285);
    expect(h).toBeCloseTo(7.2, 12);
    expect(epsilonSquared).toBeCloseTo(0.9, 12);
    expect(p).toBeCloseTo(Math.exp(-3.6), 12);
    expect(kruskalWallis([{ count: 3, rankSum: 6 }], 14).p).toBe(1);
    expect(kruskalWallis([], 0).p).toBe(1);
  });

  it("Cramér's V", () => {
    const { v, chiSquared, p } = cramersV([
      [30, 10],
      [10, 30],
    ]);
    expect(chiSquared).toBeCloseTo(20, 12);
    expect(p).toBeCloseTo(7.744e-6, 8);
    // φ² = 20/80 - 1/79; both sizes become 2 - 1/79.
    expect(v).toBeCloseTo(Math.sqrt((0.25 - 1 / 79) / (1 - 1 / 79)), 12);
    expect(
      cramersV([
        [10, 10],
        [10, 10],
      ]).v,
    ).toBe(0);
    expect(cramersV([[5, 5]]).p).toBe(1);
    expect(cramersV([]).p).toBe(1);
    expect(
      cramersV([
        [1000, 0],
        [0, 1000],
      ]).v,
    ).toBeCloseTo(1, 3);
  });

  it('Holm weighs each test by how many are left', () => {
    expect(holm([0.01, 0.04, 0.03, 0.005])).toEqual([0.03, 0.06, 0.06, 0.02]);
    expect(holm([0.5, 0.9])).toEqual([1, 1]);
    expect(holm([])).toEqual([]);
  });
});
