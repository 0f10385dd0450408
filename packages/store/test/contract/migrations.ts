import { cites } from '@baton/e2e/requirements';
import {
  claimLease,
  LeaseWatch,
  type Migration,
  releaseLease,
  type Schema,
  type Store,
} from '@baton/store';
import { expect, test } from 'vitest';
import { holder } from './holders.ts';
import { type CreatePlace, createTestClock, times } from './place.ts';
import { identityOf, startProcess } from './real-processes.ts';

/** The tables of a feature as they grow from release to release. */
type Notes = { notes: { id: string; text: string } };

const first: Migration = {
  number: 1,
  up: (db) =>
    db.schema
      .createTable('notes')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('text', 'text', (column) => column.notNull())
      .execute(),
};
const adds: Migration = {
  number: 2,
  up: (db) =>
    db.schema
      .alterTable('notes')
      .addColumn('colour', 'text', (column) => column.notNull().defaultTo('white'))
      .execute(),
};
const breaks: Migration = {
  number: 3,
  isBreaking: true,
  up: (db) => db.schema.alterTable('notes').renameColumn('text', 'body').execute(),
};

export function testMigrations(createPlace: CreatePlace): void {
  test('a new store has the newest tables', async () => {
    await using place = createPlace();
    const store = await place.open({ schemas: [notes(first, adds, breaks)] });
    expect((await store.health()).schemas).toEqual({ notes: 3, store: 2 });
    expect(await columns(store)).toEqual([]);
    await store.write('durable', ({ db }) =>
      db
        .withTables<{ notes: { id: string; body: string; colour?: string } }>()
        .insertInto('notes')
        .values({ id: 'a', body: 'new' })
        .execute(),
    );
    expect(await columns(store)).toEqual(['id', 'body', 'colour'].sort());
  });

  test(`${cites('T43')} a store that grows step by step keeps its rows`, async () => {
    await using place = createPlace();
    for (const [index, schema] of [
      notes(first),
      notes(first, adds),
      notes(first, adds, breaks),
    ].entries()) {
      const store = await place.open({ schemas: [schema] });
      if (index === 0) await write(store, 'a');
      expect((await store.health()).schemas).toMatchObject({ notes: index + 1 });
      await store.close();
    }
    const store = await place.open({ schemas: [notes(first, adds, breaks)] });
    const rows = await store.read(({ db }) =>
      db.withTables<{ notes: Record<string, string> }>().selectFrom('notes').selectAll().execute(),
    );
    expect(rows).toEqual([{ id: 'a', body: 'text of a', colour: 'white' }]);
  });

  test('several steps at once, and each of them once', async () => {
    await using place = createPlace();
    await write(await place.open({ schemas: [notes(first)] }), 'a');
    const store = await place.open({ schemas: [notes(first, adds, breaks)] });
    await store.close();
    const again = await place.open({ schemas: [notes(first, adds, breaks)] });
    expect(await columns(again)).toEqual(['body', 'colour', 'id']);
  });

  test(`${cites('T17')} of many openings of a new store at once one makes the tables`, async () => {
    await using place = createPlace();
    const stores = await times(5, () => place.open({ schemas: [notes(first)] }));
    for (const [index, store] of stores.entries()) await write(store, String(index));
    expect(await ids(stores[0] as Store)).toEqual(['0', '1', '2', '3', '4']);
  });

  test(`${cites('T17')} of many openings at once one migrates`, async () => {
    await using place = createPlace();
    await write(await place.open({ schemas: [notes(first)] }), 'a');
    let runs = 0;
    const counted: Migration = {
      ...adds,
      up: async (db) => {
        await adds.up(db);
        runs += 1;
      },
    };
    const stores = await times(5, () => place.open({ schemas: [notes(first, counted)] }));
    expect(runs).toBe(1);
    for (const store of stores) expect(await columns(store)).toContain('colour');
  });

  test('features have versions of their own, and one that is not known is left alone', async () => {
    await using place = createPlace();
    const plans: Schema = {
      feature: 'plans',
      migrations: [
        { number: 1, up: (db) => db.schema.createTable('plans').addColumn('id', 'text').execute() },
      ],
    };
    await (await place.open({ schemas: [notes(first, adds)] })).close();
    const store = await place.open({ schemas: [plans] });
    expect((await store.health()).schemas).toEqual({ notes: 2, plans: 1, store: 2 });
  });

  test(`${cites('T43')} after a step that only adds, older and newer openings work at once`, async () => {
    await using place = createPlace();
    const older = await place.open({ schemas: [notes(first)] });
    await write(older, 'before');
    const newer = await place.open({ schemas: [notes(first, adds)] });
    await write(older, 'by the older');
    await write(newer, 'by the newer');
    const late = await place.open({ schemas: [notes(first)] });
    await write(late, 'by one that came late');
    for (const store of [older, newer, late]) {
      expect(await ids(store)).toEqual([
        'before',
        'by one that came late',
        'by the newer',
        'by the older',
      ]);
    }
    expect((await late.health()).schemas).toMatchObject({ notes: 2 });
  });

  test(`${cites('T43')} after a step that breaks, an older one is refused and changes nothing`, async () => {
    await using place = createPlace();
    const newer = await place.open({ schemas: [notes(first, adds, breaks)] });
    const before = await newer.read(({ db }) => db.selectFrom('schemas').selectAll().execute());
    for (const schema of [notes(first), notes(first, adds)]) {
      await expect(place.open({ schemas: [schema] })).rejects.toMatchObject({
        code: 'store_too_new',
        message: expect.stringContaining('its notes needs version 3'),
      });
    }
    expect(await newer.read(({ db }) => db.selectFrom('schemas').selectAll().execute())).toEqual(
      before,
    );
  });

  test(`${cites('T43')} a newer store that an unrelated feature would change is refused untouched`, async () => {
    await using place = createPlace();
    await (await place.open({ schemas: [notes(first, adds, breaks)] })).close();
    const plans: Schema = {
      feature: 'plans',
      migrations: [
        { number: 1, up: (db) => db.schema.createTable('plans').addColumn('id', 'text').execute() },
      ],
    };
    await expect(place.open({ schemas: [plans, notes(first)] })).rejects.toMatchObject({
      code: 'store_too_new',
    });
    const store = await place.open({ schemas: [notes(first, adds, breaks)] });
    expect((await store.health()).schemas).toEqual({ notes: 3, store: 2 });
  });

  test(`${cites('T43')} an older one that has it open is refused too, and its write is not made`, async () => {
    await using place = createPlace();
    const older = await place.open({ schemas: [notes(first)] });
    await write(older, 'before');
    const newer = await place.open({ schemas: [notes(first, adds, breaks)] });
    for (let times = 0; times < 2; times += 1) {
      const writing = older.write('durable', async (tx) => tx.emit('ws', 'by the older'));
      await expect(writing).rejects.toMatchObject({ code: 'store_too_new' });
    }
    expect(await ids(newer)).toEqual(['before']);
    expect(await newer.read(({ db }) => db.selectFrom('events').selectAll().execute())).toEqual([]);
  });

  test(`${cites('T43')} an older one that has it open cannot misread it either`, async () => {
    await using place = createPlace();
    const older = await place.open({ schemas: [notes(first)] });
    await place.open({ schemas: [notes(first, adds, breaks)] });
    await expect(older.read(async () => 'read')).rejects.toMatchObject({ code: 'store_too_new' });
  });

  test(`${cites('T43')} a step that breaks waits for those who work with the older tables`, async () => {
    await using place = createPlace();
    const older = await place.open({ schemas: [notes(first)] });
    const holding = older.createHolding({ label: 'worker 7' });
    const lease = await older.write('durable', (tx) => claimLease(tx, 'run', holding.holder));
    const refused = place.open({ schemas: [notes(first, adds, breaks)], deadlineMs: 0 });
    await expect(refused).rejects.toMatchObject({
      code: 'store_migration_waits',
      message: expect.stringContaining('worker 7'),
    });
    await write(older, 'meanwhile');
    let pauses = 0;
    const newer = await place.open({
      schemas: [notes(first, adds, breaks)],
      pause: async () => {
        pauses += 1;
        if (pauses === 3) {
          await older.write('durable', (tx) => releaseLease(tx, lease as never));
        }
      },
    });
    expect(pauses).toBe(3);
    expect(await ids(newer)).toEqual(['meanwhile']);
  });

  test(`${cites('T43')} a step that breaks does not wait for those who know the new tables`, async () => {
    await using place = createPlace();
    await (await place.open({ schemas: [notes(first)] })).close();
    const other = await place.open();
    await other.write('durable', (tx) =>
      claimLease(tx, 'run', holder('of the next release', { schemas: 'notes:3 store:1' })),
    );
    const store = await place.open({ schemas: [notes(first, adds, breaks)], deadlineMs: 0 });
    expect((await store.health()).schemas).toMatchObject({ notes: 3 });
  });

  test(`${cites('T43')} a step that breaks does not wait for ever for somebody who is silent`, async () => {
    await using place = createPlace();
    const older = await place.open({ schemas: [notes(first)] });
    await older.write('durable', (tx) =>
      claimLease(tx, 'ticket', holder('an agent that is gone', { silenceMs: 60_000 })),
    );
    const clock = createTestClock();
    const watch = new LeaseWatch(clock, older.processes);
    const open = () =>
      place.open({ schemas: [notes(first, adds, breaks)], clock, watch, deadlineMs: 0 });
    for (let look = 0; look < 3; look += 1) {
      await expect(open()).rejects.toMatchObject({ code: 'store_migration_waits' });
      clock.advance(20_000);
    }
    expect((await (await open()).health()).schemas).toMatchObject({ notes: 3 });
  });

  test('a step that only adds waits for nobody', async () => {
    await using place = createPlace();
    const older = await place.open({ schemas: [notes(first)] });
    const holding = older.createHolding({ label: 'worker 7' });
    await older.write('durable', (tx) => claimLease(tx, 'run', holding.holder));
    const store = await place.open({ schemas: [notes(first, adds)], deadlineMs: 0 });
    expect((await store.health()).schemas).toMatchObject({ notes: 2 });
  });

  test(`${cites('T43')} a step that breaks does not wait for the dead`, async () => {
    await using place = createPlace();
    const older = await place.open({ schemas: [notes(first)] });
    await using child = await startProcess();
    const dead = holder('worker 7', {
      process: identityOf(older, child.pid),
      schemas: 'notes:1 store:2',
    });
    await older.write('durable', (tx) => claimLease(tx, 'run', dead));
    let isEnded = false;
    const newer = await place.open({
      schemas: [notes(first, adds, breaks)],
      pause: async () => {
        isEnded = true;
        await child.end();
      },
    });
    expect(isEnded).toBe(true);
    expect((await newer.health()).schemas).toMatchObject({ notes: 3 });
  });

  test(`${cites('T8')} a step that fails half way leaves nothing, and the older one works on`, async () => {
    await using place = createPlace();
    const older = await place.open({ schemas: [notes(first)] });
    await write(older, 'before');
    const fails: Migration = {
      number: 3,
      up: async (db) => {
        await db.schema.createTable('half').addColumn('id', 'text').execute();
        await db.deleteFrom('notes').execute();
        throw new RangeError('half way');
      },
    };
    await expect(place.open({ schemas: [notes(first, adds, fails)] })).rejects.toThrow(RangeError);
    await write(older, 'after');
    expect(await columns(older)).toEqual(['id', 'text']);
    expect(await ids(older)).toEqual(['after', 'before']);
    expect((await older.health()).schemas).toEqual({ notes: 1, store: 2 });
    const newer = await place.open({ schemas: [notes(first, adds)] });
    expect(await columns(newer)).toContain('colour');
  });

  test(`${cites('T8')} a first step that fails leaves a store that can be opened`, async () => {
    await using place = createPlace();
    const fails = notes({
      number: 1,
      up: async () => {
        throw new RangeError('at once');
      },
    });
    await expect(place.open({ schemas: [fails] })).rejects.toThrow(RangeError);
    const store = await place.open({ schemas: [notes(first)] });
    expect((await store.health()).schemas).toEqual({ notes: 1, store: 2 });
  });
}

function notes(...migrations: Migration[]): Schema {
  return { feature: 'notes', migrations };
}

function write(store: Store, id: string) {
  return store.write('durable', ({ db }) =>
    db
      .withTables<Notes>()
      .insertInto('notes')
      .values({ id, text: `text of ${id}` })
      .execute(),
  );
}

async function ids(store: Store): Promise<string[]> {
  const rows = await store.read(({ db }) =>
    db.withTables<Notes>().selectFrom('notes').select('id').orderBy('id').execute(),
  );
  return rows.map(({ id }) => id);
}

/** Of the first row. */
async function columns(store: Store): Promise<string[]> {
  const row = await store.read(({ db }) =>
    db.withTables<Notes>().selectFrom('notes').selectAll().executeTakeFirst(),
  );
  return Object.keys(row ?? {}).sort();
}
