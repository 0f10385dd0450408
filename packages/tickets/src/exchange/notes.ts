import type { Reading, Transaction } from '@baton/store';
import type { TicketDocument } from '../documents/ticket-document.ts';
import { type Ticket, tables } from '../ticket-repository.ts';
import { oneLine } from './one-line.ts';

type Note = TicketDocument['notes'][number];

/** What people and agents have written below a ticket, the oldest first. */
export async function notesIn(tx: Reading, { id }: Pick<Ticket, 'id'>): Promise<Note[]> {
  const rows = await tables(tx)
    .selectFrom('ticket_history')
    .select(['at', 'by', 'detail'])
    .where('ticket_id', '=', id)
    .where('what', '=', 'note')
    .orderBy('at')
    .orderBy('seq')
    .execute();
  return rows.map(({ at, by, detail }) => ({
    at: new Date(at).toISOString(),
    by: oneLine(by),
    text: (JSON.parse(detail) as { text: string }).text,
  }));
}

export function missingNotes(there: readonly Note[], wanted: readonly Note[]): Note[] {
  const known = new Set(there.map(keyOf));
  return wanted.filter((note) => !known.has(keyOf(note)));
}

function keyOf({ at, by, text }: Note): string {
  return JSON.stringify([Date.parse(at), by, text]);
}

/** With the time at which they were written, wherever that was. */
export async function addNotes(
  tx: Transaction,
  { id, version }: Pick<Ticket, 'id' | 'version'>,
  notes: readonly Note[],
): Promise<void> {
  if (notes.length === 0) return;
  const rows = notes.map(({ at, by, text }) => ({
    ticket_id: id,
    version,
    what: 'note' as const,
    by,
    detail: JSON.stringify({ text }),
    at: Date.parse(at),
  }));
  await tables(tx).insertInto('ticket_history').values(rows).execute();
}
