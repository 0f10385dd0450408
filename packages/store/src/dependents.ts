import { sql } from 'kysely';
import { HOPELESS } from './needs.ts';
import type { WorkState } from './tables.ts';
import type { Transaction } from './transaction.ts';

/** This has succeeded: whoever needs it has one thing less to wait for. Returns where they are. */
export function advanceDependents({ db, now }: Transaction, id: string) {
  return db
    .updateTable('work')
    .set({
      open_needs: sql`open_needs - 1`,
      state: sql<WorkState>`case when state = 'waiting' and open_needs = 1 then 'ready' else state end`,
      at: now,
    })
    .where('id', 'in', (query) =>
      query.selectFrom('work_needs').select('work_id').where('needs_id', '=', id),
    )
    .returning(['workspace', 'queue'])
    .execute();
}

/** What needs this, directly or not, will not happen. */
export async function blockDependents({ db, now }: Transaction, id: string): Promise<void> {
  await sql`
    with recursive after (id) as (
      select work_id from work_needs where needs_id = ${id}
      union
      select work_needs.work_id from work_needs join after on work_needs.needs_id = after.id
    )
    update work set state = 'blocked', at = ${now}
    where id in (select id from after) and state = 'waiting'`.execute(db);
}

/** Whether something that it needs will not happen. */
export async function isHopeless({ db }: Transaction, id: string): Promise<boolean> {
  const hopeless = await db
    .selectFrom('work_needs')
    .innerJoin('work', 'work.id', 'work_needs.needs_id')
    .select('work.id')
    .where('work_needs.work_id', '=', id)
    .where('work.state', 'in', HOPELESS)
    .executeTakeFirst();
  return hopeless !== undefined;
}

/** What was blocked by this may hope again, unless something else still blocks it. */
export async function unblockDependents(tx: Transaction, id: string): Promise<void> {
  const freed = await tx.db
    .updateTable('work')
    .set({ state: 'waiting', at: tx.now })
    .where('state', '=', 'blocked')
    .where('id', 'in', (query) =>
      query.selectFrom('work_needs').select('work_id').where('needs_id', '=', id),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('work_needs as other')
            .innerJoin('work as needed', 'needed.id', 'other.needs_id')
            .select('needed.id')
            .whereRef('other.work_id', '=', 'work.id')
            .where('needed.state', 'in', HOPELESS),
        ),
      ),
    )
    .returning('id')
    .execute();
  for (const next of freed) await unblockDependents(tx, next.id);
}
