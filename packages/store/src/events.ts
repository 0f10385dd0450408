import { defineQuery } from './query.ts';
import type { StoreTables } from './tables.ts';
import type { Reading, Transaction } from './transaction.ts';

/** Something about a topic has changed; what it is now, the reader reads itself. */
export interface StoreEvent {
  readonly seq: number;
  readonly workspace: string;
  readonly topic: string;
}

export interface EventPage {
  readonly events: readonly StoreEvent[];
  /** Where the next page begins. */
  readonly cursor: number;
  /** Events between the cursor and this page are no longer kept: read everything anew. */
  readonly isGap: boolean;
}

const PAGE = 1000;
export const HORIZON = 'events_horizon';

const insertEvent = defineQuery((db, event: Omit<StoreTables['events'], 'seq'>) =>
  db.insertInto('events').values({
    workspace: event.workspace,
    topic: event.topic,
    at: event.at,
  }),
);

export async function addEvents(
  tx: Omit<Transaction, 'emit'>,
  topics: Iterable<{ readonly workspace: string; readonly topic: string }>,
): Promise<void> {
  for (const { workspace, topic } of topics)
    await insertEvent(tx, { workspace, topic, at: tx.now });
}

/** The number of the newest event: where somebody begins who wants to hear of later ones. */
export async function newestEvent(tx: Reading): Promise<number> {
  const row = await tx.db
    .selectFrom('events')
    .select(({ fn }) => fn.max('seq').as('newest'))
    .executeTakeFirst();
  return Math.max(row?.newest ?? 0, await horizon(tx));
}

export async function eventsAfter(tx: Reading, cursor: number, limit = PAGE): Promise<EventPage> {
  const events = await tx.db
    .selectFrom('events')
    .select(['seq', 'workspace', 'topic'])
    .where('seq', '>', cursor)
    .orderBy('seq')
    .limit(limit)
    .execute();
  const last = events.at(-1);
  // Beyond the newest: the store has been replaced by an older one.
  const isGap = cursor < (await horizon(tx)) || (!last && cursor > (await newestEvent(tx)));
  const end = last?.seq ?? (isGap ? await newestEvent(tx) : cursor);
  return { events, cursor: end, isGap };
}

/** The newest event that is no longer kept. */
async function horizon({ db }: Reading): Promise<number> {
  const row = await db
    .selectFrom('meta')
    .select('value')
    .where('name', '=', HORIZON)
    .executeTakeFirst();
  return Number(row?.value ?? 0);
}
