import type { JobTicket, JobTickets } from '@baton/plans';
import type { Reading, Store, Transaction } from '@baton/store';
import { sql } from 'kysely';

export interface FakeTicket extends JobTicket {
  readonly id: string;
  readonly ref: string;
  /** `open`, or why nobody waits for it any more. */
  readonly state: string;
}

export async function createFakeTickets(store: Store): Promise<void> {
  await store.write('relaxed', ({ db }) =>
    sql`create table fake_tickets (seq integer primary key, ticket text, state text)`.execute(db),
  );
}

/** Tickets of nobody, in the same store: what is rolled back has never been. */
export const fakeTickets: JobTickets = {
  async open({ db }, ticket) {
    const { rows } = await sql<{ seq: number }>`insert into fake_tickets (ticket, state)
      values (${JSON.stringify(ticket)}, 'open') returning seq`.execute(db);
    const seq = rows[0]?.seq;
    return { id: `ticket-${seq}`, ref: `T-${seq}` };
  },
  cancel: (tx, id, why) => setState(tx, id, why),
};

/** Whoever worked on it is done. */
export function closeTicket(tx: Transaction, id: string): Promise<void> {
  return setState(tx, id, 'closed');
}

async function setState({ db }: Transaction, id: string, state: string): Promise<void> {
  const seq = Number(id.slice('ticket-'.length));
  await sql`update fake_tickets set state = ${state} where seq = ${seq} and state = 'open'`.execute(
    db,
  );
}

export async function ticketsIn({ db }: Reading): Promise<FakeTicket[]> {
  const { rows } = await sql<{ seq: number; ticket: string; state: string }>`
    select seq, ticket, state from fake_tickets order by seq`.execute(db);
  return rows.map(({ seq, ticket, state }) => ({
    ...JSON.parse(ticket),
    id: `ticket-${seq}`,
    ref: `T-${seq}`,
    state,
  }));
}
