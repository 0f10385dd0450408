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

/** When each plan had its last turn, as far as a worker remembers. */
export class Turns {
  readonly #last = new Map<string, number>();
  #count = 0;

  take(plan: string): void {
    this.#count += 1;
    this.#last.set(plan, this.#count);
  }

  forget(plan: string): void {
    this.#last.delete(plan);
  }

  /**
   * The plan with the fewest jobs running, then the one whose last turn was longest ago, so that a
   * small plan need not wait for a large one.
   */
  next<Plan extends ReadyGroup>(plans: Iterable<Plan>): Plan | undefined {
    let first: Plan | undefined;
    for (const plan of plans) if (!first || this.#compare(plan, first) < 0) first = plan;
    return first;
  }

  #compare(one: ReadyGroup, other: ReadyGroup): number {
    return one.running - other.running || this.#lastOf(one) - this.#lastOf(other);
  }

  #lastOf({ group }: ReadyGroup): number {
    return this.#last.get(group) ?? 0;
  }
}
