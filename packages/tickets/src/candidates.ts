import type { Reading, StoreTables } from '@baton/store';
import { type Expression, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { TicketQuery } from './finding.ts';
import { hasLabel, hasWords, isOpenWord, someOpenWithWords, someWithLabel } from './search.ts';
import type { TicketTables } from './tables.ts';
import { tables } from './ticket-repository.ts';

// Where a query begins. SQLite keeps the order of a cross join, so that what is asked for most
// narrowly is read first, and no more tickets than needed.

export type TicketRows = SelectQueryBuilder<
  StoreTables & TicketTables,
  'tickets',
  Record<never, never>
>;

/** Beyond so many hits it is quicker to ask of each candidate whether it is one. */
const FEW = 500;

/** All open ones that can have these labels and words, and what is still to be asked of each. */
export async function narrowed(
  tx: Reading,
  workspace: string,
  labels: readonly string[],
  match: string | undefined,
): Promise<{ readonly rows: TicketRows; readonly conditions: readonly Expression<SqlBool>[] }> {
  let few: readonly number[] | undefined;
  const conditions: Expression<SqlBool>[] = [];
  const narrow = (hits: readonly { readonly seq: number }[], isHit: Expression<SqlBool>) => {
    const seqs = new Set(hits.map(({ seq }) => seq));
    if (seqs.size > FEW) conditions.push(isHit);
    else few = few ? few.filter((seq) => seqs.has(seq)) : [...seqs];
  };
  const limit = FEW + 1;
  if (match !== undefined) {
    narrow(await someOpenWithWords(tx, { match, workspace, limit }), hasWords(match));
  }
  for (const label of labels) {
    narrow(await someWithLabel(tx, { workspace, label, limit }), hasLabel(label));
  }
  return { rows: few ? among(tx, few) : tables(tx).selectFrom('tickets'), conditions };
}

/** These and no others. As one value, so that the statement is the same for any number of them. */
function among(tx: Reading, seqs: readonly number[]): TicketRows {
  return tables(tx)
    .selectFrom(sql<{ value: number }>`json_each(${JSON.stringify(seqs)})`.as('given'))
    .crossJoin('tickets')
    .whereRef('tickets.seq', '=', 'given.value') as unknown as TicketRows;
}

/** To be ordered by `age`, which an index has where the query begins. */
export function newestFirst(
  tx: Reading,
  workspace: string,
  { state, labels: [label] = [] }: Pick<TicketQuery, 'state' | 'labels'>,
  match: string | undefined,
) {
  if (match !== undefined) {
    let rows = tables(tx)
      .selectFrom('ticket_words')
      .crossJoin('tickets')
      .whereRef('tickets.seq', '=', 'ticket_words.rowid')
      .where(sql<boolean>`ticket_words match ${match}`);
    if (state === undefined || state === 'open') rows = rows.where(isOpenWord(workspace));
    return { rows: rows as unknown as TicketRows, age: sql.ref<number>('ticket_words.rowid') };
  }
  if (label !== undefined) {
    const rows = tables(tx)
      .selectFrom('ticket_labels')
      .crossJoin('tickets')
      .whereRef('tickets.seq', '=', 'ticket_labels.ticket_seq')
      .where('ticket_labels.workspace', '=', workspace)
      .where('ticket_labels.label', '=', label);
    return {
      rows: rows as unknown as TicketRows,
      age: sql.ref<number>('ticket_labels.ticket_seq'),
    };
  }
  const rows: TicketRows = tables(tx).selectFrom('tickets');
  // Numbers grow as well, and are in order whatever the state is.
  const isAny = state === 'all';
  return { rows, age: sql.ref<number>(isAny ? 'tickets.number' : 'tickets.seq') };
}
