import { sql } from 'kysely';
import type { Changed } from './announce.ts';
import { HOPELESS } from './needs.ts';
import { defineQuery } from './query.ts';
import type { WorkState } from './tables.ts';
import type { Transaction } from './transaction.ts';

const countDown = defineQuery((db, { id, now }: { id: string; now: number }) =>
  db
    .updateTable('work')
    .set({
      open_needs: sql`open_needs - 1`,
      state: sql<WorkState>`case when state = 'waiting' and open_needs = 1 then 'ready' else state end`,
      at: now,
    })
    .where('id', 'in', (query) =>
      query.selectFrom('work_needs').select('work_id').where('needs_id', '=', id),
    )
    .returning(['workspace', 'queue']),
);

/** This has succeeded: whoever needs it has one thing less to wait for. */
export function advanceDependents(tx: Transaction, id: string): Promise<Changed[]> {
  return countDown(tx, { id, now: tx.now });
}

/** What needs this, directly or not, will not happen. */
export async function blockDependents({ db, now }: Transaction, id: string): Promise<Changed[]> {
  const { rows } = await sql<Changed>`
    with recursive after (id) as (
      select work_id from work_needs where needs_id = ${id}
      union
      select work_needs.work_id from work_needs join after on work_needs.needs_id = after.id
    )
    update work set state = 'blocked', at = ${now}
    where id in (select id from after) and state = 'waiting'
    returning workspace, queue`.execute(db);
  return rows;
}

/** Something that this needs will not happen. */
export async function isBlocked({ db }: Transaction, id: string): Promise<boolean> {
  const need = await db
    .selectFrom('work_needs')
    .innerJoin('work', 'work.id', 'work_needs.needs_id')
    .select('work.id')
    .where('work_needs.work_id', '=', id)
    .where('work.state', 'in', HOPELESS)
    .executeTakeFirst();
  return need !== undefined;
}

/** What was blocked by this may hope again, unless something else still blocks it. */
export async function unblockDependents(tx: Transaction, id: string): Promise<Changed[]> {
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
    .returning(['id', 'workspace', 'queue'])
    .execute();
  const changed: Changed[] = [...freed];
  for (const next of freed) changed.push(...(await unblockDependents(tx, next.id)));
  return changed;
}
