import { queueTopic, type Reading, type Transaction } from '@baton/store';
import type { Selectable } from 'kysely';
import type { GitSettings } from './git-settings.ts';
import { announcePlan, type Plan, planById, QUEUE, tables, updateJob } from './plan-repository.ts';
import { addCleanUp } from './steps.ts';
import type { AttemptState, RepositoryTable, WorktreeTable } from './tables.ts';

export type WorktreeRow = Selectable<WorktreeTable>;
export type RepositoryRow = Selectable<RepositoryTable>;

const SLUG_LENGTH = 40;

/** The plan's own branch: what people call it, and what no other plan has. */
export function branchOf({ id, name }: Pick<Plan, 'id' | 'name'>): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_LENGTH)
    .replace(/^-+|-+$/g, '');
  return `baton/${slug ? `${slug}-` : ''}${id.slice(0, 8)}`;
}

/** Where what people have done in kept worktrees lasts, whatever becomes of the plan. */
export function savedRefsOf({ plan_id, job_id }: Pick<WorktreeRow, 'plan_id' | 'job_id'>): string {
  return `refs/baton/kept/${plan_id}/${job_id}/`;
}

/** Where the results of jobs are kept from git's own clean-up. */
export function refsOf(planId: string): string {
  return `refs/baton/${planId}/`;
}

export async function repositoryRow(
  tx: Transaction,
  plan: Plan,
  repository: string,
): Promise<RepositoryRow> {
  const key = { plan_id: plan.id, repository };
  await tables(tx)
    .insertInto('plan_repositories')
    .values({
      ...key,
      state: 'open',
      root: '',
      branch: branchOf(plan),
      base_commit: null,
      landed_on: null,
      landed_commit: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return tables(tx)
    .selectFrom('plan_repositories')
    .selectAll()
    .where('plan_id', '=', key.plan_id)
    .where('repository', '=', key.repository)
    .executeTakeFirstOrThrow();
}

export function repositoriesIn(tx: Reading, planId: string): Promise<RepositoryRow[]> {
  return tables(tx)
    .selectFrom('plan_repositories')
    .selectAll()
    .where('plan_id', '=', planId)
    .execute();
}

/** All jobs of the plan begin with the same commit: whoever comes first says which. */
export async function recordBase(
  tx: Transaction,
  planId: string,
  repository: string,
  found: { readonly root: string; readonly base: string },
): Promise<string> {
  const { base_commit } = await tables(tx)
    .updateTable('plan_repositories')
    .set(({ fn, val }) => ({
      root: found.root,
      base_commit: fn.coalesce('base_commit', val(found.base)),
    }))
    .where('plan_id', '=', planId)
    .where('repository', '=', repository)
    .returning('base_commit')
    .executeTakeFirstOrThrow();
  return base_commit ?? found.base;
}

export async function recordLanding(
  tx: Transaction,
  plan: Plan,
  repository: string,
  landed: { readonly on: string; readonly commit: string },
): Promise<void> {
  await tables(tx)
    .updateTable('plan_repositories')
    .set({ landed_on: landed.on, landed_commit: landed.commit })
    .where('plan_id', '=', plan.id)
    .where('repository', '=', repository)
    .execute();
  announcePlan(tx, plan);
}

/** Before it is made: what nobody has written down, nobody would remove. */
export async function recordWorktree(
  tx: Transaction,
  row: Omit<WorktreeRow, 'state' | 'outputs' | 'kept_state' | 'saved_ref' | 'created_at'>,
): Promise<void> {
  const { path, start_commit } = row;
  await tables(tx)
    .insertInto('plan_worktrees')
    .values({ ...row, state: 'open', ...UNTOUCHED, created_at: tx.now })
    .onConflict((conflict) =>
      conflict.column('attempt_id').doUpdateSet({ path, start_commit, ...UNTOUCHED }),
    )
    .execute();
}

const UNTOUCHED = { outputs: null, kept_state: null, saved_ref: null } as const;

/** The work is done: whoever goes on in this folder does not do it again. */
export async function recordWork(
  tx: Transaction,
  attemptId: string,
  outputs: Readonly<Record<string, string>>,
): Promise<void> {
  await tables(tx)
    .updateTable('plan_worktrees')
    .set({ outputs: JSON.stringify(outputs) })
    .where('attempt_id', '=', attemptId)
    .execute();
}

/** A job is tried anew by hand: its work is to be done again. */
export async function forgetWork(tx: Transaction, planId: string, jobId: string): Promise<void> {
  await tables(tx)
    .updateTable('plan_worktrees')
    .set({ outputs: null })
    .where('plan_id', '=', planId)
    .where('job_id', '=', jobId)
    .execute();
}

/** What a job needs is brought together: whoever goes on begins with that. */
export async function recordMerged(
  tx: Transaction,
  planId: string,
  jobId: string,
  commit: string,
): Promise<void> {
  await updateJob(tx, planId, jobId, { merged_commit: commit, resume: null });
  // What a person has resolved is the plan's now: nothing else in that folder is worth saving.
  await tables(tx)
    .updateTable('plan_worktrees')
    .set({ kept_state: null })
    .where('plan_id', '=', planId)
    .where('job_id', '=', jobId)
    .where('state', '=', 'open')
    .execute();
}

/** Whether an attempt got as far as that its work is done, and where. */
export async function hasWorked(tx: Reading, attemptId: string): Promise<boolean> {
  const row = await tables(tx)
    .selectFrom('plan_worktrees')
    .select('outputs')
    .where('attempt_id', '=', attemptId)
    .executeTakeFirst();
  return typeof row?.outputs === 'string';
}

/** The folder of one attempt, if it has one. */
export function worktreeOf(tx: Reading, attemptId: string): Promise<WorktreeRow | undefined> {
  return tables(tx)
    .selectFrom('plan_worktrees')
    .selectAll()
    .where('attempt_id', '=', attemptId)
    .executeTakeFirst();
}

/** The newest first. */
export function worktreesOf(tx: Reading, planId: string, jobId: string): Promise<WorktreeRow[]> {
  return tables(tx)
    .selectFrom('plan_worktrees')
    .selectAll()
    .where('plan_id', '=', planId)
    .where('job_id', '=', jobId)
    .where('state', '!=', 'leaving')
    .orderBy('created_at', 'desc')
    .execute();
}

/** What becomes of the folder of an attempt that has ended. */
export async function leaveWorktree(
  tx: Transaction,
  attemptId: string,
  state: AttemptState,
  { keep = 'failed' }: GitSettings,
  keptState = '',
): Promise<void> {
  // Whoever takes the job next decides whether it goes on there.
  if (state === 'released' || state === 'lost') return;
  const isKept = keepsWorktree(state, keep);
  await tables(tx)
    .updateTable('plan_worktrees')
    .set(({ fn, val }) => ({
      state: isKept ? 'kept' : 'leaving',
      // What people had done there before an attempt that has failed in it, too, is still theirs;
      // all of it is in the result of one that has succeeded.
      ...(state === 'succeeded'
        ? { kept_state: isKept ? keptState : null }
        : isKept && { kept_state: fn.coalesce('kept_state', val(keptState)) }),
    }))
    .where('attempt_id', '=', attemptId)
    .execute();
}

/** Whether people find the folder of an attempt that has ended like this. */
export function keepsWorktree(state: AttemptState, keep: GitSettings['keep'] = 'failed'): boolean {
  return keep === 'always' || (keep === 'failed' && state !== 'succeeded');
}

/** What people have done in it so far is kept by a ref; from now on only what differs from that. */
export async function recordSaved(
  tx: Transaction,
  attemptId: string,
  saved: { readonly state: string; readonly ref: string },
): Promise<void> {
  await tables(tx)
    .updateTable('plan_worktrees')
    .set({ kept_state: saved.state, saved_ref: saved.ref })
    .where('attempt_id', '=', attemptId)
    .execute();
}

/** Folders that people may have worked in, and that nobody has given up yet. */
export function keptWorktrees(tx: Reading, planId: string): Promise<WorktreeRow[]> {
  return tables(tx)
    .selectFrom('plan_worktrees')
    .selectAll()
    .where('plan_id', '=', planId)
    .where('state', '!=', 'leaving')
    .where('kept_state', 'is not', null)
    .orderBy('created_at')
    .execute();
}

/** It cannot be removed without losing what is in it. While its plan is known, people find it there. */
export async function keepWorktree(tx: Transaction, attemptId: string): Promise<void> {
  await tables(tx)
    .updateTable('plan_worktrees')
    .set({ state: 'kept' })
    .where('attempt_id', '=', attemptId)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('plans').select('id').whereRef('plans.id', '=', 'plan_worktrees.plan_id')),
    )
    .execute();
}

/** Its folders are not needed any more; a worker removes them. With `refs` also what git keeps. */
export async function dropWorktrees(
  tx: Transaction,
  plan: Plan,
  { refs }: { readonly refs: boolean },
): Promise<void> {
  if (plan.git === '') return;
  await tables(tx)
    .updateTable('plan_worktrees')
    .set({ state: 'leaving' })
    .where('plan_id', '=', plan.id)
    .execute();
  if (refs) {
    await tables(tx)
      .updateTable('plan_repositories')
      .set({ state: 'leaving' })
      .where('plan_id', '=', plan.id)
      .execute();
  }
  // A worker that has nothing else to do hears of it.
  tx.emit(plan.workspace, queueTopic(QUEUE));
}

/** What is to be removed from disk, unless something may still run in it. */
export async function leftoversOf(
  tx: Reading,
): Promise<{ worktrees: WorktreeRow[]; repositories: RepositoryRow[] }> {
  const worktrees = await tables(tx)
    .selectFrom('plan_worktrees')
    .selectAll()
    .where('state', '=', 'leaving')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('plan_attempts')
            .select('id')
            .whereRef('id', '=', 'plan_worktrees.attempt_id')
            .where(({ or, eb }) => or([eb('state', '=', 'open'), eb('is_reaped', '=', 0)])),
        ),
      ),
    )
    .orderBy('created_at')
    .limit(100)
    .execute();
  const repositories = await tables(tx)
    .selectFrom('plan_repositories')
    .selectAll()
    .where('state', '=', 'leaving')
    .limit(100)
    .execute();
  return { worktrees, repositories };
}

export async function hasLeftovers(tx: Reading): Promise<boolean> {
  const { worktrees, repositories } = await leftoversOf(tx);
  return worktrees.length + repositories.length > 0;
}

/** It is removed. That was the last phase of its attempt, if anybody still knows of that. */
export async function forgetWorktree(
  tx: Transaction,
  attemptId: string,
  startedAt: number,
): Promise<void> {
  const removed = await tables(tx)
    .deleteFrom('plan_worktrees')
    .where('attempt_id', '=', attemptId)
    .returning(['plan_id', 'saved_ref'])
    .executeTakeFirst();
  const ref = removed?.saved_ref;
  await addCleanUp(
    tx,
    attemptId,
    startedAt,
    ref ? `What was changed in it is kept as ${ref}.` : '',
  );
  const plan = ref && (await planById(tx, removed.plan_id));
  if (plan) announcePlan(tx, plan);
}

export async function forgetRepository(
  tx: Transaction,
  { plan_id, repository }: RepositoryRow,
): Promise<void> {
  await tables(tx)
    .deleteFrom('plan_repositories')
    .where('plan_id', '=', plan_id)
    .where('repository', '=', repository)
    .execute();
}
