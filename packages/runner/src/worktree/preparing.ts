import path from 'node:path';
import {
  addWorktree,
  type Conflict,
  commitAll,
  copyIncluded,
  independent,
  isAncestor,
  linkFolders,
  mergeCommits,
  predictConflicts,
  removeWorktree,
  resolveCommit,
  startMerge,
  type Worktree,
} from '@baton/git';
import { type NeededCommit, recordBase, recordWorktree } from '@baton/plans/jobs';
import type { AttemptContext, AttemptTree } from './attempt-context.ts';
import { runInTree } from './commands-in-tree.ts';
import { commitMessage } from './commit-message.ts';
import { conflictMessage, PhaseFailure } from './failure.ts';

const NAME_LENGTH = 20;

/** The commit that the attempt begins with: what it needs, brought together. */
export async function startCommit(context: AttemptContext): Promise<string> {
  const { part } = context;
  const base = await baseCommit(context);
  return part.needs.length === 0 ? base : bringTogether(context, part.needs);
}

/** What all jobs of the plan begin with in this repository. */
export async function baseCommit({
  claimed,
  part,
  repository,
  store,
  call,
}: AttemptContext): Promise<string> {
  const { base_commit: known, repository: name } = part.repository;
  if (known) return known;
  const base = await resolveCommit(repository, part.settings.base ?? 'HEAD', call);
  return store.write('relaxed', (tx) =>
    recordBase(tx, claimed.plan.id, name, { root: repository.root, base }),
  );
}

/** Merges them in order. Where that fails, a worktree is left in which a person can go on. */
async function bringTogether(
  context: AttemptContext,
  needs: readonly NeededCommit[],
): Promise<string> {
  const { repository, call, onPoint } = context;
  const distinct = await independent(
    repository,
    needs.map(({ commit }) => commit),
    call,
  );
  const [first, ...others] = needs.filter(({ commit }) => distinct.includes(commit));
  if (!first) throw new Error('There is nothing to bring together');
  // What brings some of them together contains none of the others either.
  const merged = await mergeAll(context, first.commit, others, [first], true);
  if (others.length > 0) onPoint('merged');
  return merged;
}

async function mergeAll(
  context: AttemptContext,
  from: string,
  others: readonly NeededCommit[],
  merged: NeededCommit[],
  areIndependent = false,
): Promise<string> {
  const { claimed, repository, call } = context;
  let ours = from;
  for (const need of others) {
    const message = `Bring ${need.job} together with ${named(merged)}\n\nBaton-Plan: ${claimed.plan.id}\n`;
    const options = { ours, theirs: need.commit, message, theirLabel: need.job, areIndependent };
    const result = await mergeCommits(repository, options, call);
    if (result.kind === 'conflict') {
      return leaveConflict(context, ours, need, merged, result.conflicts);
    }
    ours = result.commit;
    merged.push(need);
  }
  return ours;
}

function named(merged: readonly NeededCommit[]): string {
  const jobs = merged.slice(0, 3).map(({ job }) => job);
  return jobs.join(', ') + (merged.length > jobs.length ? ', …' : '');
}

async function leaveConflict(
  context: AttemptContext,
  ours: string,
  need: NeededCommit,
  merged: readonly NeededCommit[],
  conflicts: readonly Conflict[],
): Promise<never> {
  const jobs = [...(await culprits(context, need, merged)), need.job];
  return layOut(context, { ours, theirs: need.commit }, jobs, conflicts);
}

/** A worktree in which a person finds the conflict and can go on. */
export async function layOut(
  context: AttemptContext,
  { ours, theirs }: { readonly ours: string; readonly theirs: string },
  jobs: readonly string[],
  conflicts: readonly Conflict[],
): Promise<never> {
  const worktree = await makeTree(context, ours);
  await startMerge(worktree, theirs, context.call);
  const message = conflictMessage(jobs, conflicts, worktree.path);
  const conflict = { jobs, files: conflicts, worktree: worktree.path };
  throw new PhaseFailure('merge_conflict', message, { detail: { conflict } });
}

/** Which of those that were merged before do not fit with it. */
async function culprits(
  { repository, call }: AttemptContext,
  need: NeededCommit,
  merged: readonly NeededCommit[],
): Promise<string[]> {
  if (merged.length === 1) return merged.map(({ job }) => job);
  const found: string[] = [];
  for (const { job, commit } of merged) {
    const files = await predictConflicts(repository, commit, need.commit, call);
    if (files.length > 0) found.push(job);
  }
  // Each fits with each, and only all of them do not.
  return found.length > 0 ? found : merged.map(({ job }) => job);
}

/** A person has resolved a conflict in the worktree that was kept: the rest is merged now. */
export async function afterResolution(
  context: AttemptContext,
  { worktree, start }: AttemptTree,
): Promise<string> {
  const { part, repository, call } = context;
  const message = commitMessage(context.claimed, 'Resolve a conflict');
  const { commit } = await commitAll(
    worktree,
    { start, message, except: part.settings.link ?? [] },
    repository,
    call,
  );
  const open: NeededCommit[] = [];
  const merged: NeededCommit[] = [];
  for (const need of part.needs) {
    const isIn = await isAncestor(repository, need.commit, commit, call);
    (isIn ? merged : open).push(need);
  }
  await removeWorktree(repository, worktree.path, call);
  return mergeAll(context, commit, open, merged);
}

/** A folder with this commit, and nothing else yet. Written down before it is made. */
async function makeTree(context: AttemptContext, commit: string): Promise<Worktree> {
  const { claimed, git, repository, store, call, onPoint } = context;
  const { attempt, job, plan } = claimed;
  const name = `${job.id.slice(0, NAME_LENGTH)}-${attempt.id}`;
  const folder = path.join(git.folder, name);
  await store.write('relaxed', (tx) =>
    recordWorktree(tx, {
      attempt_id: attempt.id,
      plan_id: plan.id,
      job_id: job.id,
      root: repository.root,
      path: folder,
      start_commit: commit,
    }),
  );
  onPoint('worktree recorded');
  const worktree = await addWorktree(repository, { path: folder, commit }, call);
  onPoint('worktree made');
  return worktree;
}

/** A folder with this commit, ready to be worked in. */
export async function readyTree(context: AttemptContext, commit: string): Promise<AttemptTree> {
  const { part, repository, call } = context;
  const worktree = await makeTree(context, commit);
  await copyIncluded(repository, worktree, call);
  linkFolders(repository, worktree, part.settings.link ?? []);
  await runInTree(context, worktree, {
    phase: 'prepare',
    title: 'set-up',
    commands: part.settings.setup,
    reason: 'setup_failed',
    commit,
  });
  return { worktree, start: commit };
}
