import { BatonError } from '@baton/core';
import type { Reading } from '@baton/store';
import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import { among, newestFirst } from './candidates.ts';
import type { Kind } from './definition.ts';
import { areCommon, hasLabel, matchExpression, rankedMatches } from './search.ts';
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

/** Words that more tickets have than this say little about them: then the newest come first. */
const RANKED = 500;
const RANKED_CURSOR = 'best-';
/** Matches are looked at in parts: most often the first is enough. */
const CHUNK = 50;

/** Tickets of a workspace, the newest first; those with words that are not common, the best first. */
export async function findTickets(
  tx: Reading,
  workspace: string,
  query: TicketQuery,
): Promise<Page> {
  if (query.text === undefined) return newest(tx, workspace, query);
  const match = await matchExpression(tx, query.text);
  if (match === undefined) return { tickets: [] };
  // Whoever turns the page stays in the same order, even if the words have become common.
  const isRanked = query.cursor?.startsWith(RANKED_CURSOR) ?? !(await areCommon(tx, match, RANKED));
  return isRanked ? best(tx, workspace, query, match) : newest(tx, workspace, query, match);
}

async function newest(
  tx: Reading,
  workspace: string,
  query: TicketQuery,
  match?: string,
): Promise<Page> {
  const { rows, age } = newestFirst(tx, workspace, query, match);
  let wanted = rows
    .selectAll('tickets')
    .where(await conditions(tx, workspace, query))
    .select(age.as('age'))
    .orderBy(age, 'desc')
    .limit(query.limit + 1);
  if (query.cursor !== undefined)
    wanted = wanted.where(sql<boolean>`${age} < ${cursorOf(query.cursor)}`);
  const found = await wanted.execute();
  const tickets = found.slice(0, query.limit);
  return { tickets, ...(found.length > query.limit && { cursor: String(tickets.at(-1)?.age) }) };
}

async function best(
  tx: Reading,
  workspace: string,
  query: TicketQuery,
  match: string,
): Promise<Page> {
  const ranked = await rankedMatches(tx, { match });
  const wanted = await conditions(tx, workspace, query);
  const found: Ticket[] = [];
  let at = query.cursor ? cursorOf(query.cursor.slice(RANKED_CURSOR.length)) : 0;
  for (; at < ranked.length && found.length <= query.limit; at += CHUNK) {
    const part = ranked.slice(at, at + CHUNK).map(({ seq }) => seq);
    const rows = await among(tx, part).selectAll('tickets').where(wanted).execute();
    const bySeq = new Map(rows.map((row) => [row.seq, row]));
    found.push(...part.flatMap((seq) => bySeq.get(seq) ?? []));
  }
  const tickets = found.slice(0, query.limit);
  const last = tickets.at(-1);
  if (found.length <= query.limit || !last) return { tickets };
  const passed = ranked.findIndex(({ seq }) => seq === last.seq) + 1;
  return { tickets, cursor: `${RANKED_CURSOR}${passed}` };
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
