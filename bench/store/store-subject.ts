import {
  claimWork,
  completeWork,
  defineQuery,
  openStore,
  type Schema,
  type Store,
} from '@baton/store';
import { type Job, NOTE, QUEUE, type Subject, TOPIC, WORKSPACE } from './subject.ts';

type NoteTables = {
  notes: { author: string; text: string; at: number };
};

/** A table of a feature. */
const notes: Schema = {
  feature: 'notes',
  migrations: [
    {
      number: 1,
      async up(db) {
        await db.schema
          .createTable('notes')
          .addColumn('id', 'integer', (column) => column.primaryKey())
          .addColumn('author', 'text', (column) => column.notNull())
          .addColumn('text', 'text', (column) => column.notNull())
          .addColumn('at', 'integer', (column) => column.notNull())
          .execute();
      },
    },
  ],
};

const insertNote = defineQuery((db, given: NoteTables['notes']) =>
  db.withTables<NoteTables>().insertInto('notes').values({
    author: given.author,
    text: given.text,
    at: given.at,
  }),
);

const silent = { isEnabled: () => false, write: () => {}, child: () => silent };

export function openBenchStore(file: string, now = () => Date.now()): Promise<Store> {
  return openStore({
    file,
    log: silent,
    clock: { now, monotonic: () => performance.now() },
    ids: { next: () => crypto.randomUUID() },
    schemas: [notes],
  });
}

export async function createStoreSubject(file: string): Promise<Subject> {
  const store = await openBenchStore(file);
  const { holder } = store.createHolding({ label: 'bench' });
  const author = holder.owner;
  return {
    insert: (durability) =>
      store.write(durability, async (tx) => {
        await insertNote(tx, { author, text: NOTE, at: tx.now });
        tx.emit(WORKSPACE, TOPIC);
      }),
    claim: (durability) => store.write(durability, (tx) => claimWork(tx, holder, { queue: QUEUE })),
    complete: (durability, job: Job) =>
      store.write(durability, (tx) => completeWork(tx, job as Parameters<typeof completeWork>[1])),
    close: () => store.close(),
  };
}
