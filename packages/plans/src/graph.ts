import { checkGraph, type GraphJob } from './check-graph.ts';
import { SmallestFirst } from './smallest-first.ts';

export { checkGraph, type GraphJob };

/** Every job after what it needs; of those that are free, the one that was written first. */
export function inOrder<Job extends GraphJob>(jobs: readonly Job[]): Job[] {
  return ordered(jobs, new SmallestFirst());
}

/** For each job the length in jobs of the longest path from it to a leaf, itself included. */
export function remainingPaths(jobs: readonly GraphJob[]): Map<string, number> {
  const lengths = new Map(jobs.map(({ id }) => [id, 1]));
  for (const { id, needs = [] } of ordered(jobs, []).reverse()) {
    const withNeed = (lengths.get(id) ?? 1) + 1;
    for (const need of needs) lengths.set(need, Math.max(lengths.get(need) ?? 1, withNeed));
  }
  return lengths;
}

export interface CriticalPath {
  readonly ids: string[];
  readonly ms: number;
}

/**
 * The path from a job without needs to a leaf that takes longest, the first of several.
 * Durations are not negative.
 */
export function criticalPath(
  jobs: readonly GraphJob[],
  duration: (id: string) => number,
): CriticalPath {
  const ends = new Map<string, number>();
  const endOf = (id: string) => ends.get(id) ?? 0;
  const before = new Map<string, string>();
  const latest = (ids: readonly string[]) =>
    ids.reduce<string | undefined>(
      (found, id) => (found === undefined || endOf(id) > endOf(found) ? id : found),
      undefined,
    );
  for (const { id, needs = [] } of ordered(jobs, [])) {
    const need = latest(needs);
    if (need !== undefined) before.set(id, need);
    ends.set(id, duration(id) + (need === undefined ? 0 : endOf(need)));
  }
  const needed = new Set(jobs.flatMap(({ needs = [] }) => needs));
  const last = latest(jobs.map(({ id }) => id).filter((id) => !needed.has(id)));
  const ids: string[] = [];
  for (let id = last; id !== undefined; id = before.get(id)) ids.push(id);
  return { ids: ids.reverse(), ms: last === undefined ? 0 : endOf(last) };
}

/** All that a job needs, directly or not. */
export function ancestorsOf(jobs: readonly GraphJob[], id: string): Set<string> {
  return reachable(new Map(jobs.map((job) => [job.id, job.needs ?? []])), id);
}

/** All that need a job, directly or not. */
export function dependentsOf(jobs: readonly GraphJob[], id: string): Set<string> {
  const dependents = new Map<string, string[]>(jobs.map((job) => [job.id, []]));
  for (const job of jobs) {
    for (const need of job.needs ?? []) dependents.get(need)?.push(job.id);
  }
  return reachable(dependents, id);
}

/** The jobs that are not done and whose needs all are, as written. */
export function readySet(jobs: readonly GraphJob[], done: ReadonlySet<string>): string[] {
  return jobs
    .filter(({ id, needs = [] }) => !done.has(id) && needs.every((need) => done.has(need)))
    .map(({ id }) => id);
}

function reachable(edges: ReadonlyMap<string, readonly string[]>, from: string): Set<string> {
  const found = new Set<string>(edges.get(from));
  // A set that grows while it is walked is walked to its new end.
  for (const id of found) {
    for (const next of edges.get(id) ?? []) found.add(next);
  }
  return found;
}

/** Positions of jobs that may come next. An array, taken from its end, does where any will. */
interface Free {
  push(position: number): void;
  pop(): number | undefined;
}

function ordered<Job extends GraphJob>(jobs: readonly Job[], free: Free): Job[] {
  const needs = jobs.map((job) => new Set(job.needs));
  const waiting = needs.map(({ size }) => size);
  const dependents = new Map<string, number[]>(jobs.map(({ id }) => [id, []]));
  needs.forEach((of, position) => {
    for (const need of of) dependents.get(need)?.push(position);
    if (of.size === 0) free.push(position);
  });
  const order: Job[] = [];
  for (let next = free.pop(); next !== undefined; next = free.pop()) {
    const job = jobs[next] as Job;
    order.push(job);
    for (const dependent of dependents.get(job.id) ?? []) {
      waiting[dependent] = (waiting[dependent] ?? 0) - 1;
      if (waiting[dependent] === 0) free.push(dependent);
    }
  }
  // Some were never free: who asks has not checked the graph, and shall hear why.
  if (order.length < jobs.length) checkGraph(jobs);
  return order;
}
