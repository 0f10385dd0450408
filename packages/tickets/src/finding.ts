import { BatonError } from '@baton/core';
import type { Reading } from '@baton/store';
import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import { newestFirst } from './candidates.ts';
import type { Kind } from './definition.ts';
import { hasLabel, inTitle, matchExpression } from './search.ts';
import type { TicketState } from './states.ts';
import type { TicketTables } from './tables.ts';
import { findTicket, type Ticket } from './ticket-repository.ts';

export interface TicketQuery {
  readonly text?: string | undefined;
  /** `open`: everything that is not done or cancelled. */
  readonly state?: TicketState | 'open' | 'all' | undefined;
  readonly kind?: Kind | undefined;
  readonly labels?: readonly string[] | undefined;
  readonly assignee?: string | undefined;
  readonly parent?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface Page {
  readonly tickets: readonly Ticket[];
  readonly cursor?: string;
}

/** Begins the cursor of a page that ends among the titles. */
const IN_TITLES = 'title-';

/** Tickets of a workspace, the newest first; of those with certain words, first by their titles. */
export async function findTickets(
  tx: Reading,
  workspace: string,
  query: TicketQuery,
): Promise<Page> {
  if (query.text === undefined) return newest(tx, workspace, query);
  const match = await matchExpression(tx, query.text);
  if (match === undefined) return { tickets: [] };
  const titled = await byTitle(tx, workspace, query, match);
  const limit = query.limit - titled.length;
  if (limit === 0) return { tickets: titled, cursor: `${IN_TITLES}${titled.at(-1)?.seq}` };
  const cursor = query.cursor?.startsWith(IN_TITLES) ? undefined : query.cursor;
  const isOther = sql<boolean>`ticket_words.rowid not in (
    select rowid from ticket_words where ticket_words match ${inTitle(match)}
  )`;
  const others = await newest(tx, workspace, { ...query, limit, cursor }, match, isOther);
  return { ...others, tickets: [...titled, ...others.tickets] };
}

/** Unless an earlier page has gone beyond them. */
async function byTitle(
  tx: Reading,
  workspace: string,
  query: TicketQuery,
  match: string,
): Promise<readonly Ticket[]> {
  if (query.cursor !== undefined && !query.cursor.startsWith(IN_TITLES)) return [];
  const cursor = query.cursor?.slice(IN_TITLES.length);
  return (await newest(tx, workspace, { ...query, cursor }, inTitle(match))).tickets;
}

async function newest(
  tx: Reading,
  workspace: string,
  query: TicketQuery,
  match?: string,
  also?: Expression<SqlBool>,
): Promise<Page> {
  const { rows, age } = newestFirst(tx, workspace, query, match);
  let wanted = rows
    .selectAll('tickets')
    .where(await conditions(tx, workspace, query))
    .select(age.as('age'))
    .orderBy(age, 'desc')
    .limit(query.limit + 1);
  if (also) wanted = wanted.where(also);
  if (query.cursor !== undefined)
    wanted = wanted.where(sql<boolean>`${age} < ${cursorOf(query.cursor)}`);
  const found = await wanted.execute();
  const tickets = found.slice(0, query.limit);
  return { tickets, ...(found.length > query.limit && { cursor: String(tickets.at(-1)?.age) }) };
}

async function conditions(
  tx: Reading,
  workspace: string,
  query: TicketQuery,
): Promise<Expression<SqlBool>> {
  const { state = 'open', kind, labels = [], assignee, parent } = query;
  const where = expressionBuilder<TicketTables, 'tickets'>();
  const all: Expression<SqlBool>[] = [where('tickets.workspace', '=', workspace)];
  if (state === 'open') all.push(where('tickets.closed_at', 'is', null));
  else if (state !== 'all') all.push(where('tickets.state', '=', state));
  if (kind) all.push(where('tickets.kind', '=', kind));
  if (assignee !== undefined) all.push(where('tickets.assignee', '=', assignee));
  if (parent) {
    const { id } = await findTicket(tx, workspace, parent);
    all.push(where('tickets.parent_id', '=', id));
  }
  all.push(...labels.map(hasLabel));
  return where.and(all);
}

function cursorOf(cursor: string): number {
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw new BatonError(
    'bad_cursor',
    'The cursor is none of ours.',
    'Begin again without a cursor.',
  );
}
