import type { Migration, Schema } from '@baton/store';

const approvals: Migration = {
  number: 1,
  async up({ schema }) {
    await schema
      .createTable('trust')
      .addColumn('workspace', 'text', (column) => column.notNull())
      .addColumn('source', 'text', (column) => column.notNull())
      .addColumn('fingerprint', 'text', (column) => column.notNull())
      .addColumn('commands', 'text', (column) => column.notNull())
      .addColumn('by', 'text', (column) => column.notNull())
      .addColumn('at', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('trust_key', ['workspace', 'source'])
      .execute();
  },
};

/** Absent where an older Baton has asked, which did not show settings. */
const settings: Migration = {
  number: 2,
  async up({ schema }) {
    await schema.alterTable('trust').addColumn('settings', 'text').execute();
  },
};

export const trustSchema: Schema = { feature: 'trust', migrations: [approvals, settings] };
