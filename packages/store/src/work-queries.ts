import { sql } from 'kysely';
import { defineQuery, type Tables } from './query.ts';
import type { AttemptTable, WorkState } from './tables.ts';

interface Ready {
  readonly queue: string;
  readonly now: number;
  readonly limit: number;
}

export function readyIn(db: Tables, { queue, now, limit }: Ready) {
  return (
    db
      .selectFrom('work')
      .selectAll()
      .where('queue', '=', queue)
      .where('state', '=', 'ready')
      // A clock that was set back makes a delay unknowable: then it is over.
      .where(sql<boolean>`(delayed_at + delay_ms <= ${now} or delayed_at > ${now})`)
      .orderBy('priority', 'desc')
      .orderBy('seq')
      .limit(limit)
  );
}

export const firstReady = defineQuery(readyIn);

export const firstReadyOfGroup = defineQuery((db, given: Ready & { group: string }) =>
  readyIn(db, given).where('grp', '=', given.group),
);

interface Change {
  readonly id: string;
  readonly state: WorkState;
  readonly now: number;
  /** `null` where it stays as it is. */
  readonly attempts: number | null;
  readonly delayedAt: number | null;
  readonly delayMs: number | null;
}

export const changeWork = defineQuery((db, given: Change) =>
  db
    .updateTable('work')
    .set({
      state: given.state,
      attempts: sql`coalesce(${given.attempts}, attempts)`,
      delayed_at: sql`coalesce(${given.delayedAt}, delayed_at)`,
      delay_ms: sql`coalesce(${given.delayMs}, delay_ms)`,
      at: given.now,
    })
    .where('id', '=', given.id),
);

export const insertAttempt = defineQuery((db, given: Omit<AttemptTable, 'seq'>) =>
  db.insertInto('attempts').values({
    work_id: given.work_id,
    number: given.number,
    what: given.what,
    label: given.label,
    detail: given.detail,
    at: given.at,
  }),
);
