import type { Migration, Schema } from '@baton/store';
import type { Generated } from 'kysely';

/** Set by the bundler: how many of the migrations this build of the program knows. */
declare const KNOWN_MIGRATIONS: number;

// An interface would not do: `withTables` wants something with an implied index signature.
export type TestTables = {
  notes: { id: string; body: string; writer: string };
  /** Written in the same transaction as `notes`, so the two always agree. */
  note_copies: { id: string; body: string };
  counters: { name: string; value: number };
  /** Rows are added and never changed. */
  history: { seq: Generated<number>; job: string; attempt: number };
};

const first: Migration = {
  number: 1,
  async up({ schema }) {
    await schema
      .createTable('notes')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('body', 'text', (column) => column.notNull())
      .addColumn('writer', 'text', (column) => column.notNull())
      .execute();
    await schema
      .createTable('note_copies')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('body', 'text', (column) => column.notNull())
      .execute();
    await schema
      .createTable('counters')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('value', 'integer', (column) => column.notNull())
      .execute();
    await schema
      .createTable('history')
      .addColumn('seq', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('job', 'text', (column) => column.notNull())
      .addColumn('attempt', 'integer', (column) => column.notNull())
      .execute();
  },
};

const addsColumn: Migration = {
  number: 2,
  async up({ schema }) {
    await schema
      .alterTable('notes')
      .addColumn('mood', 'text', (column) => column.notNull().defaultTo('calm'))
      .execute();
  },
};

const renamesColumn: Migration = {
  number: 3,
  isBreaking: true,
  async up({ schema }) {
    await schema.alterTable('notes').renameColumn('body', 'content').execute();
  },
};

export function testSchema(known: number): Schema {
  return { feature: 'test', migrations: [first, addsColumn, renamesColumn].slice(0, known) };
}

export function knownSchema(): Schema {
  return testSchema(KNOWN_MIGRATIONS);
}
