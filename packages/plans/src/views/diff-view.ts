import { BatonError } from '@baton/core';
import type { Store } from '@baton/store';
import { isLanding, repositoryOf } from '../git-jobs.ts';
import { findJob, jobsOf, type Plan } from '../plan-repository.ts';
import type { DiffStat, Repositories } from '../ports.ts';
import { type RepositoryRow, repositoriesIn } from '../worktrees.ts';

const SHOWN_PATHS = 100;
const PAGE_CHARACTERS = 6000;

export interface DiffQuery {
  readonly job?: string | undefined;
  /** Where in the patch to begin; without it there are numbers only. */
  readonly from?: number | undefined;
}

interface Difference {
  readonly repository: RepositoryRow;
  readonly from: string;
  readonly to: string;
}

/** What a job has changed, or all of the plan: numbers first, the patch by pages. */
export async function showDiff(
  store: Store,
  repositories: Repositories,
  plan: Plan,
  query: DiffQuery,
) {
  const differences = await differencesOf(store, plan, query.job);
  if (query.from !== undefined) return patchPage(repositories, differences, query.from);
  const stats = differences.map(async ({ repository, from, to }) => ({
    repository: repository.repository,
    ...(query.job === undefined && { branch: repository.landed_on ?? repository.branch }),
    from,
    to,
    ...cut(await repositories.stat(repository.root, from, to)),
  }));
  return { stats: await Promise.all(stats) };
}

async function differencesOf(
  store: Store,
  plan: Plan,
  jobId: string | undefined,
): Promise<Difference[]> {
  const { rows, jobs } = await store.read(async (tx) => ({
    rows: await repositoriesIn(tx, plan.id),
    jobs: jobId === undefined ? await jobsOf(tx, plan.id) : [await findJob(tx, plan.id, jobId)],
  }));
  // All of a plan is what its first landing in each repository has brought together.
  const chosen =
    jobId === undefined ? jobs.filter(({ definition }) => isLanding(definition)) : jobs;
  const found = rows.flatMap((repository) => {
    const job = chosen.find(({ definition }) => repositoryOf(definition) === repository.repository);
    return job?.start && job.result ? [{ repository, from: job.start, to: job.result }] : [];
  });
  if (jobId !== undefined && found.length === 0) throw nothingYet(jobId);
  return found;
}

function cut({ paths, ...stat }: DiffStat) {
  return {
    ...stat,
    paths: paths.slice(0, SHOWN_PATHS).map(({ path, insertions, deletions }) => ({
      path,
      ...(insertions !== undefined && { insertions }),
      ...(deletions !== undefined && { deletions }),
    })),
    ...(paths.length > SHOWN_PATHS && { more: paths.length - SHOWN_PATHS }),
  };
}

async function patchPage(
  repositories: Repositories,
  differences: readonly Difference[],
  from: number,
) {
  const patches = await Promise.all(
    differences.map(({ repository, ...of }) => repositories.patch(repository.root, of.from, of.to)),
  );
  const whole = patches.join('');
  const begin = from < 0 ? Math.max(0, whole.length + from) : from;
  const patch = whole.slice(begin, begin + PAGE_CHARACTERS);
  const next = begin + patch.length;
  return { patch, from: begin, end: whole.length, ...(next < whole.length && { next }) };
}

function nothingYet(job: string): BatonError {
  return new BatonError(
    'diff_missing',
    `Job ${job} has no commit yet.`,
    'Wait until it has succeeded; what it works on meanwhile is in its worktree (view "job").',
  );
}
