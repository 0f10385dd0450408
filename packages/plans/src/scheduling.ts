import type { ReadyGroup } from '@baton/store';

/** Longer than any path: a plan has at most so many jobs. */
export const MAX_JOBS = 5000;
/** Jobs of one plan at once, unless it says otherwise. */
export const DEFAULT_PARALLEL = 4;

/**
 * Within a plan the length of the longest path from a job to the end is its priority; among equals
 * the one that was written first comes first. What is tried again comes before all of them.
 */
export function asRetry(priority: number): number {
  return priority > MAX_JOBS ? priority : priority + MAX_JOBS;
}

/**
 * Between plans: the one with the fewest jobs running, then the one whose last turn was longest
 * ago, so that a small plan need not wait for a large one.
 */
export function fairOrder(
  plans: readonly ReadyGroup[],
  lastTurns: ReadonlyMap<string, number>,
): string[] {
  const turn = ({ group }: ReadyGroup) => lastTurns.get(group) ?? -1;
  return plans
    .toSorted((a, b) => a.running - b.running || turn(a) - turn(b))
    .map(({ group }) => group);
}
