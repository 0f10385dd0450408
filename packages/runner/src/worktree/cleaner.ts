import { describeError, type Environment, type Log } from '@baton/core';
import {
  dropRefs,
  findRepository,
  type GitCall,
  type Repository,
  removeWorktree,
  removeWorktreeFiles,
} from '@baton/git';
import {
  forgetRepository,
  forgetWorktree,
  keepWorktree,
  leftoversOf,
  type RepositoryRow,
  refsOf,
  type WorktreeRow,
} from '@baton/plans/jobs';
import type { Store } from '@baton/store';
import type { OnPoint } from '../points.ts';
import { saveWork } from './kept-work.ts';

type Find = (root: string) => Promise<Repository | undefined>;

/** Removes worktrees and refs that nobody needs any more, beside the jobs that run. */
export class Cleaner {
  readonly #store: Store;
  readonly #log: Log;
  readonly #call: GitCall;
  readonly #onPoint: OnPoint;
  /** What cannot be removed is left until the next worker tries. */
  readonly #stuck = new Set<string>();
  #cleaning: Promise<void> | undefined;
  readonly #ending = new AbortController();
  #isAskedAgain = false;

  constructor(store: Store, log: Log, env: Environment, onPoint: OnPoint = () => {}) {
    this.#store = store;
    this.#log = log;
    this.#call = { env, signal: this.#ending.signal };
    this.#onPoint = onPoint;
  }

  /** Leaves the rest to whoever comes next. */
  async end(): Promise<void> {
    this.#ending.abort();
    await this.#cleaning?.catch(() => {});
  }

  /** Until nothing is left that can be removed. */
  clean(): Promise<void> {
    this.#isAskedAgain = true;
    this.#cleaning ??= this.#cleanAll().finally(() => {
      this.#cleaning = undefined;
    });
    return this.#cleaning;
  }

  async #cleanAll(): Promise<void> {
    while (this.#isAskedAgain) {
      this.#isAskedAgain = false;
      await this.#cleanOnce();
    }
  }

  async #cleanOnce(): Promise<void> {
    for (;;) {
      const found = await this.#store.read((tx) => leftoversOf(tx));
      const worktrees = found.worktrees.filter(({ path }) => !this.#stuck.has(path));
      const repositories = found.repositories.filter((row) => !this.#stuck.has(keyOf(row)));
      if (worktrees.length + repositories.length === 0) return;
      const find = this.#finder();
      // All at once: one repository is changed by one of them at a time, and whoever waits for that
      // again and again falls behind the jobs that make new ones.
      await Promise.all(
        worktrees.map((row) => this.#attempt(row.path, () => this.#removeTree(row, find))),
      );
      for (const row of repositories) await this.#attempt(keyOf(row), () => this.#dropRefs(row));
      if (this.#ending.signal.aborted) return;
    }
  }

  async #attempt(key: string, remove: () => Promise<void>): Promise<void> {
    try {
      await remove();
    } catch (error) {
      if (this.#ending.signal.aborted) return;
      this.#stuck.add(key);
      this.#log.write('warn', `cannot remove ${key}: ${describeError(error)}`);
    }
  }

  async #removeTree(row: WorktreeRow, find: Find): Promise<void> {
    const { root, path, attempt_id, job_id } = row;
    if (!(await this.#isSaved(row))) return;
    this.#onPoint('worktree given up', job_id);
    const startedAt = this.#store.clock.now();
    const repository = await find(root);
    if (repository) await removeWorktree(repository, path, this.#call);
    else await removeWorktreeFiles(path);
    await this.#store.write('relaxed', (tx) => forgetWorktree(tx, attempt_id, startedAt));
  }

  /** Whether nothing that somebody has done there is lost with it. */
  async #isSaved(row: WorktreeRow): Promise<boolean> {
    const { path, attempt_id, job_id, saved_ref } = row;
    try {
      const onSaved = () => this.#onPoint('work saved', job_id);
      const ref = await saveWork(this.#store, row, this.#call, onSaved);
      if (ref && ref !== saved_ref) {
        this.#log.write('info', `what was changed in ${path} (job ${job_id}) is kept as ${ref}`);
      }
      return true;
    } catch (error) {
      this.#call.signal?.throwIfAborted();
      this.#stuck.add(path);
      // Its plan still shows it then, and whoever removes it is told why that fails.
      await this.#store.write('relaxed', (tx) => keepWorktree(tx, attempt_id));
      const why = describeError(error);
      this.#log.write('warn', `${path} stays: what is in it cannot be saved: ${why}`);
      return false;
    }
  }

  async #dropRefs(row: RepositoryRow): Promise<void> {
    const repository = row.root ? await this.#repository(row.root) : undefined;
    if (repository) await dropRefs(repository, refsOf(row.plan_id), this.#call);
    await this.#store.write('relaxed', (tx) => forgetRepository(tx, row));
  }

  /** Asks git once for each repository, however many worktrees of it there are. */
  #finder(): Find {
    const found = new Map<string, ReturnType<Find>>();
    return (root) => {
      const finding = found.get(root) ?? this.#repository(root);
      found.set(root, finding);
      return finding;
    };
  }

  /** It may be gone, and what was in it with it. */
  #repository(root: string) {
    return findRepository(root, this.#call).catch(() => undefined);
  }
}

function keyOf({ plan_id, repository }: RepositoryRow): string {
  return `refs of plan ${plan_id} in ${repository}`;
}
