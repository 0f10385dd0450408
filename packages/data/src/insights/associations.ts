import { groupFinding, rankFinding, tableFinding } from './association-findings.ts';
import { type Dependency, dependencyOf } from './dependencies.ts';
import type { Found } from './finding.ts';
import { identities, isExplained } from './identities.ts';
import {
  type GroupTest,
  groupTest,
  type PairTest,
  rankTest,
  type TableTest,
  tableTest,
} from './pair-tests.ts';
import { sampleNote } from './source.ts';
import { holm } from './statistics.ts';
import type { Column, Subject } from './subject.ts';

const LEAST_P = 0.001;
const LEAST_RHO = 0.5;
const LEAST_EPSILON_SQUARED = 0.1;
const LEAST_V = 0.3;
/** What a coarser grouping explains of a finer one makes the finer one needless. */
const NEARLY_ALL = 0.9;

/** What goes together with what. */
export async function associations(
  subject: Subject,
): Promise<{ readonly found: readonly Found[]; readonly tests: number }> {
  const { found, identities: known } = await identities(subject);
  const { measures, groups } = subject;
  const own = measures.filter(({ via }) => !via);
  // A reference stands in the record itself; what it leads to belongs to another category.
  const inRecord = groups.filter(({ via, role }) => !via || role === 'reference');
  const tests = (
    await Promise.all<readonly PairTest[]>([
      ...pairsOf(subject, measures, own)
        .filter(([a, b]) => !isExplained(known, a, b))
        .map(([a, b]) => rankTest(subject, a, b)),
      ...pairsOf(subject, groups, own).map(([a, b]) => groupTest(subject, a, b)),
      ...pairsOf(subject, inRecord, inRecord).map(([a, b]) => tableTest(subject, a, b)),
    ])
  ).flat();
  const adjusted = holm(tests.map(({ p }) => p));
  const sure = tests.flatMap((test, at): PairTest[] => {
    const p = adjusted[at] ?? 1;
    return p < LEAST_P ? [{ ...test, p }] : [];
  });
  const holmed = `Holm over ${tests.length} tests`;
  const tables = (
    await Promise.all(
      sure.map((test) => (test.kind === 'table' ? tableFindings(subject, test, holmed) : [])),
    )
  ).flat();
  const dependencies = [
    ...tables.flatMap((one) => one.dependencies),
    ...groups.flatMap((to) => referencesTo(to, groups).map((from) => ({ from, to }))),
  ];
  const compared = sure
    .filter((test) => test.kind === 'groups')
    .filter(({ epsilonSquared }) => epsilonSquared >= LEAST_EPSILON_SQUARED);
  const telling = compared.filter((test) => !isNeedless(test, compared, dependencies));
  return {
    found: [
      ...found,
      ...sure
        .filter((test) => test.kind === 'ranks')
        .filter(({ rho }) => Math.abs(rho) >= LEAST_RHO)
        .map((test) => rankFinding(test, holmed)),
      ...telling.map((test) => groupFinding(test, holmed)),
      ...tables.filter((one) => !isImplied(one, dependencies)).map((one) => one.found),
    ],
    tests: tests.length,
  };
}

/** Pairs of different columns, each once. */
function pairsOf(
  { isWanted }: Subject,
  firsts: readonly Column[],
  seconds: readonly Column[],
): readonly (readonly [Column, Column])[] {
  return firsts.flatMap((a, at) =>
    seconds
      .filter((b) => a !== b && !(seconds.includes(a) && firsts.indexOf(b) < at))
      .filter((b) => a.via?.field !== b.name && isWanted(a, b))
      .map((b) => [a, b] as const),
  );
}

/** What a record leads to tells everything that is known of it. */
function referencesTo(column: Column, groups: readonly Column[]): readonly Column[] {
  if (!column.via || column.role === 'reference') return [];
  return groups.filter(({ via, role }) => role === 'reference' && via === column.via);
}

/** Whether another grouping of the same records, finer or coarser, says it better. */
function isNeedless(
  test: GroupTest,
  all: readonly GroupTest[],
  dependencies: readonly Dependency[],
): boolean {
  return all.some((other) => {
    if (other === test || other.measure !== test.measure) return false;
    const tells = (from: Column, to: Column) =>
      dependencies.some((one) => one.from === from && one.to === to);
    const isFiner = tells(test.group, other.group);
    const isCoarser = tells(other.group, test.group);
    if (isFiner && isCoarser) return all.indexOf(other) < all.indexOf(test);
    if (isFiner) return other.epsilonSquared >= NEARLY_ALL * test.epsilonSquared;
    return isCoarser && test.epsilonSquared < NEARLY_ALL * other.epsilonSquared;
  });
}

interface TableFound {
  readonly found: Found;
  readonly dependencies: readonly Dependency[];
}

/** A street tells the city and the city the country: nobody needs to hear of street and country. */
function isImplied({ dependencies: own }: TableFound, all: readonly Dependency[]): boolean {
  const tells = (from: Column, to: Column) => all.some((one) => one.from === from && one.to === to);
  const [only, other] = own;
  if (!only || other) return false;
  return all.some(
    ({ from, to: middle }) =>
      from === only.from && tells(middle, only.to) && !tells(middle, only.from),
  );
}

async function tableFindings(
  subject: Subject,
  test: TableTest,
  holmed: string,
): Promise<readonly TableFound[]> {
  const told = await dependencyOf(subject, test);
  if (told) return [told];
  if (test.v < LEAST_V) return [];
  return [{ found: tableFinding(test, holmed, sampleNote(subject, test.n)), dependencies: [] }];
}
