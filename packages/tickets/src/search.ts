import type { Reading, Transaction } from '@baton/store';
import { sql } from 'kysely';
import { type Ticket, tables } from './ticket-repository.ts';

/** Beyond so many hits it is quicker to ask of each candidate whether it is one. */
const FEW = 500;
/** What is common to more tickets than this is ranked among the newest of them. */
const RANKED = 1000;

/** The words of a query, each of which must begin a word of the ticket. */
export function matchExpression(text: string): string | undefined {
  const words = text.match(/[\p{L}\p{N}_]+/gu)?.slice(0, 20) ?? [];
  if (words.length === 0) return undefined;
  return words.map((word) => `"${word}"*`).join(' ');
}

/** Makes a ticket findable by its present words. */
export async function indexWords(tx: Transaction, ticket: Ticket): Promise<void> {
  const notes = await tables(tx)
    .selectFrom('ticket_history')
    .select('detail')
    .where('ticket_id', '=', ticket.id)
    .where('what', '=', 'note')
    .orderBy('seq', 'desc')
    .limit(100)
    .execute();
  const texts = notes.map(({ detail }) => (JSON.parse(detail) as { text?: string }).text ?? '');
  await sql`insert or replace into ticket_words (rowid, title, body, notes)
    values (${ticket.seq}, ${ticket.title}, ${ticket.body}, ${texts.join('\n')})`.execute(tx.db);
}

export async function forgetWords({ db }: Transaction, { seq }: Ticket): Promise<void> {
  await sql`delete from ticket_words where rowid = ${seq}`.execute(db);
}

/** The tickets with all of these words, the best first; more than a few are not all looked at. */
export async function rankedMatches({ db }: Reading, match: string): Promise<number[]> {
  const { rows } = await sql<{ seq: number }>`
    select rowid as seq from ticket_words
    where ticket_words match ${match}
      and rowid in (
        select rowid from ticket_words where ticket_words match ${match} order by rowid desc limit ${RANKED}
      )
    order by bm25(ticket_words, 8, 2, 1), rowid desc limit ${RANKED}`.execute(db);
  return rows.map(({ seq }) => seq);
}

/** Those among candidates that have these words, in the way that looks at the fewest rows. */
export async function withWords({ db }: Reading, match: string) {
  const { rows } = await sql<{ seq: number }>`
    select rowid as seq from ticket_words where ticket_words match ${match} limit ${FEW + 1}`.execute(
    db,
  );
  if (rows.length <= FEW) return among(rows.map(({ seq }) => seq));
  return sql<boolean>`exists (
    select 1 from ticket_words where ticket_words match ${match} and rowid = tickets.seq
  )`;
}

/** The same for a label. */
export async function withLabel(tx: Reading, workspace: string, label: string) {
  const rows = await tables(tx)
    .selectFrom('ticket_labels')
    .select('ticket_seq as seq')
    .where('workspace', '=', workspace)
    .where('label', '=', label)
    .limit(FEW + 1)
    .execute();
  if (rows.length <= FEW) return among(rows.map(({ seq }) => seq));
  return sql<boolean>`exists (
    select 1 from ticket_labels where ticket_seq = tickets.seq and label = ${label}
  )`;
}

function among(seqs: readonly number[]) {
  return seqs.length === 0 ? sql<boolean>`0` : sql<boolean>`tickets.seq in (${sql.join(seqs)})`;
}
