import type { Migration } from '@baton/store';

/** What people have done in kept worktrees is saved before these go. */
export const keptWorkMigration: Migration = {
  number: 4,
  async up(db) {
    const table = db.schema.alterTable('plan_worktrees');
    await table.addColumn('kept_state', 'text').execute();
    await table.addColumn('saved_ref', 'text').execute();
    // How they were when they were kept is not known any more: all that is in them counts.
    await db
      .updateTable('plan_worktrees')
      .set({ kept_state: '' })
      .where('state', '=', 'kept')
      .execute();
  },
};
