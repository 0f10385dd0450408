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
  /** The page is full. */
  readonly isMore: boolean;
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

const selectNewest = defineQuery((db) =>
  db.selectFrom('events').select(({ fn }) => fn.max('seq').as('newest')),
);

const selectAfter = defineQuery((db, given: { cursor: number; limit: number }) =>
  db
    .selectFrom('events')
    .select(['seq', 'workspace', 'topic'])
    .where('seq', '>', given.cursor)
    .orderBy('seq')
    .limit(given.limit),
);

const selectHorizon = defineQuery((db) =>
  db.selectFrom('meta').select('value').where('name', '=', HORIZON),
);

/** The number of the newest event: where somebody begins who wants to hear of later ones. */
export async function newestEvent(tx: Reading): Promise<number> {
  const [row] = await selectNewest(tx, {});
  return Math.max(row?.newest ?? 0, await horizon(tx));
}

export async function eventsAfter(tx: Reading, cursor: number, limit = PAGE): Promise<EventPage> {
  const events = await selectAfter(tx, { cursor, limit });
  const last = events.at(-1);
  // Beyond the newest: the store has been replaced by an older one.
  const isGap = cursor < (await horizon(tx)) || (!last && cursor > (await newestEvent(tx)));
  const end = last?.seq ?? (isGap ? await newestEvent(tx) : cursor);
  return { events, cursor: end, isGap, isMore: events.length === limit };
}

/** The newest event that is no longer kept. */
async function horizon(tx: Reading): Promise<number> {
  const [row] = await selectHorizon(tx, {});
  return Number(row?.value ?? 0);
}
