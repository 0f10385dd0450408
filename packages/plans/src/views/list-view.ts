import { BatonError } from '@baton/core';
import type { Reading } from '@baton/store';
import { sql } from 'kysely';
import { tables } from '../plan-repository.ts';
import type { PlanState } from '../states.ts';
import { iso } from './times.ts';

export interface PlanQuery {
  readonly state?: PlanState | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** The newest first; archived ones only when they are asked for. */
export async function listPlans(
  tx: Reading,
  workspace: string,
  { state, limit, cursor }: PlanQuery,
) {
  let query = tables(tx)
    .selectFrom('plans')
    .select(['seq', 'id', 'name', 'state', 'created_at'])
    .select([
      sql<number>`(select count(*) from plan_jobs where plan_id = plans.id)`.as('total'),
      sql<number>`(select count(*) from work where queue = 'jobs' and state = 'succeeded' and grp = plans.id)`.as(
        'succeeded',
      ),
    ])
    .where('workspace', '=', workspace)
    .orderBy('seq', 'desc')
    .limit(limit + 1);
  query = state ? query.where('state', '=', state) : query.where('state', '!=', 'archived');
  if (cursor !== undefined) query = query.where('seq', '<', readCursor(cursor));
  const rows = await query.execute();
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    plans: shown.map(({ id, name, state, created_at, total, succeeded }) => ({
      id,
      name,
      state,
      jobs: `${succeeded}/${total}`,
      createdAt: iso(created_at),
    })),
    ...(rows.length > limit && last && { cursor: String(last.seq) }),
  };
}

function readCursor(cursor: string): number {
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw new BatonError(
    'bad_cursor',
    'The cursor is none of ours.',
    'Begin again without a cursor.',
  );
}
