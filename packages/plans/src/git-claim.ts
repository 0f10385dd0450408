import type { Transaction } from '@baton/store';
import { isLanding, repositoryOf, worksInTree } from './git-jobs.ts';
import type { GitSettings } from './git-settings.ts';
import { selectAttempt } from './job-queries.ts';
import { isBefore, type Phase } from './phases.ts';
import { gitOf, type Plan, tables } from './plan-repository.ts';
import type { StoredJob } from './stored-job.ts';
import type { JobTable } from './tables.ts';
import { type RepositoryRow, repositoryRow, type WorktreeRow, worktreesOf } from './worktrees.ts';

/** What a job has to know to work in a worktree. */
export interface GitPart {
  readonly settings: GitSettings;
  readonly repository: RepositoryRow;
  /** What it goes on with: results of the jobs that it needs, in the order of its needs. */
  readonly needs: readonly NeededCommit[];
  /** What an earlier attempt has brought together, if that is not to be done anew. */
  readonly merged?: string;
  readonly resume?: Resumed;
}

export interface NeededCommit {
  readonly job: string;
  readonly commit: string;
}

/** An earlier attempt that this one goes on with, in the same folder. */
interface Resumed {
  readonly phase: Phase;
  readonly worktree: WorktreeRow | undefined;
  /** What its work had put out, where that is not done again. */
  readonly outputs: Readonly<Record<string, string>>;
}

/** Called in the transaction in which the job is taken. `undefined`: it works without a worktree. */
export async function gitPart(
  tx: Transaction,
  plan: Plan,
  row: JobTable,
  attemptId: string,
): Promise<GitPart | undefined> {
  const settings = gitOf(plan);
  const definition: StoredJob = JSON.parse(row.definition);
  if (!settings || !worksInTree(definition)) return undefined;
  const repository = await repositoryRow(tx, plan, repositoryOf(definition));
  const needs = await neededCommits(tx, plan.id, definition);
  const resume = await resumed(tx, row, definition, attemptId);
  return {
    settings,
    repository,
    needs,
    ...(row.merged_commit && { merged: row.merged_commit }),
    ...(resume && { resume }),
  };
}

/** A job without a commit, or in another repository, passes on what it needs itself. */
async function neededCommits(
  tx: Transaction,
  planId: string,
  job: StoredJob,
): Promise<NeededCommit[]> {
  const found = new Map<string, NeededCommit>();
  const seen = new Set<string>();
  const collect = async (ids: readonly string[]): Promise<void> => {
    const fresh = ids.filter((id) => !seen.has(id));
    for (const id of fresh) seen.add(id);
    if (fresh.length === 0) return;
    const rows = await needRows(tx, planId, fresh);
    for (const id of fresh) {
      const need = rows.get(id);
      if (!need) continue;
      const isSame = repositoryOf(need.definition) === repositoryOf(job);
      if (need.commit && isSame) found.set(need.commit, { job: id, commit: need.commit });
      else await collect(need.definition.needs ?? []);
    }
  };
  await collect(job.needs ?? []);
  return [...found.values()];
}

async function needRows(tx: Transaction, planId: string, ids: readonly string[]) {
  const rows = await tables(tx)
    .selectFrom('plan_jobs')
    .select(['id', 'definition', 'result_commit'])
    .where('plan_id', '=', planId)
    .where('id', 'in', ids)
    .execute();
  return new Map(
    rows.map(({ id, definition, result_commit }) => [
      id,
      { definition: JSON.parse(definition) as StoredJob, commit: result_commit },
    ]),
  );
}

async function resumed(
  tx: Transaction,
  row: JobTable,
  definition: StoredJob,
  attemptId: string,
): Promise<Resumed | undefined> {
  const { plan_id: planId, id: jobId, resume: asked } = row;
  if (row.tries === 1) return undefined;
  const [worktree, ...older] = await worktreesOf(tx, planId, jobId);
  const hasWorked = await isWorkedAndLost(tx, row, definition, worktree);
  const isLater = asked !== null && isBefore('work', asked);
  const phase = hasWorked && !isLater ? 'commit' : asked;
  const resume = phase ? resumedAt(phase, worktree) : undefined;
  const kept = resume?.worktree ? older : [worktree, ...older];
  // Whoever begins anew needs none of the folders that were kept.
  for (const each of kept) {
    if (!each) continue;
    await tables(tx)
      .updateTable('plan_worktrees')
      .set({ state: 'leaving' })
      .where('attempt_id', '=', each.attempt_id)
      .execute();
  }
  if (!resume?.worktree) return resume;
  await tables(tx)
    .updateTable('plan_worktrees')
    .set(({ eb }) => ({
      attempt_id: attemptId,
      state: 'open',
      // Whoever was told of it may have worked there: how it was before says nothing any more.
      kept_state: eb.case().when('kept_state', 'is', null).then(null).else('').end(),
    }))
    .where('attempt_id', '=', resume.worktree.attempt_id)
    .execute();
  return { ...resume, worktree: { ...resume.worktree, attempt_id: attemptId } };
}

function resumedAt(phase: Phase, worktree: WorktreeRow | undefined): Resumed {
  return { phase, worktree, outputs: JSON.parse(worktree?.outputs ?? '{}') };
}

/** Work that was done before its worker was lost is not done again. */
async function isWorkedAndLost(
  tx: Transaction,
  { plan_id: planId, id: jobId, tries }: JobTable,
  definition: StoredJob,
  worktree: WorktreeRow | undefined,
): Promise<boolean> {
  if (!worktree || worktree.outputs === null || isLanding(definition)) return false;
  const [last] = await selectAttempt(tx, { planId, jobId, number: tries - 1 });
  const isLost = last?.state === 'lost' || last?.state === 'released';
  return isLost && worktree.attempt_id === last.id;
}
