import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { cites } from '@baton/e2e/requirements';
import type { Reading } from '@baton/store';
import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { type Binding, type Database, loadBinding } from '../src/drivers/sqlite/binding.ts';
import { Connection } from '../src/drivers/sqlite/connection.ts';
import { findLockHolder, holderIn } from '../src/drivers/sqlite/lock-holder.ts';
import { createTestClock, eventually, times } from './contract/place.ts';
import { add, statesOf } from './contract/working.ts';
import { refusalOf } from './faults/open-here.ts';
import { createSqlitePlace, type SqlitePlace, testedBinding } from './sqlite-place.ts';

const require = createRequire(import.meta.url);
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

describe.runIf(process.platform === 'linux')('a process that is stopped while it writes', () => {
  /** Another process that holds the lock, under a name that would fake a line of a log. */
  async function startHolder({ file }: SqlitePlace) {
    const script = `
      const { DatabaseSync } = require(process.argv[1]);
      const database = new DatabaseSync(process.argv[2]);
      database.exec('begin immediate');
      process.stdout.write('held');
      process.stdin.resume();`;
    const library =
      binding.name === 'node:sqlite' ? binding.name : require.resolve('@photostructure/sqlite');
    const holder = spawn(process.execPath, ['-e', script, library, file, '\x1b[2Jsecret']);
    await once(holder.stdout, 'data');
    return {
      pid: holder.pid as number,
      kill: (signal: NodeJS.Signals) => holder.kill(signal),
      async [Symbol.asyncDispose]() {
        holder.kill('SIGKILL');
        if (holder.exitCode === null && holder.signalCode === null) await once(holder, 'exit');
      },
    };
  }
  const virtual = () => {
    const clock = createTestClock();
    return { clock, pause: async (ms: number) => clock.advance(ms), random: () => 1 };
  };

  test(`${cites('T39')} is named, and nobody waits for it until the deadline`, async () => {
    await using place = createSqlitePlace();
    const time = virtual();
    const store = await place.open(time);
    await add(store, { id: 'a' });
    await using holder = await startHolder(place);
    holder.kill('SIGSTOP');
    await eventually(() => expect(findLockHolder(place.file)?.isStopped).toBe(true));
    const begun = time.clock.monotonic();
    // Those that wait behind each other in one process wait together.
    const refused = await times(3, (index) => refusalOf(() => add(store, { id: `${index}` })));
    for (const error of refused) {
      expect(error).toMatchObject({
        code: 'store_busy',
        message: `The store ${place.file} is held by process ${holder.pid} (node), which is stopped; nothing was changed.`,
        next: expect.stringContaining(`\`kill -CONT ${holder.pid}\``),
      });
    }
    expect(time.clock.monotonic() - begun).toBeLessThan(5_000);
    // Whoever only reads is not kept waiting, not even to open the store.
    expect(await statesOf(await place.open(virtual()))).toBe('a:ready');
    holder.kill('SIGCONT');
    holder.kill('SIGKILL');
    await eventually(() => expect(findLockHolder(place.file)).toBeUndefined());
    await add(store, { id: 'b' });
    expect(await statesOf(store)).toBe('a:ready b:ready');
  });

  test('is named if it goes on but never lets go, and is waited for until the deadline', async () => {
    await using place = createSqlitePlace();
    const time = virtual();
    const store = await place.open({ ...time, deadlineMs: 30_000 });
    await using holder = await startHolder(place);
    const begun = time.clock.monotonic();
    const [error, later] = await times(2, () => refusalOf(() => add(store, { id: 'a' })));
    const waited = time.clock.monotonic() - begun;
    expect(error).toMatchObject({
      code: 'store_busy',
      message: expect.stringContaining(`now by process ${holder.pid} (node); nothing was changed`),
      next: expect.stringContaining(`end process ${holder.pid}`),
    });
    expect(later?.code).toBe('store_busy');
    expect(waited).toBeGreaterThanOrEqual(30_000);
    expect(waited).toBeLessThan(31_000);
  });

  test('is found in the table of locks, whatever else is locked', () => {
    const index = { dev: 0xfe00n, ino: 700n };
    const database = { dev: 0xfe00n, ino: 698n };
    const locks = [
      '1: FLOCK  ADVISORY  WRITE 1 fe:00:700 120 120',
      '2: POSIX  ADVISORY  READ  2 fe:00:700 120 120',
      '3: POSIX  ADVISORY  WRITE 3 fe:00:700 123 123',
      '4: POSIX  ADVISORY  WRITE 4 fe:00:7001 120 120',
      '4: -> POSIX  ADVISORY  WRITE 5 fe:00:700 120 120',
      '5: POSIX  ADVISORY  WRITE 0 fe:00:700 120 120',
    ];
    const find = (...more: string[]) => holderIn([...locks, ...more].join('\n'), index, database);
    expect(find()).toBeUndefined();
    const elsewhere = '6: POSIX  ADVISORY  WRITE 6 00:2f:700 120 120';
    expect(find(elsewhere)).toBe(6);
    const ofDatabase = '7: POSIX  ADVISORY  WRITE 7 fe:00:698 1073741825 1073741825';
    expect(find(elsewhere, ofDatabase)).toBe(7);
    expect(find(elsewhere, ofDatabase, '8: POSIX  ADVISORY  WRITE 8 fe:00:700 120 120')).toBe(8);
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
