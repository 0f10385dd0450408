import { describeError, type Environment, type Log } from '@baton/core';
import {
  changedPaths,
  type GitCall,
  predictConflicts,
  type Repository,
  snapshotWorktree,
  worktreeChanges,
} from '@baton/git';
import {
  ancestorsOf,
  type Claimed,
  isLanding,
  jobsOf,
  type PredictedConflict,
  repositoryOf,
  savePredictions,
} from '@baton/plans/jobs';
import type { Store } from '@baton/store';
import type { AttemptTree } from './attempt-context.ts';

/** Comparisons in one look: others want to work, too. */
const MOST_PAIRS = 100;

interface OpenTree extends AttemptTree {
  readonly claimed: Claimed;
  readonly repository: Repository;
}

/** A job with changes that are not brought together with those of others yet. */
interface Contender {
  readonly job: string;
  readonly paths: ReadonlySet<string>;
  commit(): Promise<string>;
}

/** Looks now and then whether what jobs are doing at the same time will fit together. */
export class ConflictWatch {
  readonly #store: Store;
  readonly #log: Log;
  readonly #call: GitCall;
  readonly #trees = new Map<string, OpenTree>();
  readonly #changed = new Map<string, Promise<readonly string[]>>();
  #isLooking = false;

  constructor(store: Store, log: Log, env: Environment) {
    this.#store = store;
    this.#log = log;
    this.#call = { env };
  }

  /** An attempt works there from now on. */
  open(claimed: Claimed, repository: Repository, tree: AttemptTree): void {
    this.#trees.set(claimed.attempt.id, { ...tree, claimed, repository });
  }

  close({ attempt }: Claimed): void {
    this.#trees.delete(attempt.id);
    if (this.#trees.size === 0) this.#changed.clear();
  }

  async look(): Promise<void> {
    if (this.#isLooking || this.#trees.size === 0) return;
    this.#isLooking = true;
    try {
      for (const trees of this.#byRepository().values()) await this.#lookAt(trees);
    } catch (error) {
      // A worktree may be gone in the middle of a look; the next one sees what there is then.
      this.#log.write('debug', `cannot look for conflicts: ${describeError(error)}`);
    } finally {
      this.#isLooking = false;
    }
  }

  /** Each of a plan by itself: jobs in different ones cannot be in conflict. */
  #byRepository(): Map<string, OpenTree[]> {
    const found = new Map<string, OpenTree[]>();
    for (const tree of this.#trees.values()) {
      const key = `${tree.claimed.plan.id} ${tree.repository.root}`;
      found.set(key, [...(found.get(key) ?? []), tree]);
    }
    return found;
  }

  async #lookAt(trees: readonly OpenTree[]): Promise<void> {
    const [first] = trees;
    if (!first) return;
    const { repository, claimed } = first;
    const jobs = await this.#store.read((tx) => jobsOf(tx, claimed.plan.id));
    const name = repositoryOf(claimed.job.definition);
    const here = jobs.filter(({ definition }) => repositoryOf(definition) === name);
    const done = here.filter(
      ({ definition, result, start }) => result && result !== start && !isLanding(definition),
    );
    // One after the other: a large plan must not start as many processes as it has jobs.
    const contenders: Contender[] = [];
    for (const { id, start, result } of done) {
      contenders.push(await this.#ofResult(repository, id, start ?? '', result ?? ''));
    }
    for (const tree of trees) contenders.push(await this.#ofTree(tree));
    const definitions = jobs.map(({ definition }) => definition);
    const found = await this.#compare(repository, contenders, (one, other) => {
      const isAfter = (id: string, before: string) => ancestorsOf(definitions, id).has(before);
      return isAfter(one, other) || isAfter(other, one);
    });
    const ids = here.map(({ id }) => id);
    await this.#store.write('relaxed', (tx) => savePredictions(tx, claimed.plan, ids, found));
  }

  async #ofResult(
    repository: Repository,
    job: string,
    start: string,
    result: string,
  ): Promise<Contender> {
    const known = this.#changed.get(result) ?? changedPaths(repository, start, result, this.#call);
    this.#changed.set(result, known);
    return { job, paths: new Set(await known), commit: async () => result };
  }

  async #ofTree({ claimed, worktree, start }: OpenTree): Promise<Contender> {
    const paths = new Set(await worktreeChanges(worktree, start, this.#call));
    let snapshot: Promise<string> | undefined;
    const commit = () => {
      snapshot ??= snapshotWorktree(worktree, start, this.#call);
      return snapshot;
    };
    return { job: claimed.job.id, paths, commit };
  }

  async #compare(
    repository: Repository,
    contenders: readonly Contender[],
    isOrdered: (one: string, other: string) => boolean,
  ): Promise<PredictedConflict[]> {
    const found: PredictedConflict[] = [];
    let pairs = 0;
    for (const [index, one] of contenders.entries()) {
      for (const other of contenders.slice(index + 1)) {
        const isClose = [...one.paths].some((path) => other.paths.has(path));
        if (!isClose || pairs >= MOST_PAIRS || isOrdered(one.job, other.job)) continue;
        pairs += 1;
        const [mine, theirs] = [await one.commit(), await other.commit()];
        const files = await predictConflicts(repository, mine, theirs, this.#call);
        const jobs = [one.job, other.job].sort() as [string, string];
        if (files.length > 0) found.push({ jobs, files });
      }
    }
    return found;
  }
}
