import { defineQuery, type Reading } from '@baton/store';
import { sql } from 'kysely';
import type { TicketRows } from './candidates.ts';
import type { HistoryRow, HistoryTable, TicketTables } from './tables.ts';
import type { Ticket } from './ticket-repository.ts';

// What happens for every claim and report is compiled once: to build a query costs more than to
// run it.

function ticketsIn(db: Reading['db']) {
  return db.withTables<TicketTables>();
}

/** The state is a literal, so that partial indexes are used. */
function inState(db: Reading['db'], state: Ticket['state']) {
  return ticketsIn(db)
    .selectFrom('tickets')
    .selectAll()
    .where(sql<boolean>`state = ${sql.lit(state)}`)
    .$castTo<Ticket>();
}

export const selectById = defineQuery((db, { id }: { id: string }) =>
  ticketsIn(db).selectFrom('tickets').selectAll().where('id', '=', id).$castTo<Ticket>(),
);

export const selectByNumber = defineQuery(
  (db, { workspace, number }: { workspace: string; number: number }) =>
    ticketsIn(db)
      .selectFrom('tickets')
      .selectAll()
      .where('workspace', '=', workspace)
      .where('number', '=', number)
      .$castTo<Ticket>(),
);

export const countClaimed = defineQuery((db, { workspace }: { workspace: string }) =>
  inState(db, 'claimed')
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('claimed'))
    .where('workspace', '=', workspace),
);

export interface ReadyFor {
  readonly workspace: string;
  readonly kind: Ticket['kind'];
  /** What is assigned to somebody else is not for this one. */
  readonly agent: string | null;
}

/** The next of these. */
export function nextReady(rows: TicketRows, { workspace, kind, agent }: ReadyFor) {
  return rows
    .selectAll('tickets')
    .where(sql<boolean>`tickets.state = 'ready'`)
    .where('tickets.workspace', '=', workspace)
    .where('tickets.kind', '=', kind)
    .where((when) =>
      when.or([when('tickets.assignee', 'is', null), when('tickets.assignee', '=', agent)]),
    )
    .orderBy('tickets.priority')
    .orderBy('tickets.seq')
    .limit(1)
    .$castTo<Ticket>();
}

export const selectReady = defineQuery((db, given: ReadyFor) =>
  nextReady(ticketsIn(db).selectFrom('tickets'), given),
);

export const selectHeld = defineQuery((db, given: { workspace: string; agent: string }) =>
  inState(db, 'claimed')
    .where('workspace', '=', given.workspace)
    .where('claim_agent', '=', given.agent)
    .orderBy('claimed_at')
    .limit(1),
);

/** Found by their index alone: as a rule none has run out, and no ticket is read. */
export const selectExpired = defineQuery((db, given: { workspace: string; uptime: number }) =>
  ticketsIn(db)
    .selectFrom('tickets')
    .selectAll()
    .where('seq', 'in', (from) =>
      from
        .selectFrom('tickets')
        .select('seq')
        .where(sql<boolean>`state = 'claimed'`)
        .where('workspace', '=', given.workspace)
        .where(sql<boolean>`${silentFor(given.uptime)} >= claim_ms`),
    )
    .$castTo<Ticket>(),
);

export const selectNextExpiry = defineQuery((db, given: { workspace: string; uptime: number }) =>
  inState(db, 'claimed')
    .clearSelect()
    .where('workspace', '=', given.workspace)
    .select(sql<number | null>`min(claim_ms - ${silentFor(given.uptime)})`.as('rest')),
);

/** As `silence` has it. */
function silentFor(uptime: number) {
  return sql`case when ${uptime} >= claim_beat then ${uptime} - claim_beat else ${uptime} end`;
}

export const selectVerifying = defineQuery((db, given: { workspace: string }) =>
  inState(db, 'verifying').where('workspace', '=', given.workspace),
);

export const selectVerifyingAnywhere = defineQuery((db) => inState(db, 'verifying'));

export const selectOpenNeeds = defineQuery((db, { id }: { id: string }) =>
  ticketsIn(db)
    .selectFrom('ticket_links')
    .innerJoin('tickets', 'tickets.id', 'ticket_links.to_id')
    .selectAll('tickets')
    .where('ticket_links.from_id', '=', id)
    .where('ticket_links.type', '=', 'needs')
    .where('tickets.state', '!=', 'done')
    .orderBy('tickets.number')
    .$castTo<Ticket>(),
);

export const selectOpenParts = defineQuery((db, { id }: { id: string }) =>
  ticketsIn(db)
    .selectFrom('tickets')
    .selectAll()
    .where('parent_id', '=', id)
    .where('closed_at', 'is', null)
    .orderBy('number')
    .$castTo<Ticket>(),
);

export const selectDependents = defineQuery((db, { id }: { id: string }) =>
  ticketsIn(db)
    .selectFrom('ticket_links')
    .innerJoin('tickets', 'tickets.id', 'ticket_links.from_id')
    .selectAll('tickets')
    .where('ticket_links.to_id', '=', id)
    .where('ticket_links.type', '=', 'needs')
    .$castTo<Ticket>(),
);

export const insertHistory = defineQuery((db, given: Omit<HistoryTable, 'seq'>) =>
  ticketsIn(db).insertInto('ticket_history').values({
    ticket_id: given.ticket_id,
    version: given.version,
    what: given.what,
    by: given.by,
    detail: given.detail,
    at: given.at,
  }),
);

/** The newest, of what others should know who look at the ticket. */
export const selectNotes = defineQuery((db, given: { id: string; limit: number }) =>
  ticketsIn(db)
    .selectFrom('ticket_history')
    .selectAll()
    .where('ticket_id', '=', given.id)
    .where('what', 'in', ['note', 'reported', 'expired', 'taken'])
    .orderBy('seq', 'desc')
    .limit(given.limit)
    .$castTo<HistoryRow>(),
);

/** Of several tickets, as a JSON array of their `seq`. */
export const selectLabels = defineQuery((db, { seqs }: { seqs: string }) =>
  ticketsIn(db)
    .selectFrom('ticket_labels')
    .select(['ticket_seq', 'label'])
    .where('ticket_seq', 'in', sql<number>`(select value from json_each(${seqs}))`)
    .orderBy('label'),
);

export const selectLinks = defineQuery((db, { id }: { id: string }) =>
  ticketsIn(db)
    .selectFrom('ticket_links')
    .innerJoin('tickets as other', 'other.id', 'ticket_links.to_id')
    .select(['ticket_links.type', 'other.number'])
    .where('from_id', '=', id)
    .orderBy('other.number'),
);

export const selectBackLinks = defineQuery((db, given: { id: string; limit: number }) =>
  ticketsIn(db)
    .selectFrom('ticket_links')
    .innerJoin('tickets as other', 'other.id', 'ticket_links.from_id')
    .select(['ticket_links.type', 'other.number'])
    .where('to_id', '=', given.id)
    .orderBy('other.number')
    .limit(given.limit),
);

export const selectFamily = defineQuery(
  (db, given: { id: string; parent: string | null; limit: number }) =>
    ticketsIn(db)
      .selectFrom('tickets')
      .select(['number', 'parent_id'])
      .where((when) => when.or([when('parent_id', '=', given.id), when('id', '=', given.parent)]))
      .orderBy('number')
      .limit(given.limit),
);

type Columns = Partial<Omit<Ticket, 'seq'>>;
type Update = (tx: Reading, values: Columns & Row) => Promise<object[]>;
interface Row {
  readonly seq: number;
  readonly versionBefore: number;
}

/** One for each set of columns that is ever written together: there are few. */
const updates = new Map<string, Update>();

/** False if somebody else has changed it. */
export async function updateTicketRow(
  tx: Reading,
  { seq, version }: Ticket,
  columns: Columns,
): Promise<boolean> {
  const names = Object.keys(columns) as (keyof Columns)[];
  const key = names.join();
  const update = updates.get(key) ?? defineUpdate(names);
  updates.set(key, update);
  return (await update(tx, { ...columns, seq, versionBefore: version })).length > 0;
}

function defineUpdate(names: readonly (keyof Columns)[]): Update {
  return defineQuery((db, given: Columns & Row) =>
    ticketsIn(db)
      .updateTable('tickets')
      .set(Object.fromEntries(names.map((name) => [name, given[name]])))
      .where('seq', '=', given.seq)
      .where('version', '=', given.versionBefore)
      .returning('seq'),
  );
}
