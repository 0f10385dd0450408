import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/** Written out rather than derived: what has been released never changes. */
export const ground: Migration = {
  number: 1,
  async up(db) {
    const { schema } = db;
    await schema
      .createTable('meta')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('value', 'text', (column) => column.notNull())
      .execute();
    // A number is never given twice, even after the newest rows are gone.
    await schema
      .createTable('events')
      .addColumn('seq', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('workspace', 'text', (column) => column.notNull())
      .addColumn('topic', 'text', (column) => column.notNull())
      .addColumn('at', 'integer', (column) => column.notNull())
      .execute();
    await schema
      .createTable('leases')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('number', 'integer', (column) => column.notNull())
      .addColumn('owner', 'text')
      .addColumn('process', 'text')
      .addColumn('label', 'text', (column) => column.notNull())
      .addColumn('schemas', 'text', (column) => column.notNull())
      .addColumn('beats', 'integer', (column) => column.notNull())
      .addColumn('silence_ms', 'integer', (column) => column.notNull())
      .addColumn('since', 'integer', (column) => column.notNull())
      .execute();
    await schema
      .createIndex('leases_by_owner')
      .on('leases')
      .column('owner')
      .where('owner', 'is not', null)
      .execute();
    await schema
      .createTable('work')
      .addColumn('seq', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('id', 'text', (column) => column.notNull().unique())
      .addColumn('workspace', 'text', (column) => column.notNull())
      .addColumn('queue', 'text', (column) => column.notNull())
      .addColumn('grp', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('priority', 'integer', (column) => column.notNull())
      .addColumn('open_needs', 'integer', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('max_attempts', 'integer', (column) => column.notNull())
      .addColumn('delayed_at', 'integer', (column) => column.notNull())
      .addColumn('delay_ms', 'integer', (column) => column.notNull())
      .addColumn('at', 'integer', (column) => column.notNull())
      .execute();
    await schema
      .createIndex('work_to_claim')
      .on('work')
      .columns(['queue', 'state', 'priority desc', 'seq'])
      .execute();
    await schema
      .createTable('work_needs')
      .addColumn('work_id', 'text', (column) =>
        column.notNull().references('work.id').onDelete('cascade'),
      )
      .addColumn('needs_id', 'text', (column) => column.notNull().references('work.id'))
      .addPrimaryKeyConstraint('work_needs_key', ['work_id', 'needs_id'])
      .execute();
    await schema
      .createIndex('work_needs_back')
      .on('work_needs')
      .columns(['needs_id', 'work_id'])
      .execute();
    await schema
      .createTable('work_labels')
      .addColumn('work_id', 'text', (column) =>
        column.notNull().references('work.id').onDelete('cascade'),
      )
      .addColumn('label', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('work_labels_key', ['work_id', 'label'])
      .execute();
    await schema
      .createTable('gates')
      .addColumn('workspace', 'text', (column) => column.notNull())
      .addColumn('queue', 'text', (column) => column.notNull())
      .addColumn('grp', 'text', (column) => column.notNull())
      .addColumn('paused', 'integer', (column) => column.notNull())
      .addColumn('max_running', 'integer')
      .addPrimaryKeyConstraint('gates_key', ['workspace', 'queue', 'grp'])
      .execute();
    await schema
      .createTable('attempts')
      .addColumn('seq', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('work_id', 'text', (column) => column.notNull())
      .addColumn('number', 'integer', (column) => column.notNull())
      .addColumn('what', 'text', (column) => column.notNull())
      .addColumn('label', 'text', (column) => column.notNull())
      .addColumn('detail', 'text', (column) => column.notNull())
      .addColumn('at', 'integer', (column) => column.notNull())
      .execute();
    await schema
      .createIndex('attempts_of_work')
      .on('attempts')
      .columns(['work_id', 'seq'])
      .execute();
    await schema
      .createTable('idempotency')
      .addColumn('scope', 'text', (column) => column.notNull())
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('fingerprint', 'text', (column) => column.notNull())
      .addColumn('result', 'text', (column) => column.notNull())
      .addColumn('at', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('idempotency_key', ['scope', 'key'])
      .execute();
    await schema
      .createTable('logs')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('folder', 'text', (column) => column.notNull())
      .addColumn('bytes', 'integer', (column) => column.notNull())
      .addColumn('first', 'integer', (column) => column.notNull())
      .addColumn('closed', 'integer', (column) => column.notNull())
      .addColumn('at', 'integer', (column) => column.notNull())
      .execute();
    await sql`insert into meta (name, value) values ('events_horizon', '0')`.execute(db);
  },
};
