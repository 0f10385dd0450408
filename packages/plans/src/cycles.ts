type Needs = ReadonlyMap<string, ReadonlySet<string>>;

/** A job on the way from where the search began, and the needs of it that are still to be seen. */
interface Step {
  readonly id: string;
  readonly left: Iterator<string>;
}

export interface Cycles {
  /** Each names a job, what it needs, what that needs, and so on; the last needs the first. */
  readonly paths: readonly (readonly string[])[];
  readonly count: number;
}

/**
 * One cycle for each need that closes one: without these needs there is no cycle left, while all
 * the ways around could be more than can be counted. A loop with a stack of its own, because a
 * chain of jobs may be longer than the stack of calls.
 */
export function findCycles(needs: Needs, limit: number): Cycles {
  const paths: string[][] = [];
  let count = 0;
  const depth = new Map<string, number>();
  const finished = new Set<string>();
  // It begins as if nobody needed all jobs.
  const way: Step[] = [{ id: '', left: needs.keys() }];
  for (let step = way.at(-1); step; step = way.at(-1)) {
    const { value: need, done } = step.left.next();
    if (done) {
      finished.add(step.id);
      way.pop();
    } else if (!depth.has(need)) {
      depth.set(need, way.length);
      way.push({ id: need, left: (needs.get(need) ?? []).values() });
    } else if (!finished.has(need) && ++count <= limit) {
      paths.push(way.slice(depth.get(need)).map(({ id }) => id));
    }
  }
  return { paths, count };
}
