import { cites } from '@baton/e2e/requirements';
import type { Reading } from '@baton/store';
import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { type Binding, type Database, loadBinding } from '../src/drivers/sqlite/binding.ts';
import { Connection } from '../src/drivers/sqlite/connection.ts';
import { createTestClock, times } from './contract/place.ts';
import { add, statesOf } from './contract/working.ts';
import { createSqlitePlace, type SqlitePlace, testedBinding } from './sqlite-place.ts';

const binding = await loadBinding(testedBinding);

test('the wanted library is used, and it is new enough', async () => {
  await using place = createSqlitePlace();
  const { driver, engine, journal } = await (await place.open()).health();
  if (testedBinding) expect(driver).toBe(testedBinding);
  expect(engine).toMatch(/^SQLite 3\.5[1-9]\./);
  expect(journal).toBe('wal');
});

test('SQLite never waits itself, neither to write nor to read', async () => {
  await using place = createSqlitePlace();
  const store = await place.open();
  expect(await store.write('durable', (tx) => pragma(tx, 'busy_timeout'))).toBe(0);
  expect(await store.read((tx) => pragma(tx, 'busy_timeout'))).toBe(0);
});

test.for(['foreign_keys', 'cell_size_check'])('%s is on for both', async (name) => {
  await using place = createSqlitePlace();
  const store = await place.open();
  expect(await store.write('durable', (tx) => pragma(tx, name))).toBe(1);
  expect(await store.read((tx) => pragma(tx, name))).toBe(1);
});

test(`${cites('T8')} how a write reaches the disk is set for each, whatever came before`, async () => {
  await using place = createSqlitePlace();
  const store = await place.open();
  const seen: unknown[] = [];
  for (const durability of ['durable', 'relaxed', 'relaxed', 'durable', 'relaxed'] as const) {
    seen.push(await store.write(durability, (tx) => pragma(tx, 'synchronous')));
  }
  const [FULL, NORMAL] = [2, 1];
  expect(seen).toEqual([FULL, NORMAL, NORMAL, FULL, NORMAL]);
});

describe('while another process writes', () => {
  test('reads go on', async () => {
    await using place = createSqlitePlace();
    const store = await place.open();
    await add(store, { id: 'a' });
    using lock = lockOf(place);
    lock.database.exec("delete from work where id = 'a'");
    expect(await statesOf(store)).toBe('a:ready');
  });

  test('a write waits for it, and is made once', async () => {
    await using place = createSqlitePlace();
    let pauses = 0;
    using lock = await lockBefore(place);
    const store = await place.open({
      pause: async () => {
        pauses += 1;
        if (pauses === 5) lock.release();
      },
    });
    await add(store, { id: 'a' });
    expect(pauses).toBeGreaterThanOrEqual(5);
    expect(await statesOf(store)).toBe('a:ready');
  });

  test('the event loop goes on while a write waits', async () => {
    await using place = createSqlitePlace();
    const store = await place.open();
    using lock = lockOf(place);
    const writing = add(store, { id: 'a' });
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
    lock.release();
    await writing;
    expect(await statesOf(store)).toBe('a:ready');
  });

  test('a write gives up at its deadline, without having begun', async () => {
    await using place = createSqlitePlace();
    const clock = createTestClock();
    const pause = async (ms: number) => clock.advance(ms);
    const store = await place.open({ clock, deadlineMs: 30_000, random: () => 1, pause });
    using lock = lockOf(place);
    const body = vi.fn(async () => {});
    const begun = clock.monotonic();
    await expect(store.write('durable', body)).rejects.toMatchObject({
      code: 'store_busy',
      message: expect.stringContaining('nothing was changed'),
    });
    const waited = clock.monotonic() - begun;
    expect(waited).toBeGreaterThanOrEqual(30_000);
    expect(waited).toBeLessThan(30_100);
    expect(body).not.toHaveBeenCalled();
    lock.release();
    await store.write('durable', body);
    expect(body).toHaveBeenCalledOnce();
  });

  test('a signal ends the wait of a write at once', async () => {
    await using place = createSqlitePlace();
    const store = await place.open();
    using _lock = lockOf(place);
    const stop = new AbortController();
    const body = vi.fn(async () => {});
    const writing = store.write('durable', body, stop.signal);
    await new Promise(setImmediate);
    stop.abort(new RangeError('not wanted any more'));
    await expect(writing).rejects.toThrow(RangeError);
    expect(body).not.toHaveBeenCalled();
  });

  test('a signal also ends the wait behind another write of this process', async () => {
    await using place = createSqlitePlace();
    const store = await place.open();
    using lock = lockOf(place);
    const stop = new AbortController();
    const order: string[] = [];
    const first = store.write('durable', async () => order.push('first'));
    const second = store.write('durable', async () => order.push('second'), stop.signal);
    const third = store.write('durable', async () => order.push('third'));
    stop.abort(new RangeError('not wanted any more'));
    await expect(second).rejects.toThrow(RangeError);
    expect(order).toEqual([]);
    lock.release();
    await Promise.all([first, third]);
    expect(order).toEqual(['first', 'third']);
  });
});

describe('a transaction that awaits something else than the database', () => {
  test('is rolled back with an error that says so, and the next one works', async () => {
    await using place = createSqlitePlace();
    const store = await place.open();
    const writing = store.write('durable', async ({ db, emit }) => {
      await db.insertInto('meta').values({ name: 'a', value: 'late' }).execute();
      emit('ws', 'late');
      // A timer of a moment may be over before the turn is.
      await new Promise((resolve) => setImmediate(resolve));
    });
    await expect(writing).rejects.toThrow('awaited something other than the database');
    const rows = await store.read(({ db }) =>
      db.selectFrom('meta').selectAll().where('name', '=', 'a').execute(),
    );
    expect(rows).toEqual([]);
    expect(await store.read(({ db }) => db.selectFrom('events').selectAll().execute())).toEqual([]);
    await add(store, { id: 'b' });
    expect(await statesOf(store)).toBe('b:ready');
  });

  test('is given up if it waits for another write, which is then made', async () => {
    await using place = createSqlitePlace();
    const store = await place.open();
    let late: Promise<unknown> = Promise.resolve();
    const outer = store.write('durable', async ({ db }) => {
      await db.insertInto('meta').values({ name: 'outer', value: '' }).execute();
      late = add(store, { id: 'inner' }).then(() =>
        db.insertInto('meta').values({ name: 'late', value: '' }).execute(),
      );
      await late;
    });
    await expect(outer).rejects.toThrow('awaited something other than the database');
    // What it still asks for is refused: it would be outside of any transaction.
    await expect(late).rejects.toThrow('already');
    expect(await statesOf(store)).toBe('inner:ready');
    const rows = await store.read(({ db }) =>
      db.selectFrom('meta').select('name').where('name', 'in', ['outer', 'late']).execute(),
    );
    expect(rows).toEqual([]);
  });

  test('a body of a thousand database calls is not taken for one', async () => {
    await using place = createSqlitePlace();
    const store = await place.open();
    await store.write('durable', async ({ db }) => {
      for (let index = 0; index < 1_000; index += 1) {
        await db
          .insertInto('meta')
          .values({ name: `n${index}`, value: '' })
          .execute();
      }
      await times(20, (index) => db.deleteFrom('meta').where('name', '=', `n${index}`).execute());
    });
    const rows = await store.read(({ db }) => db.selectFrom('meta').select('name').execute());
    expect(rows.filter(({ name }) => name.startsWith('n'))).toHaveLength(980);
  });
});

test(`${cites('T44')} statements are prepared once, and only so many are kept`, () => {
  const prepared: string[] = [];
  const connection = new Connection(counting(prepared), ':memory:', { readOnly: false });
  for (let index = 0; index < 300; index += 1) connection.query(`select ${index}`);
  expect(prepared).toHaveLength(300);
  connection.query('select 299');
  connection.query('select 44');
  expect(prepared).toHaveLength(300);
  expect(connection.query('select 43').rows).toEqual([{ 43: 43 }]);
  expect(prepared).toHaveLength(301);
  connection.close();
});

/** A real binding that notes what is prepared. */
function counting(prepared: string[]): Binding {
  return {
    ...binding,
    open(file, options) {
      const database = binding.open(file, options);
      return {
        exec: (text) => database.exec(text),
        close: () => database.close(),
        prepare(text) {
          prepared.push(text);
          return database.prepare(text);
        },
        get isTransaction() {
          return database.isTransaction;
        },
      };
    },
  };
}

async function pragma({ db }: Reading, name: string) {
  const { rows } = await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(db);
  return Object.values(rows[0] ?? {})[0];
}

/** Somebody who holds the one place to write, as a process that hangs would. */
function lockOf({ file }: SqlitePlace): {
  readonly database: Database;
  release(): void;
  [Symbol.dispose](): void;
} {
  const database = binding.open(file, { readOnly: false });
  database.exec('begin immediate');
  let isOpen = true;
  const release = () => {
    if (isOpen) database.close();
    isOpen = false;
  };
  return { database, release, [Symbol.dispose]: release };
}

/** The same before a test opens its store. */
async function lockBefore(place: SqlitePlace) {
  await (await place.open()).close();
  return lockOf(place);
}
