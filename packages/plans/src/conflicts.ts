import type { Reading, Transaction } from '@baton/store';
import { announcePlan, type Plan, tables } from './plan-repository.ts';

/** Two jobs whose results, as they are now, change the same lines. */
export interface PredictedConflict {
  readonly jobs: readonly [string, string];
  readonly files: readonly string[];
}

export async function predictedConflicts(
  tx: Reading,
  planId: string,
): Promise<PredictedConflict[]> {
  const rows = await tables(tx)
    .selectFrom('plan_conflicts')
    .selectAll()
    .where('plan_id', '=', planId)
    .orderBy('one')
    .orderBy('other')
    .execute();
  return rows.map(({ one, other, files }) => ({ jobs: [one, other], files: JSON.parse(files) }));
}

/** Replaces what was known of these jobs before: those of the plan in one repository. */
export async function savePredictions(
  tx: Transaction,
  plan: Plan,
  jobIds: readonly string[],
  found: readonly PredictedConflict[],
): Promise<void> {
  const ids = new Set(jobIds);
  const known = (await predictedConflicts(tx, plan.id)).filter(({ jobs: [one] }) => ids.has(one));
  if (textOf(known) === textOf(found)) return;
  await tables(tx)
    .deleteFrom('plan_conflicts')
    .where('plan_id', '=', plan.id)
    .where('one', 'in', jobIds)
    .execute();
  for (const { jobs, files } of found) {
    const [one, other] = jobs;
    const row = { plan_id: plan.id, one, other, files: JSON.stringify(files) };
    await tables(tx).insertInto('plan_conflicts').values(row).execute();
  }
  announcePlan(tx, plan);
}

/** The same for the same conflicts, in whatever order. */
function textOf(conflicts: readonly PredictedConflict[]): string {
  return conflicts
    .map((each) => JSON.stringify(each))
    .sort()
    .join();
}
