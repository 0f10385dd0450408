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
  readonly call: GitCall;
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
  readonly #env: Environment;
  readonly #trees = new Map<string, OpenTree>();
  readonly #changed = new Map<string, readonly string[]>();
  #isLooking = false;

  constructor(store: Store, log: Log, env: Environment) {
    this.#store = store;
    this.#log = log;
    this.#env = env;
  }

  /** An attempt works there from now on. */
  open(claimed: Claimed, repository: Repository, tree: AttemptTree, { permit }: GitCall): void {
    // Looks end with the worker, not with the attempt.
    const call = { env: this.#env, permit };
    this.#trees.set(claimed.attempt.id, { ...tree, claimed, repository, call });
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
    const { claimed } = first;
    const jobs = await this.#store.read((tx) => jobsOf(tx, claimed.plan.id));
    const name = repositoryOf(claimed.job.definition);
    const here = jobs.filter(({ definition }) => repositoryOf(definition) === name);
    const done = here.filter(
      ({ definition, result, start }) => result && result !== start && !isLanding(definition),
    );
    // One after the other: a large plan must not start as many processes as it has jobs.
    const contenders: Contender[] = [];
    for (const { id, start, result } of done) {
      contenders.push(await this.#ofResult(first, id, start ?? '', result ?? ''));
    }
    for (const tree of trees) contenders.push(await this.#ofTree(tree));
    const definitions = jobs.map(({ definition }) => definition);
    const found = await this.#compare(first, contenders, (one, other) => {
      const isAfter = (id: string, before: string) => ancestorsOf(definitions, id).has(before);
      return isAfter(one, other) || isAfter(other, one);
    });
    const ids = here.map(({ id }) => id);
    await this.#store.write('relaxed', (tx) => savePredictions(tx, claimed.plan, ids, found));
  }

  async #ofResult(
    { repository, call }: OpenTree,
    job: string,
    start: string,
    result: string,
  ): Promise<Contender> {
    const known = this.#changed.get(result);
    const paths = known ?? (await changedPaths(repository, start, result, call));
    this.#changed.set(result, paths);
    return { job, paths: new Set(paths), commit: async () => result };
  }

  async #ofTree({ claimed, worktree, start, call }: OpenTree): Promise<Contender> {
    const paths = new Set(await worktreeChanges(worktree, start, call));
    let snapshot: Promise<string> | undefined;
    const commit = () => {
      snapshot ??= snapshotWorktree(worktree, start, call);
      return snapshot;
    };
    return { job: claimed.job.id, paths, commit };
  }

  async #compare(
    { repository, call }: OpenTree,
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
        const files = await predictConflicts(repository, mine, theirs, call);
        const jobs = [one.job, other.job].sort() as [string, string];
        if (files.length > 0) found.push({ jobs, files });
      }
    }
    return found;
  }
}
