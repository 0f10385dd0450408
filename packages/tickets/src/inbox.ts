import type { Reading } from '@baton/store';
import { sql } from 'kysely';
import { refOf } from './definition.ts';
import { type Ticket, tables } from './ticket-repository.ts';

export interface InboxItem {
  readonly ticket: Ticket;
  /** Why a person is needed. */
  readonly why: string;
  /** The last time that more was done about it than to write a note. */
  readonly since: number;
}

/** What waits for a person, the most urgent first; of one workspace or of all. */
export async function inboxOf(
  tx: Reading,
  workspace: string | undefined,
  limit: number,
): Promise<InboxItem[]> {
  const rows = await tables(tx)
    .selectFrom('tickets')
    .selectAll('tickets')
    .select([hopelessNeed().as('stuck'), lastMove().as('moved')])
    .where(needsPerson(workspace))
    .orderBy('tickets.priority')
    .orderBy('tickets.seq')
    .limit(limit)
    .execute();
  return rows.map(({ stuck, moved, ...ticket }) => ({
    ticket,
    why: reasonOf(ticket, stuck),
    since: moved ?? ticket.created_at,
  }));
}

/** Each part by an index of its own: most tickets wait for nobody. */
function needsPerson(workspace: string | undefined) {
  const isHere = workspace === undefined ? sql`true` : sql`workspace = ${workspace}`;
  return sql<boolean>`tickets.seq in (
    select seq from tickets where ${isHere} and state in ('blocked', 'failed')
    union all
    select seq from tickets where ${isHere} and state = 'ready' and kind in ('person', 'question')
    union all
    select after.seq from (
      select id from tickets where ${isHere} and state in ('cancelled', 'failed')
    ) as need
    cross join ticket_links on ticket_links.to_id = need.id and ticket_links.type = 'needs'
    cross join tickets as after on after.id = ticket_links.from_id and after.state = 'waiting'
  )`;
}

/** A need that will not be met unless somebody intervenes. */
function hopelessNeed() {
  return sql<number | null>`(
    select need.number from ticket_links
    join tickets as need on need.id = ticket_links.to_id
    where ticket_links.from_id = tickets.id and ticket_links.type = 'needs'
      and need.state in ('cancelled', 'failed')
    limit 1
  )`;
}

function lastMove() {
  return sql<number | null>`(
    select max(at) from ticket_history where ticket_id = tickets.id and what != 'note'
  )`;
}

function reasonOf(ticket: Ticket, stuck: number | null): string {
  switch (ticket.state) {
    case 'blocked':
      return `waits for ${ticket.waits_for}`;
    case 'failed':
      return `has failed ${ticket.attempts} times${ticket.resolution ? `: ${ticket.resolution}` : ''}`;
    case 'waiting':
      return `needs ${refOf({ number: stuck ?? 0 })}, which will not be done`;
    default:
      return ticket.kind === 'question' ? 'asks a question' : 'is for a person to do';
  }
}
