import { type Found, pValue, quoted, rounded, shown } from './finding.ts';
import type { GroupTest, RankTest, TableTest } from './pair-tests.ts';

/** `holmed` tells over how many tests p was corrected. */
export function rankFinding({ a, b, rho, n, p, basis }: RankTest, holmed: string): Found {
  return {
    finding: {
      kind: 'association',
      fields: [a.name, b.name],
      what: `${a.name} ${rho > 0 ? 'rises' : 'falls'} as ${b.name} rises: rank correlation ${shown(rho)} over ${n} ${basis.counted}.`,
      numbers: { rho: rounded(rho), n, p: pValue(p) },
      how: `Spearman, ${holmed}${basis.note(n)}`,
    },
    strength: 0.4 + 0.5 * Math.abs(rho),
  };
}

export function groupFinding(test: GroupTest, holmed: string): Found {
  const { group, measure, standings, epsilonSquared, h, n, p, basis } = test;
  const ranked = standings.toSorted((x, y) => y.median - x.median);
  const [highest, lowest] = [ranked[0], ranked.at(-1)].map((one) => ({
    group: one?.group ?? '',
    median: rounded(one?.median ?? 0),
    records: one?.records ?? 0,
  }));
  return {
    finding: {
      kind: 'association',
      fields: [measure.name, group.name],
      what: `${measure.name} differs by ${group.name}: its median is highest for ${quoted(highest?.group)} (${shown(highest?.median ?? 0)}) and lowest for ${quoted(lowest?.group)} (${shown(lowest?.median ?? 0)}).`,
      numbers: {
        epsilonSquared: rounded(epsilonSquared),
        h: rounded(h),
        groups: standings.length,
        n,
        p: pValue(p),
        highest: highest ?? null,
        lowest: lowest ?? null,
      },
      how: `Kruskal–Wallis, ${holmed}${basis.note(n)}`,
    },
    strength: 0.4 + 0.5 * Math.sqrt(epsilonSquared),
  };
}

export function tableFinding(
  { a, b, cells, v, n, p }: TableTest,
  holmed: string,
  sampled: string,
): Found {
  const total = (side: 'a' | 'b', value: string) =>
    cells.reduce((sum, cell) => sum + (cell[side] === value ? cell.count : 0), 0);
  const all = cells.reduce((sum, { count }) => sum + count, 0);
  const surprises = cells.map((cell) => {
    const expected = (total('a', cell.a) * total('b', cell.b)) / all;
    return { ...cell, expected, residual: (cell.count - expected) / Math.sqrt(expected) };
  });
  const most = surprises.reduce((x, y) => (y.residual > x.residual ? y : x));
  return {
    finding: {
      kind: 'association',
      fields: [a.name, b.name],
      what: `${a.name} and ${b.name} go together: ${quoted(most.a)} has ${quoted(most.b)} ${most.count} times, where ${shown(most.expected)} would be expected.`,
      numbers: {
        cramersV: rounded(v),
        n,
        p: pValue(p),
        strongest: {
          [a.name]: most.a,
          [b.name]: most.b,
          records: most.count,
          expected: rounded(most.expected),
        },
      },
      how: `bias-corrected Cramér's V, chi², ${holmed}${sampled}`,
    },
    strength: 0.4 + 0.5 * v,
  };
}
