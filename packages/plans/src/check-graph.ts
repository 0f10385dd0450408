import { BatonError, nearest, truncate } from '@baton/core';
import { findCycles } from './cycles.ts';

const MOST_PROBLEMS = 8;
const LONGEST_CYCLE = 12;
// Comparing a word with ten thousand takes long enough to be noticed by everybody else.
const MOST_COMPARED = 1_000;

export interface GraphJob {
  readonly id: string;
  readonly needs?: readonly string[] | undefined;
}

/** Worded only if it is shown: there can be thousands, and looking for what was meant is slow. */
type Problem = () => string;

/** Says everything that keeps the jobs from being a graph without cycles, in one go. */
export function checkGraph(jobs: readonly GraphJob[]): void {
  const known = new Map<string, ReadonlySet<string>>();
  for (const { id, needs } of jobs) if (!known.has(id)) known.set(id, withoutSelf(id, needs));
  const cycles = findCycles(known, MOST_PROBLEMS);
  const problems = [
    ...duplicates(jobs),
    ...jobs.flatMap((job) => badNeeds(job, known)),
    ...cycles.paths.map(
      (path): Problem =>
        () =>
          worded(startingAtFirst(path, known)),
    ),
  ];
  const count = problems.length + cycles.count - cycles.paths.length;
  if (count === 0) return;
  const shown = problems.slice(0, MOST_PROBLEMS).map((problem) => problem());
  const more = count > shown.length ? ` And ${count - shown.length} more.` : '';
  throw new BatonError(
    'plan_graph',
    `The jobs are not a graph that can be run: ${shown.join(' ')}${more}`,
    'Correct the ids and needs of the jobs and try again.',
  );
}

function withoutSelf(id: string, needs: readonly string[] = []): ReadonlySet<string> {
  return new Set(needs.filter((need) => need !== id));
}

function duplicates(jobs: readonly GraphJob[]): Problem[] {
  const times = new Map<string, number>();
  for (const { id } of jobs) times.set(id, (times.get(id) ?? 0) + 1);
  return [...times]
    .filter(([, count]) => count > 1)
    .map(
      ([id, count]) =>
        () =>
          `${count} jobs have the id ${quoted(id)}.`,
    );
}

function badNeeds({ id, needs }: GraphJob, known: ReadonlyMap<string, unknown>): Problem[] {
  return [...new Set(needs)].flatMap((need): Problem[] => {
    if (need === id) return [() => `${quoted(id)} needs itself.`];
    return known.has(need) ? [] : [() => unknownNeed(id, need, known.keys())];
  });
}

function unknownNeed(id: string, need: string, known: Iterable<string>): string {
  const others = [...known].filter((other) => other !== id);
  const meant = nearest(need, others.slice(0, MOST_COMPARED));
  const hint = meant === undefined ? '' : ` (did you mean ${quoted(meant)}?)`;
  return `${quoted(id)} needs ${quoted(need)}, which is no job of the plan${hint}.`;
}

function startingAtFirst(path: readonly string[], known: ReadonlyMap<string, unknown>): string[] {
  const members = new Set(path);
  const first = [...known.keys()].find((id) => members.has(id)) ?? '';
  const at = path.indexOf(first);
  return [...path.slice(at), ...path.slice(0, at), first];
}

function worded(cycle: readonly string[]): string {
  const left = cycle.length - LONGEST_CYCLE;
  const half = LONGEST_CYCLE / 2;
  const ids =
    left > 1 ? [...cycle.slice(0, half), `… ${left} more …`, ...cycle.slice(-half)] : cycle;
  return `These need each other in a circle: ${ids.join(' → ')}.`;
}

function quoted(id: string): string {
  return JSON.stringify(truncate(id, 64));
}
