import { plansSchema } from '@baton/plans';
import { openStore } from '@baton/store';
import { ticketsSchema } from '@baton/tickets';
import { type BareDatabase, loadLibrary, openBare } from '../store/bare-database.ts';
import type { MadeTicket } from './mix.ts';

const silent = { isEnabled: () => false, write: () => {}, child: () => silent };

export interface Engine {
  readonly library: string;
  readonly engine: string;
}

/** Makes a store with these tickets, as a file without a WAL. Row by row, as Baton leaves them. */
export async function fillStore(file: string, tickets: Iterable<MadeTicket>): Promise<Engine> {
  const store = await openStore({
    file,
    log: silent,
    clock: { now: () => Date.now(), monotonic: () => performance.now() },
    ids: { next: () => crypto.randomUUID() },
    schemas: [plansSchema, ticketsSchema],
  });
  const { driver: library, engine } = await store.health();
  await store.close();
  const database = openBare(await loadLibrary(library), file);
  // Nothing of it is worth keeping if the machine stops.
  database.exec('pragma synchronous = off; pragma cache_size = -200000; begin immediate');
  const add = createAdder(database);
  for (const made of tickets) add(made);
  database.exec(`
    insert into ticket_numbers select workspace, max(number) from tickets group by workspace;
    commit; pragma wal_checkpoint(truncate)`);
  database.close();
  return { library, engine };
}

function createAdder(database: BareDatabase): (made: MadeTicket) => void {
  const statements = new Map<string, ReturnType<BareDatabase['prepare']>>();
  const insert = (table: string, row: object) => {
    const columns = Object.keys(row).map((column) => `"${column}"`);
    const marks = columns.map(() => '?').join();
    const sql = `insert into ${table} (${columns.join()}) values (${marks})`;
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    statement.run(...Object.values(row));
  };
  return ({ ticket, labels, needs }) => {
    const { seq, id, workspace, title, body } = ticket;
    insert('tickets', ticket);
    insert('ticket_words', { rowid: seq, title, body, notes: '' });
    for (const label of labels) insert('ticket_labels', { workspace, label, ticket_seq: seq });
    for (const need of needs) insert('ticket_links', { from_id: id, to_id: need, type: 'needs' });
    const told = ticket.state === 'done' ? ['created', 'claimed', 'reported'] : ['created'];
    for (const [index, what] of told.entries()) {
      const detail = JSON.stringify({ claim: 1, by: 'anna', outcome: 'done', summary: title });
      const at = ticket.created_at;
      const row = { ticket_id: id, version: index + 1, what, by: 'anna', detail, at };
      insert('ticket_history', row);
    }
  };
}
