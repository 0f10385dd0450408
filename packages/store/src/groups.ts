import { sql } from 'kysely';
import { defineQuery } from './query.ts';
import type { Reading } from './transaction.ts';

/** A group of a queue, such as a plan, that has work to claim, and how much of it runs already. */
export interface ReadyGroup {
  readonly group: string;
  readonly running: number;
}

const groupsReadyIn = defineQuery(
  (_, { queue }: { queue: string }) => sql<ReadyGroup>`
    with recursive ready (grp) as (
      select min(grp) from work where queue = ${queue} and state = 'ready'
      union all
      select (select min(work.grp) from work
        where queue = ${queue} and state = 'ready' and work.grp > ready.grp)
      from ready where ready.grp is not null
    )
    select ready.grp as "group", (select count(*) from work
      where queue = ${queue} and state = 'running' and work.grp = ready.grp) as running
    from ready where ready.grp is not null`,
);

/** Leaps from group to group: the cost does not depend on how much work each of them has. */
export async function readyGroups(tx: Reading, queue: string): Promise<ReadyGroup[]> {
  const rows = await groupsReadyIn(tx, { queue });
  return rows.map(({ group, running }) => ({ group, running: Number(running) }));
}

/** In how many milliseconds from `now` the first work that waits for its next try can be claimed. */
export async function nextTryIn({ db }: Reading, queue: string, now: number) {
  const row = await db
    .selectFrom('work')
    .select(sql<number | null>`min(delayed_at + delay_ms)`.as('at'))
    .where('queue', '=', queue)
    .where('state', '=', 'ready')
    .where('delay_ms', '>', 0)
    .where(sql<boolean>`delayed_at + delay_ms > ${now} and delayed_at <= ${now}`)
    .executeTakeFirst();
  return row?.at == null ? undefined : row.at - now;
}
