import { BatonError } from '@baton/core';
import type { Reading } from '@baton/store';
import type { Kind } from './definition.ts';
import { matchExpression, rankedMatches, withLabel } from './search.ts';
import type { TicketState } from './states.ts';
import { findTicket, type Ticket, tables } from './ticket-repository.ts';

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

/** Matches are looked at in parts: most often the first is enough. */
const CHUNK = 100;

/** Tickets of a workspace, the newest first; those with certain words, the best match first. */
export async function findTickets(
  tx: Reading,
  workspace: string,
  query: TicketQuery,
): Promise<Page> {
  if (query.text !== undefined) return findByWords(tx, workspace, query, query.text);
  const before = cursorOf(query.cursor);
  let rows = (await filtered(tx, workspace, query))
    .orderBy('tickets.seq', 'desc')
    .limit(query.limit + 1);
  if (before !== undefined) rows = rows.where('tickets.seq', '<', before);
  const found = await rows.execute();
  const tickets = found.slice(0, query.limit);
  const isMore = found.length > query.limit;
  return { tickets, ...(isMore && { cursor: String(tickets.at(-1)?.seq) }) };
}

async function findByWords(
  tx: Reading,
  workspace: string,
  query: TicketQuery,
  text: string,
): Promise<Page> {
  const match = matchExpression(text);
  if (match === undefined) return { tickets: [] };
  const ranked = await rankedMatches(tx, match);
  const rows = await filtered(tx, workspace, query);
  const found: Ticket[] = [];
  for (let at = cursorOf(query.cursor) ?? 0; at < ranked.length; at += CHUNK) {
    const part = ranked.slice(at, at + CHUNK);
    const wanted = await rows.where('tickets.seq', 'in', part).execute();
    const bySeq = new Map(wanted.map((row) => [row.seq, row]));
    found.push(...part.flatMap((seq) => bySeq.get(seq) ?? []));
    if (found.length > query.limit) break;
  }
  const tickets = found.slice(0, query.limit);
  const last = tickets.at(-1);
  const isMore = found.length > query.limit && last !== undefined;
  return { tickets, ...(isMore && { cursor: String(ranked.indexOf(last.seq) + 1) }) };
}

async function filtered(tx: Reading, workspace: string, query: TicketQuery) {
  const { state = 'open', kind, labels = [], assignee, parent } = query;
  let rows = tables(tx)
    .selectFrom('tickets')
    .selectAll('tickets')
    .where('tickets.workspace', '=', workspace);
  if (state === 'open') rows = rows.where('tickets.closed_at', 'is', null);
  else if (state !== 'all') rows = rows.where('tickets.state', '=', state);
  if (kind) rows = rows.where('tickets.kind', '=', kind);
  if (assignee !== undefined) rows = rows.where('tickets.assignee', '=', assignee);
  if (parent) {
    const { id } = await findTicket(tx, workspace, parent);
    rows = rows.where('tickets.parent_id', '=', id);
  }
  for (const label of labels) rows = rows.where(await withLabel(tx, workspace, label));
  return rows;
}

function cursorOf(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw new BatonError(
    'bad_cursor',
    'The cursor is none of ours.',
    'Begin again without a cursor.',
  );
}
