import path from 'node:path';
import {
  addWorktree,
  type Conflict,
  commitAll,
  copyIncluded,
  independent,
  keepRef,
  linkFolders,
  mergeCommits,
  predictConflicts,
  removeWorktree,
  resolveCommit,
  startMerge,
  type Worktree,
} from '@baton/git';
import {
  type Claimed,
  type NeededCommit,
  recordBase,
  recordMerged,
  recordWorktree,
  refsOf,
} from '@baton/plans/jobs';
import type { AttemptContext, AttemptTree } from './attempt-context.ts';
import { runInTree } from './commands-in-tree.ts';
import { commitMessage } from './commit-message.ts';
import { conflictMessage, PhaseFailure } from './failure.ts';
import { requireClaim, writeFor } from './fence.ts';

const NAME_LENGTH = 20;

/** The commit that the attempt begins with: what it needs, brought together. */
export async function startCommit(
  context: AttemptContext,
  merged = context.part.merged,
): Promise<string> {
  const { needs } = context.part;
  const base = await baseCommit(context);
  return needs.length === 0 ? (merged ?? base) : bringTogether(context, needs, merged);
}

/** What all jobs of the plan begin with in this repository. */
export async function baseCommit(context: AttemptContext): Promise<string> {
  const { claimed, part, repository, call } = context;
  const { base_commit: known, repository: name } = part.repository;
  if (known) return known;
  const base = await resolveCommit(repository, part.settings.base ?? 'HEAD', call);
  return writeFor(context, 'relaxed', (tx) =>
    recordBase(tx, claimed.plan.id, name, { root: repository.root, base }),
  );
}

/** Merges them in order, those that are not in `merged`. Where that fails, a worktree is left in which a person can go on. */
async function bringTogether(
  context: AttemptContext,
  needs: readonly NeededCommit[],
  merged: string | undefined,
): Promise<string> {
  const { repository, call, onPoint } = context;
  const commits = needs.map(({ commit }) => commit);
  const distinct = await independent(repository, merged ? [merged, ...commits] : commits, call);
  const open = needs.filter(({ commit }) => commit !== merged && distinct.includes(commit));
  const [first, ...others] = open;
  if (merged)
    return mergeAll(
      context,
      merged,
      open,
      needs.filter((need) => !open.includes(need)),
    );
  if (!first) throw new Error('There is nothing to bring together');
  const together = await mergeAll(context, first.commit, others, [first]);
  if (others.length > 0) onPoint('merged');
  return together;
}

/** None of them contains another, nor does what brings some of them together. */
async function mergeAll(
  context: AttemptContext,
  from: string,
  others: readonly NeededCommit[],
  before: readonly NeededCommit[],
): Promise<string> {
  const { claimed, repository, call } = context;
  const merged = [...before];
  let ours = from;
  for (const need of others) {
    const message = `Bring ${need.job} together with ${named(merged)}\n\nBaton-Plan: ${claimed.plan.id}\n`;
    const sides = { ours, theirs: need.commit, theirLabel: need.job };
    const result = await mergeCommits(
      repository,
      { ...sides, message, areIndependent: true },
      call,
    );
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
  const { claimed, part, repository, call, onPoint } = context;
  const message = commitMessage(claimed, 'Resolve a conflict');
  const except = part.settings.link ?? [];
  const { commit } = await commitAll(worktree, { start, message, except }, repository, call);
  // Somebody has worked on this: it is kept, and known, before its folder is removed.
  await keepResult(context, commit);
  await writeFor(context, 'durable', (tx) =>
    recordMerged(tx, claimed.plan.id, claimed.job.id, commit),
  );
  onPoint('resolved');
  await removeWorktree(repository, worktree.path, call);
  return startCommit(context, commit);
}

/** Keeps a commit of the attempt until the plan has landed. */
export async function keepResult(context: AttemptContext, commit: string): Promise<void> {
  await requireClaim(context);
  await keepRef(context.repository, resultRef(context.claimed), commit, context.call);
}

/** Each attempt has its own: one that comes late must not take away what another has made. */
function resultRef({ plan, job, attempt }: Claimed): string {
  return `${refsOf(plan.id)}${job.id}/${attempt.number}`;
}

/** A folder with this commit, and nothing else yet. Written down before it is made. */
async function makeTree(context: AttemptContext, commit: string): Promise<Worktree> {
  const { claimed, git, repository, call, onPoint } = context;
  const { attempt, job, plan } = claimed;
  const name = `${job.id.slice(0, NAME_LENGTH)}-${attempt.id}`;
  const folder = path.join(git.folder, name);
  await writeFor(context, 'relaxed', (tx) =>
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
