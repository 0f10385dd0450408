import type { Migration } from '@baton/store';

/** Written out rather than derived: what has been released never changes. */
export const plansMigration: Migration = {
  number: 1,
  async up({ schema }) {
    await schema
      .createTable('plans')
      .addColumn('seq', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('id', 'text', (column) => column.notNull().unique())
      .addColumn('workspace', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('max_parallel', 'integer', (column) => column.notNull())
      .addColumn('after_plan', 'text')
      .addColumn('source', 'text', (column) => column.notNull())
      .addColumn('base_env', 'text', (column) => column.notNull())
      .addColumn('env', 'text', (column) => column.notNull())
      .addColumn('archived_from', 'text')
      .addColumn('note', 'text', (column) => column.notNull())
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .addColumn('started_at', 'integer')
      .addColumn('ended_at', 'integer')
      .execute();
    await schema
      .createIndex('plans_of_workspace')
      .on('plans')
      .columns(['workspace', 'seq'])
      .execute();
    await schema
      .createIndex('plans_after')
      .on('plans')
      .column('after_plan')
      .where('after_plan', 'is not', null)
      .execute();
    await schema
      .createTable('plan_jobs')
      .addColumn('plan_id', 'text', (column) =>
        column.notNull().references('plans.id').onDelete('cascade'),
      )
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('position', 'integer', (column) => column.notNull())
      .addColumn('definition', 'text', (column) => column.notNull())
      .addColumn('env', 'text', (column) => column.notNull())
      .addColumn('outputs', 'text', (column) => column.notNull())
      .addColumn('stop', 'text')
      .addColumn('note', 'text', (column) => column.notNull())
      .addColumn('tries', 'integer', (column) => column.notNull())
      .addColumn('failures', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('plan_jobs_key', ['plan_id', 'id'])
      .execute();
    await schema
      .createIndex('plan_jobs_to_stop')
      .on('plan_jobs')
      .columns(['plan_id', 'stop'])
      .where('stop', 'is not', null)
      .execute();
    await schema
      .createTable('plan_attempts')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('plan_id', 'text', (column) =>
        column.notNull().references('plans.id').onDelete('cascade'),
      )
      .addColumn('job_id', 'text', (column) => column.notNull())
      .addColumn('number', 'integer', (column) => column.notNull())
      .addColumn('trigger', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('worker', 'text', (column) => column.notNull())
      .addColumn('pid', 'integer')
      .addColumn('reason', 'text')
      .addColumn('message', 'text', (column) => column.notNull())
      .addColumn('exit_code', 'integer')
      .addColumn('signal', 'text')
      .addColumn('is_reaped', 'integer', (column) => column.notNull())
      .addColumn('started_at', 'integer', (column) => column.notNull())
      .addColumn('ended_at', 'integer')
      .execute();
    await schema
      .createIndex('plan_attempts_of_job')
      .on('plan_attempts')
      .columns(['plan_id', 'job_id', 'number'])
      .execute();
    await schema
      .createIndex('plan_attempts_to_reap')
      .on('plan_attempts')
      .columns(['is_reaped', 'state'])
      .where('is_reaped', '=', 0)
      .execute();
  },
};
