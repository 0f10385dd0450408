import type { Cell } from '../model.ts';
import { sampleNote, source } from './source.ts';
import { cramersV, kruskalWallis, spearmanP } from './statistics.ts';
import type { Column, Subject } from './subject.ts';

const LEAST_RECORDS = 20;
/** Smaller groups are left out of comparisons. */
const LEAST_IN_GROUP = 5;
/** Tables with fewer records per cell on average are too thin for chi². */
const LEAST_PER_CELL = 2;

/** What was compared, for `what` and `how`. */
interface Basis {
  readonly counted: string;
  readonly note: (n: number) => string;
  /** Pairs of values, as `c0` and `c1`. */
  readonly sql: string;
}

export interface RankTest {
  readonly kind: 'ranks';
  readonly a: Column;
  readonly b: Column;
  readonly rho: number;
  readonly n: number;
  readonly p: number;
  readonly basis: Basis;
}

interface GroupStanding {
  readonly group: string;
  readonly records: number;
  readonly median: number;
}

export interface GroupTest {
  readonly kind: 'groups';
  readonly group: Column;
  readonly measure: Column;
  readonly standings: readonly GroupStanding[];
  readonly h: number;
  readonly epsilonSquared: number;
  readonly n: number;
  readonly p: number;
  readonly basis: Basis;
}

export interface TableCell {
  readonly a: string;
  readonly b: string;
  readonly count: number;
}

export interface TableTest {
  readonly kind: 'table';
  readonly a: Column;
  readonly b: Column;
  /** Of all values, also rare ones. */
  readonly cells: readonly TableCell[];
  readonly v: number;
  readonly n: number;
  readonly p: number;
}

export type PairTest = RankTest | GroupTest | TableTest;

const rankOf = (value: string) =>
  `rank() OVER (ORDER BY ${value}) + (count(*) OVER (PARTITION BY ${value}) - 1) / 2.0`;

/**
 * Records with a value of what they lead to count once for each of these, with their median: however
 * many people there are, five departments are five cases.
 */
function basisOf(subject: Subject, other: Column, measure: Column): Basis {
  const isSampled = true;
  const { via } = other;
  const reference = subject.own.find(({ name }) => name === via?.field);
  if (!via || other.role === 'reference' || !reference) {
    const pairs = source(subject, [other, measure], { isSampled });
    return {
      counted: 'records',
      note: (n) => sampleNote(subject, n),
      sql: `SELECT c0, c1 FROM (${pairs}) WHERE c0 IS NOT NULL AND c1 IS NOT NULL`,
    };
  }
  const pairs = source(subject, [other, measure, reference], { isSampled });
  return {
    counted: `values of ${reference.name}`,
    note: () => `; medians of ${measure.name} by ${reference.name}`,
    sql: `SELECT any_value(c0) AS c0, median(c1) AS c1 FROM (${pairs})
      WHERE c0 IS NOT NULL AND c1 IS NOT NULL GROUP BY c2`,
  };
}

/** Spearman's rank correlation; equal values share their ranks. */
export async function rankTest(
  subject: Subject,
  other: Column,
  measure: Column,
): Promise<RankTest[]> {
  const basis = basisOf(subject, other, measure);
  const [row] = await subject.ask(
    `SELECT count(*), corr(x, y) FROM (
       SELECT ${rankOf('c0')} AS x, ${rankOf('c1')} AS y FROM (${basis.sql}))`,
  );
  const [n, rho] = [Number(row?.[0] ?? 0), Number(row?.[1] ?? Number.NaN)];
  if (n < LEAST_RECORDS || !Number.isFinite(rho)) return [];
  return [{ kind: 'ranks', a: measure, b: other, rho, n, p: spearmanP(rho, n), basis }];
}

/** Whether the numbers of some groups are higher than those of others. */
export async function groupTest(
  subject: Subject,
  group: Column,
  measure: Column,
): Promise<GroupTest[]> {
  const basis = basisOf(subject, group, measure);
  const rows = await subject.ask(
    `WITH s AS (${basis.sql}),
       r AS (SELECT c0, c1, ${rankOf('c1')} AS r FROM s
         WHERE c0 IN (SELECT c0 FROM s GROUP BY c0 HAVING count(*) >= ${LEAST_IN_GROUP}))
     SELECT c0, count(*), sum(r), sum(r * r), median(c1) FROM r GROUP BY c0 ORDER BY c0`,
  );
  const groups = rows.map((row) => ({ count: Number(row[1]), rankSum: Number(row[2]) }));
  const n = groups.reduce((sum, { count }) => sum + count, 0);
  if (n < LEAST_RECORDS || groups.length < 2) return [];
  const squares = rows.reduce((sum, row) => sum + Number(row[3]), 0);
  const standings = rows.map(([name, records, , , median]) => ({
    group: String(name),
    records: Number(records),
    median: Number(median),
  }));
  const tested = kruskalWallis(groups, squares);
  return [{ kind: 'groups', group, measure, standings, n, basis, ...tested }];
}

/** Whether values of one field go together with values of another. */
export async function tableTest(subject: Subject, a: Column, b: Column): Promise<TableTest[]> {
  const cells = await cellsOf(subject, a, b, true);
  const frequent = (values: readonly (readonly [string, number])[]) => {
    const totals = new Map<string, number>();
    for (const [value, count] of values) totals.set(value, (totals.get(value) ?? 0) + count);
    return [...totals].filter(([, total]) => total >= LEAST_IN_GROUP).map(([value]) => value);
  };
  const rows = frequent(cells.map(({ a: value, count }) => [value, count]));
  const columns = frequent(cells.map(({ b: value, count }) => [value, count]));
  const counts = new Map(cells.map((cell) => [JSON.stringify([cell.a, cell.b]), cell.count]));
  const table = rows.map((row) =>
    columns.map((column) => counts.get(JSON.stringify([row, column])) ?? 0),
  );
  const n = table.flat().reduce((sum, count) => sum + count, 0);
  if (n < LEAST_RECORDS || n < LEAST_PER_CELL * rows.length * columns.length) return [];
  if (rows.length < 2 || columns.length < 2) return [];
  return [{ kind: 'table', a, b, cells, n, ...cramersV(table) }];
}

export async function cellsOf(
  subject: Subject,
  a: Column,
  b: Column,
  isSampled: boolean,
): Promise<readonly TableCell[]> {
  const rows = await subject.ask(
    `SELECT c0, c1, count(*) FROM (${source(subject, [a, b], { isSampled })})
     WHERE c0 IS NOT NULL AND c1 IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2`,
  );
  return rows.map(([x, y, count]: readonly Cell[]) => ({
    a: String(x),
    b: String(y),
    count: Number(count),
  }));
}
