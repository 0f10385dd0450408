import type { Migration } from '@baton/store';

/** Written out rather than derived: what has been released never changes. */
export const ticketsMigration: Migration = {
  number: 1,
  async up(db) {
    // Every process knows this migration, and few run it: the library is not loaded for knowing it.
    const { sql } = await import('kysely');
    const { schema } = db;
    await schema
      .createTable('tickets')
      .addColumn('seq', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('id', 'text', (column) => column.notNull().unique())
      .addColumn('workspace', 'text', (column) => column.notNull())
      .addColumn('number', 'integer', (column) => column.notNull())
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('body', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('priority', 'integer', (column) => column.notNull())
      .addColumn('parent_id', 'text', (column) => column.references('tickets.id'))
      .addColumn('assignee', 'text')
      .addColumn('waits_for', 'text', (column) => column.notNull())
      .addColumn('resolution', 'text', (column) => column.notNull())
      .addColumn('version', 'integer', (column) => column.notNull())
      .addColumn('checks', 'text', (column) => column.notNull())
      .addColumn('max_attempts', 'integer', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('cycles', 'integer', (column) => column.notNull())
      .addColumn('run_id', 'text')
      .addColumn('claim_number', 'integer', (column) => column.notNull())
      .addColumn('claim_token', 'text')
      .addColumn('claim_agent', 'text')
      .addColumn('claim_connection', 'text')
      .addColumn('claim_label', 'text', (column) => column.notNull())
      .addColumn('claim_ms', 'integer', (column) => column.notNull())
      .addColumn('claim_beat', 'integer', (column) => column.notNull())
      .addColumn('claimed_at', 'integer')
      .addColumn('report_token', 'text')
      .addColumn('report_outcome', 'text')
      .addColumn('created_by', 'text', (column) => column.notNull())
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .addColumn('updated_at', 'integer', (column) => column.notNull())
      .addColumn('closed_at', 'integer')
      .addUniqueConstraint('tickets_by_number', ['workspace', 'number'])
      .execute();
    for (const index of INDEXES) await sql.raw(index).execute(db);
    // A number is never given twice, even after its ticket is gone.
    await schema
      .createTable('ticket_numbers')
      .addColumn('workspace', 'text', (column) => column.primaryKey())
      .addColumn('last', 'integer', (column) => column.notNull())
      .execute();
    await schema
      .createTable('ticket_labels')
      .addColumn('workspace', 'text', (column) => column.notNull())
      .addColumn('label', 'text', (column) => column.notNull())
      .addColumn('ticket_seq', 'integer', (column) =>
        column.notNull().references('tickets.seq').onDelete('cascade'),
      )
      .addPrimaryKeyConstraint('ticket_labels_key', ['workspace', 'label', 'ticket_seq'])
      .execute();
    await schema
      .createIndex('ticket_labels_of_ticket')
      .on('ticket_labels')
      .columns(['ticket_seq', 'label'])
      .execute();
    await schema
      .createTable('ticket_links')
      .addColumn('from_id', 'text', (column) =>
        column.notNull().references('tickets.id').onDelete('cascade'),
      )
      .addColumn('to_id', 'text', (column) =>
        column.notNull().references('tickets.id').onDelete('cascade'),
      )
      .addColumn('type', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('ticket_links_key', ['from_id', 'type', 'to_id'])
      .execute();
    await schema
      .createIndex('ticket_links_back')
      .on('ticket_links')
      .columns(['to_id', 'type', 'from_id'])
      .execute();
    await schema
      .createTable('ticket_history')
      .addColumn('seq', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('ticket_id', 'text', (column) =>
        column.notNull().references('tickets.id').onDelete('cascade'),
      )
      .addColumn('version', 'integer', (column) => column.notNull())
      .addColumn('what', 'text', (column) => column.notNull())
      .addColumn('by', 'text', (column) => column.notNull())
      .addColumn('detail', 'text', (column) => column.notNull())
      .addColumn('at', 'integer', (column) => column.notNull())
      .execute();
    await schema
      .createIndex('ticket_history_of_ticket')
      .on('ticket_history')
      .columns(['ticket_id', 'seq'])
      .execute();
    // The words only: the texts themselves are in the tickets, and the row is found by its seq.
    await sql`create virtual table ticket_words using fts5(
      title, body, notes, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2'
    )`.execute(db);
    // The words by themselves, in their order.
    await sql`create virtual table ticket_terms using fts5vocab(ticket_words, instance)`.execute(
      db,
    );
  },
};

const INDEXES = [
  "create index tickets_ready on tickets (workspace, kind, priority, seq, assignee) where state = 'ready'",
  'create index tickets_open on tickets (workspace, seq) where closed_at is null',
  'create index tickets_by_state on tickets (workspace, state, seq)',
  "create index tickets_claimed on tickets (workspace, claim_agent, claim_beat, claim_ms) where state = 'claimed'",
  "create index tickets_verifying on tickets (workspace) where state = 'verifying'",
  'create index tickets_assigned on tickets (workspace, assignee, seq) where assignee is not null',
  'create index tickets_by_parent on tickets (parent_id) where parent_id is not null',
];
