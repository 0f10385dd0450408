import { sql } from 'kysely';
import { HORIZON } from './events.ts';
import { removeParts } from './log-files.ts';
import { leaseName } from './queue.ts';
import type { Store } from './store.ts';
import type { Transaction } from './transaction.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export interface Retention {
  /** The newest so many events are kept. */
  readonly events: number;
  /** How long a repeated call is answered like the first. */
  readonly idempotencyMs: number;
  /** How long the attempts and the log of work that is over are kept. */
  readonly attemptsMs: number;
  readonly logsMs: number;
}

export const defaultRetention: Retention = {
  events: 10_000,
  idempotencyMs: 7 * DAY_MS,
  attemptsMs: 90 * DAY_MS,
  logsMs: 30 * DAY_MS,
};

/** Rows removed in one transaction: others get their turn in between. */
const BATCH = 500;

/** Removes what nobody will ask for any more. Returns the number of rows. */
export async function prune(store: Store, retention: Retention): Promise<number> {
  let removed = 0;
  const repeat = async (step: (tx: Transaction) => Promise<number>) => {
    for (let count = BATCH; count === BATCH; removed += count) {
      count = await store.write('relaxed', step);
    }
  };
  await repeat((tx) => pruneEvents(tx, retention.events));
  await repeat(({ db, now }) =>
    removeRows(
      sql`delete from idempotency where (scope, key) in (
      select scope, key from idempotency where at < ${now - retention.idempotencyMs} limit ${BATCH})`,
      db,
    ),
  );
  await repeat(({ db, now }) =>
    removeRows(
      sql`delete from attempts where seq in (
      select attempts.seq from attempts left join work on work.id = attempts.work_id
      where attempts.at < ${now - retention.attemptsMs}
        and (work.id is null or work.state in ('succeeded', 'failed', 'cancelled'))
      limit ${BATCH})`,
      db,
    ),
  );
  // A lease of work that is gone; its number need not go on, because nobody can hold it.
  await repeat(({ db }) =>
    removeRows(
      sql`delete from leases where name in (
      select name from leases where owner is null and name like ${leaseName('%')}
        and not exists (select 1 from work where ${leaseName('')} || work.id = leases.name)
      limit ${BATCH})`,
      db,
    ),
  );
  for (const { id, folder } of await oldLogs(store, retention.logsMs)) {
    if (!isRemoved(folder)) continue;
    removed += await store.write('relaxed', ({ db }) =>
      removeRows(sql`delete from logs where id = ${id}`, db),
    );
  }
  return removed;
}

async function pruneEvents({ db }: Transaction, keep: number): Promise<number> {
  const beyond = await db
    .selectFrom('events')
    .select('seq')
    .orderBy('seq', 'desc')
    .offset(keep)
    .limit(1)
    .executeTakeFirst();
  if (!beyond) return 0;
  const removed = await db
    .deleteFrom('events')
    .where('seq', 'in', (query) =>
      query
        .selectFrom('events')
        .select('seq')
        .where('seq', '<=', beyond.seq)
        .orderBy('seq')
        .limit(BATCH),
    )
    .returning('seq')
    .execute();
  const horizon = Math.max(...removed.map(({ seq }) => seq));
  await db
    .updateTable('meta')
    .set({ value: String(horizon) })
    .where('name', '=', HORIZON)
    .execute();
  return removed.length;
}

async function removeRows(
  statement: ReturnType<typeof sql>,
  db: Transaction['db'],
): Promise<number> {
  const { numAffectedRows = 0n } = await statement.execute(db);
  return Number(numAffectedRows);
}

/** What cannot be removed now stays known and is tried again. */
function isRemoved(folder: string): boolean {
  try {
    removeParts(folder);
    return true;
  } catch {
    return false;
  }
}

function oldLogs(store: Store, olderThanMs: number) {
  return store.read(({ db }) =>
    db
      .selectFrom('logs')
      .select(['id', 'folder'])
      .where('at', '<', store.clock.now() - olderThanMs)
      .execute(),
  );
}
