import type { ReadyGroup } from '@baton/store';

/** Longer than any path: a plan has at most so many jobs. */
export const MAX_JOBS = 5000;
/** Jobs of one plan at once, unless it says otherwise. */
export const DEFAULT_PARALLEL = 4;

/**
 * Within a plan: what is tried again comes first, then what the longest path of jobs waits for,
 * then what was written first.
 */
export function priorityOf(remainingPath: number, isRetry: boolean): number {
  return remainingPath + (isRetry ? MAX_JOBS : 0);
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
