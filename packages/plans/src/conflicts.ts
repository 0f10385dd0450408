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

/** Replaces what was known before. */
export async function savePredictions(
  tx: Transaction,
  plan: Plan,
  found: readonly PredictedConflict[],
): Promise<void> {
  const known = await predictedConflicts(tx, plan.id);
  if (JSON.stringify(known) === JSON.stringify(found)) return;
  await tables(tx).deleteFrom('plan_conflicts').where('plan_id', '=', plan.id).execute();
  for (const { jobs, files } of found) {
    const [one, other] = jobs;
    const row = { plan_id: plan.id, one, other, files: JSON.stringify(files) };
    await tables(tx).insertInto('plan_conflicts').values(row).execute();
  }
  announcePlan(tx, plan);
}
