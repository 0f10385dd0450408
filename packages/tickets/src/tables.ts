import type { Schema } from '@baton/store';
import type { Generated, Selectable } from 'kysely';
import type { Kind, Outcome } from './definition.ts';
import { ticketsMigration } from './migrations/0001-tickets.ts';
import type { TicketState } from './states.ts';

/** Times are wall milliseconds, but for those of leases. */
export type TicketTables = {
  tickets: TicketTable;
  ticket_numbers: { workspace: string; last: number };
  ticket_labels: { workspace: string; label: string; ticket_seq: number };
  ticket_links: { from_id: string; to_id: string; type: StoredLink };
  ticket_history: HistoryTable;
  /** The words of each ticket; the row has its `seq`. */
  ticket_words: { rowid: number };
};

/** The other types are one of these, or the parent, seen from the other side. */
export type StoredLink = 'needs' | 'related' | 'duplicate';

export interface TicketTable {
  seq: Generated<number>;
  id: string;
  workspace: string;
  number: number;
  title: string;
  body: string;
  kind: Kind;
  state: TicketState;
  /** 1 comes first. */
  priority: number;
  parent_id: string | null;
  assignee: string | null;
  /** Who or what it waits for while it is blocked. */
  waits_for: string;
  /** What came of it. */
  resolution: string;
  /** Grows with every change. */
  version: number;
  /** JSON: the commands that must succeed before it is done. */
  checks: string;
  max_attempts: number;
  /** Claims since it was last opened that came to nothing by themselves. */
  attempts: number;
  /** Rounds of checks that failed since it was last opened. */
  cycles: number;
  /** The checks that run. */
  run_id: string | null;
  /** Grows with every claim. */
  claim_number: number;
  claim_token: string | null;
  /** Who asks under this name again gets the same ticket. */
  claim_agent: string | null;
  claim_connection: string | null;
  /** For people: who has it. */
  claim_label: string;
  claim_ms: number;
  /** When it was last renewed, by `TicketPorts.uptime`. */
  claim_beat: number;
  claimed_at: number | null;
  /** The last report: whoever repeats it because the answer got lost is told the same. */
  report_token: string | null;
  report_outcome: Outcome | null;
  created_by: string;
  created_at: number;
  updated_at: number;
  closed_at: number | null;
}

export interface HistoryTable {
  seq: Generated<number>;
  ticket_id: string;
  /** The version that the ticket had after it. */
  version: number;
  what: HistoryEvent;
  by: string;
  /** JSON. */
  detail: string;
  at: number;
}

export type HistoryRow = Selectable<HistoryTable>;

export type HistoryEvent =
  | 'created'
  | 'imported'
  | 'changed'
  | 'note'
  | 'claimed'
  | 'reported'
  | 'expired'
  | 'taken'
  | 'checked';

export const ticketsSchema: Schema = { feature: 'tickets', migrations: [ticketsMigration] };
