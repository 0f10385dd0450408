import { BatonError } from '@baton/core';
import { GIT_ONLY, type GitSettings, OWN_REPOSITORY } from './git-settings.ts';
import { GlobComparison } from './globs-overlap.ts';
import { ancestorsOf, inOrder } from './graph.ts';
import type { JobToStore, LandingWork, StoredJob } from './stored-job.ts';

const LANDING_ID = /^land(-\d+)?$/;

export function isLanding({ work }: Pick<StoredJob, 'work'>): boolean {
  return work.type === 'land';
}

export function repositoryOf({ repository = OWN_REPOSITORY }: StoredJob): string {
  return repository;
}

/** It has a folder of its own and a commit at its end. */
export function worksInTree({ work }: StoredJob): boolean {
  return work.type !== 'ticket';
}

/** Every repository that jobs work in, as they are written. */
export function repositoriesOf(jobs: readonly StoredJob[]): string[] {
  return [...new Set(jobs.filter(worksInTree).map(repositoryOf))];
}

/**
 * The jobs of a plan with what git needs of them: those that would change the same files one after
 * the other, and one for each repository at the end that brings all results together.
 */
export function arrangeForGit(given: readonly StoredJob[], git: GitSettings): StoredJob[] {
  const jobs = keepApart(given.filter((job) => !isLanding(job)).map(asDeclared));
  const reserved = jobs.find(({ id }) => LANDING_ID.test(id));
  if (reserved) throw reservedId(reserved.id);
  return [...jobs, ...landings(jobs, git)];
}

/** What is stored for the jobs of a plan: these, and what git makes of them. */
export function arranged(jobs: readonly JobToStore[], git: GitSettings | undefined): JobToStore[] {
  const definitions = jobs.map(({ definition }) => definition);
  if (!git) {
    refuseGitParts(definitions);
    return [...jobs];
  }
  const envs = new Map(jobs.map(({ id, env }) => [id, env]));
  return arrangeForGit(definitions, git).map((definition) => ({
    id: definition.id,
    definition,
    env: envs.get(definition.id) ?? '',
  }));
}

/** Without git there is no worktree to check anything in, and no commit to check. */
export function refuseGitParts(jobs: readonly StoredJob[]): void {
  for (const job of jobs) {
    const part = GIT_ONLY.find((name) => job[name] !== undefined);
    if (part === undefined) continue;
    throw new BatonError(
      'git_needed',
      `Job ${job.id} has \`${part}\`, but the plan does not work with git.`,
      'Add `git: {}` to the plan, so that its jobs work in worktrees, or leave it out.',
    );
  }
}

/** As its author wrote it. */
function asDeclared({ apart, ...job }: StoredJob): StoredJob {
  if (!apart) return job;
  const needs = (job.needs ?? []).filter((need) => !apart.includes(need));
  return { ...job, needs };
}

/** The later of two that touch the same goes on with what the earlier has made. */
function keepApart(jobs: readonly StoredJob[]): StoredJob[] {
  if (!jobs.some(({ touches }) => touches?.length)) return [...jobs];
  const globs = new GlobComparison();
  const clash = (one: StoredJob, other: StoredJob) =>
    repositoryOf(one) === repositoryOf(other) &&
    (one.touches ?? []).some((mine) => (other.touches ?? []).some((of) => globs.overlap(mine, of)));
  const arranged = new Map(jobs.map((job) => [job.id, job]));
  const before: StoredJob[] = [];
  for (const job of inOrder(jobs).filter(({ touches }) => touches?.length)) {
    const clashing = before.filter((earlier) => clash(earlier, job));
    const known = clashing.length > 0 ? ancestorsOf([...arranged.values()], job.id) : new Set();
    const apart = clashing.map(({ id }) => id).filter((id) => !known.has(id));
    before.push(job);
    if (apart.length === 0) continue;
    arranged.set(job.id, { ...job, needs: [...(job.needs ?? []), ...apart], apart });
  }
  return jobs.map(({ id }) => arranged.get(id) as StoredJob);
}

function landings(jobs: readonly StoredJob[], git: GitSettings): StoredJob[] {
  const needed = new Set(jobs.flatMap(({ needs = [] }) => needs));
  const ends = jobs.map(({ id }) => id).filter((id) => !needed.has(id));
  let last: string | undefined;
  return repositoriesOf(jobs).map((repository, index) => {
    const own = leavesOf(jobs, repository);
    const needs = [...new Set([...own, ...ends, ...(last === undefined ? [] : [last])])];
    last = index === 0 ? 'land' : `land-${index + 1}`;
    return landingJob(last, needs, repository, landingWork(git), git.verify);
  });
}

/** What nothing else in the same repository goes on with. */
function leavesOf(jobs: readonly StoredJob[], repository: string): string[] {
  const own = jobs.filter((job) => worksInTree(job) && repositoryOf(job) === repository);
  const covered = new Set(own.flatMap(({ needs = [] }) => needs));
  return own.map(({ id }) => id).filter((id) => !covered.has(id));
}

function landingWork({ target, intoDefault }: GitSettings): LandingWork {
  return { type: 'land', ...(target && { target }), ...(intoDefault && { intoDefault }) };
}

export function landingJob(
  id: string,
  needs: readonly string[],
  repository: string,
  work: LandingWork,
  verify: GitSettings['verify'],
): StoredJob {
  return {
    id,
    name: work.target ? `bring everything together on ${work.target}` : 'bring everything together',
    work,
    needs: [...needs],
    ...(verify?.length && { checks: verify }),
    ...(repository !== OWN_REPOSITORY && { repository }),
  };
}

export function reservedId(id: string): BatonError {
  return new BatonError(
    'job_id_reserved',
    `In a plan with git, ${id} is the job that lands the results: it cannot be replaced or removed.`,
    'Give your job another id.',
  );
}
