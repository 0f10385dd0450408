import { defineQuery, type Reading, type Transaction } from '@baton/store';
import { sql } from 'kysely';
import type { TicketTables } from './tables.ts';
import { type Ticket, tables } from './ticket-repository.ts';

/** A beginning of more words than this is looked up as such: that reads all that is known of them. */
const FEW_WORDS = 8;
/** After everything that a word can go on with. */
const LAST = '\u{10ffff}';

/** The words of a query, each of which must begin a word of the ticket. */
export async function matchExpression(tx: Reading, text: string): Promise<string | undefined> {
  const words = text.match(/[\p{L}\p{N}_]+/gu)?.slice(0, 20) ?? [];
  const parts: string[] = [];
  for (const word of words) parts.push(await beginning(tx, word.toLowerCase()));
  return parts.length === 0 ? undefined : parts.join(' AND ');
}

/** The same, of the title only. */
export function inTitle(match: string): string {
  return `{title} : (${match})`;
}

/** All words that begin so, if they are few: then tickets are read one by one, as they are needed. */
async function beginning(tx: Reading, word: string): Promise<string> {
  const asSuch = `"${word}"*`;
  // How other letters are folded only the index knows.
  if (!/^[a-z0-9]+$/.test(word)) return asSuch;
  const found = await wordsBetween(tx, { first: word, end: word + LAST });
  const isFew = found.length > 0 && found.length <= FEW_WORDS;
  return isFew ? `(${found.map(({ term }) => `"${term}"`).join(' OR ')})` : asSuch;
}

/** Goes from word to word. A space comes before everything that a word can go on with. */
const wordsBetween = defineQuery(
  (_, { first, end }: { first: string; end: string }) => sql<{ term: string }>`
    with recursive begun (term) as (
      select (select term from ticket_terms where term >= ${first} limit 1)
      union all
      select (select term from ticket_terms where term >= begun.term || ' ' limit 1)
      from begun where begun.term < ${end}
    )
    select term from begun where term < ${end} limit ${sql.lit(FEW_WORDS + 1)}`,
);

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

export const someOpenWithWords = defineQuery(
  (_, given: { match: string; workspace: string; limit: number }) => sql<{ seq: number }>`
    select rowid as seq from ticket_words
    where ticket_words match ${given.match} and ${isOpenWord(given.workspace)}
    limit ${given.limit}`,
);

/** A small index knows this, so that most tickets need not be read: most are closed. */
export function isOpenWord(workspace: string) {
  return sql<boolean>`ticket_words.rowid in (
    select seq from tickets indexed by tickets_open
    where workspace = ${workspace} and closed_at is null and seq = ticket_words.rowid
  )`;
}

export const someWithLabel = defineQuery(
  (db, given: { workspace: string; label: string; limit: number }) =>
    db
      .withTables<TicketTables>()
      .selectFrom('ticket_labels')
      .select('ticket_seq as seq')
      .where('workspace', '=', given.workspace)
      .where('label', '=', given.label)
      .limit(given.limit),
);

export function hasWords(match: string) {
  return sql<boolean>`exists (
    select 1 from ticket_words where ticket_words match ${match} and rowid = tickets.seq
  )`;
}

export function hasLabel(label: string) {
  return sql<boolean>`exists (
    select 1 from ticket_labels where ticket_seq = tickets.seq and label = ${label}
  )`;
}
