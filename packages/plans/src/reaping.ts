import type { Reading, Transaction } from '@baton/store';
import { tables } from './plan-repository.ts';

/** Attempts that are over although their processes may still run. */
export async function unreapedAttempts(tx: Reading): Promise<string[]> {
  const rows = await tables(tx)
    .selectFrom('plan_attempts')
    .select('id')
    .where('is_reaped', '=', 0)
    .where('state', '!=', 'open')
    .execute();
  return rows.map(({ id }) => id);
}

export async function unreapedOfPlan(tx: Reading, planId: string): Promise<string[]> {
  const rows = await tables(tx)
    .selectFrom('plan_attempts')
    .select('id')
    .where('plan_id', '=', planId)
    .where('is_reaped', '=', 0)
    .execute();
  return rows.map(({ id }) => id);
}

/** Those of one job, but for the newest. */
export async function unreapedOf(
  tx: Reading,
  planId: string,
  jobId: string,
  newest: string,
): Promise<string[]> {
  const rows = await tables(tx)
    .selectFrom('plan_attempts')
    .select('id')
    .where('plan_id', '=', planId)
    .where('job_id', '=', jobId)
    .where('is_reaped', '=', 0)
    .where('id', '!=', newest)
    .execute();
  return rows.map(({ id }) => id);
}

/** Those of these attempts that are over. */
export async function closedAttempts(tx: Reading, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await tables(tx)
    .selectFrom('plan_attempts')
    .select('id')
    .where('id', 'in', ids)
    .where('state', '!=', 'open')
    .execute();
  return rows.map(({ id }) => id);
}

export async function markReaped(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tables(tx)
    .updateTable('plan_attempts')
    .set({ is_reaped: 1 })
    .where('id', 'in', ids)
    .execute();
}
