import type { Migration } from '@baton/store';

/** Breaking: older workers would run jobs of worktrees in the workspace itself. */
export const worktreesMigration: Migration = {
  number: 3,
  isBreaking: true,
  async up({ schema }) {
    await schema
      .alterTable('plans')
      .addColumn('git', 'text', (column) => column.notNull().defaultTo(''))
      .execute();
    for (const name of ['start_commit', 'result_commit', 'merged_commit', 'resume'] as const) {
      await schema.alterTable('plan_jobs').addColumn(name, 'text').execute();
    }
    await schema
      .createTable('plan_repositories')
      .addColumn('plan_id', 'text', (column) => column.notNull())
      .addColumn('repository', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('root', 'text', (column) => column.notNull())
      .addColumn('branch', 'text', (column) => column.notNull())
      .addColumn('base_commit', 'text')
      .addColumn('landed_on', 'text')
      .addColumn('landed_commit', 'text')
      .addPrimaryKeyConstraint('plan_repositories_key', ['plan_id', 'repository'])
      .execute();
    await schema
      .createIndex('plan_repositories_leaving')
      .on('plan_repositories')
      .column('state')
      .where('state', '=', 'leaving')
      .execute();
    await schema
      .createTable('plan_worktrees')
      .addColumn('attempt_id', 'text', (column) => column.primaryKey())
      .addColumn('plan_id', 'text', (column) => column.notNull())
      .addColumn('job_id', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('root', 'text', (column) => column.notNull())
      .addColumn('path', 'text', (column) => column.notNull())
      .addColumn('start_commit', 'text', (column) => column.notNull())
      .addColumn('outputs', 'text')
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .execute();
    await schema
      .createIndex('plan_worktrees_of_job')
      .on('plan_worktrees')
      .columns(['plan_id', 'job_id'])
      .execute();
    await schema
      .createIndex('plan_worktrees_leaving')
      .on('plan_worktrees')
      .column('state')
      .where('state', '=', 'leaving')
      .execute();
    await schema
      .createTable('plan_steps')
      .addColumn('attempt_id', 'text', (column) =>
        column.notNull().references('plan_attempts.id').onDelete('cascade'),
      )
      .addColumn('position', 'integer', (column) => column.notNull())
      .addColumn('phase', 'text', (column) => column.notNull())
      .addColumn('command', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('message', 'text', (column) => column.notNull())
      .addColumn('exit_code', 'integer')
      .addColumn('commit_id', 'text')
      .addColumn('digest', 'text')
      .addColumn('log_from', 'integer', (column) => column.notNull())
      .addColumn('log_to', 'integer')
      .addColumn('detail', 'text', (column) => column.notNull())
      .addColumn('started_at', 'integer', (column) => column.notNull())
      .addColumn('ended_at', 'integer')
      .addPrimaryKeyConstraint('plan_steps_key', ['attempt_id', 'position'])
      .execute();
    await schema
      .createTable('plan_conflicts')
      .addColumn('plan_id', 'text', (column) =>
        column.notNull().references('plans.id').onDelete('cascade'),
      )
      .addColumn('one', 'text', (column) => column.notNull())
      .addColumn('other', 'text', (column) => column.notNull())
      .addColumn('files', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('plan_conflicts_key', ['plan_id', 'one', 'other'])
      .execute();
  },
};
