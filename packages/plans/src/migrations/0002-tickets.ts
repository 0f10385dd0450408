import type { Migration } from '@baton/store';

/** Breaking: older workers know no jobs that wait for tickets, and would end their plans too early. */
export const ticketsMigration: Migration = {
  number: 2,
  isBreaking: true,
  async up({ schema }) {
    await schema
      .createTable('plan_tickets')
      .addColumn('ticket_id', 'text', (column) => column.primaryKey())
      .addColumn('ref', 'text', (column) => column.notNull())
      .addColumn('plan_id', 'text', (column) =>
        column.notNull().references('plans.id').onDelete('cascade'),
      )
      .addColumn('job_id', 'text', (column) => column.notNull())
      .addColumn('attempt_id', 'text', (column) => column.notNull())
      .execute();
    await schema
      .createIndex('plan_tickets_of_job')
      .on('plan_tickets')
      .columns(['plan_id', 'job_id'])
      .execute();
  },
};
