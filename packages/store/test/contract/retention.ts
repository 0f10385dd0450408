import { readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  claimLease,
  defaultRetention,
  fingerprint,
  guardWork,
  keepUp,
  LogFiles,
  once,
  type Pruning,
  prune,
  type Retention,
  type Store,
  type StoreTables,
} from '@baton/store';
import { temporaryFolder } from '@baton/testkit';
import { expect, test } from 'vitest';
import { holder } from './holders.ts';
import { type CreatePlace, createTestClock } from './place.ts';
import { add, complete, fail, tryWork, work } from './working.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const NOTHING: Retention = { events: 0, idempotencyMs: 0, attemptsMs: 0, logsMs: 0 };

export function testRetention(createPlace: CreatePlace): void {
  test('upkeep is done by one process about once an hour', async () => {
    await using place = createPlace();
    const clock = createTestClock();
    const stores = [await place.open({ clock }), await place.open({ clock })] as const;
    const keepUpAll = async () => [await keepUp(stores[0]), await keepUp(stores[1])];
    await keepUpAll();
    expect(await keepUpAll()).toEqual([false, false]);
    clock.advance(HOUR);
    expect(await keepUpAll()).toEqual([true, false]);
    clock.advance(-10 * HOUR);
    expect(await keepUpAll()).toEqual([true, false]);
  });

  test('a clock that is wrong for less than an hour makes nothing old', async () => {
    await using place = createPlace();
    const clock = createTestClock();
    const store = await place.open({ clock });
    await keepUp(store);
    await fill(store);
    const before = await counts(store);
    clock.advance(3650 * DAY);
    expect(await keepUp(store)).toBe(false);
    expect(await counts(store)).toEqual(before);
    clock.advance(-3650 * DAY);
    expect(await keepUp(store)).toBe(true);
    expect(await counts(store)).toEqual(before);
    clock.advance(100 * DAY);
    expect(await keepUp(store)).toBe(false);
    clock.advance(HOUR);
    expect(await keepUp(store)).toBe(true);
    expect(await counts(store)).toMatchObject({ idempotency: 0, logs: 0, attempts: 0 });
  });

  test('what features remove of their own is asked for until nothing is left', async () => {
    await using place = createPlace();
    const clock = createTestClock();
    const store = await place.open({ clock });
    await keepUp(store);
    clock.advance(HOUR);
    const asked: number[] = [];
    const left = [3, 2, 0];
    const pruning: Pruning = async ({ now }, before) => {
      asked.push(now - before);
      return left.shift() ?? Number.NaN;
    };
    await keepUp(store, { prunings: async () => [pruning] });
    expect(asked).toEqual([90 * DAY, 90 * DAY, 90 * DAY]);
  });

  test('what is young is kept', async () => {
    await using place = createPlace();
    const clock = createTestClock();
    const store = await place.open({ clock });
    await fill(store);
    const before = await counts(store);
    clock.advance(DAY);
    expect(await clean(store, defaultRetention)).toBe(0);
    expect(await counts(store)).toEqual(before);
  });

  test('what is old goes, each kind after its own time, and the number of rows is told', async () => {
    await using place = createPlace();
    const clock = createTestClock();
    const store = await place.open({ clock });
    await fill(store);
    const kept = { ...defaultRetention, events: 1_000 };
    clock.advance(8 * DAY);
    expect(await clean(store, kept)).toBe(1);
    expect(await counts(store)).toMatchObject({ idempotency: 0, logs: 1, attempts: 4 });
    clock.advance(23 * DAY);
    expect(await clean(store, kept)).toBe(1);
    expect(await counts(store)).toMatchObject({ logs: 0, attempts: 4 });
    clock.advance(60 * DAY);
    expect(await clean(store, kept)).toBe(4);
    expect(await counts(store)).toMatchObject({ attempts: 0 });
    expect(await clean(store, kept)).toBe(0);
  });

  test('nothing of work that runs, waits or could be tried again is removed', async () => {
    await using place = createPlace();
    const clock = createTestClock();
    const store = await place.open({ clock });
    await add(store, { id: 'a' }, { id: 'later' }, { id: 'after', needs: ['a'] });
    await fail(store, await work(store, holder('first'), { ids: ['later'] }), {
      detail: 'red',
      retryInMs: 10 * 365 * DAY,
    });
    const claim = await work(store, holder('runs'), { ids: ['a'] });
    clock.advance(365 * DAY);
    const before = await counts(store);
    await clean(store, NOTHING);
    expect(await counts(store)).toEqual({ ...before, events: 0 });
    await store.write('durable', (tx) => guardWork(tx, claim));
    await complete(store, claim);
    expect((await work(store)).work.id).toBe('after');
  });

  test('leases are kept, held or not, as long as their work or their name may come back', async () => {
    await using place = createPlace();
    const clock = createTestClock();
    const store = await place.open({ clock });
    await add(store, { id: 'a' }, { id: 'gone' });
    for (const id of ['a', 'gone']) {
      await complete(store, await work(store, holder('worker'), { ids: [id] }));
    }
    await store.write('durable', async (tx) => {
      await claimLease(tx, 'landing', holder('lander'));
      await claimLease(tx, 'work/removed', holder('does not know yet'));
      await tx.db.deleteFrom('work').where('id', '=', 'gone').execute();
    });
    clock.advance(365 * DAY);
    await clean(store, defaultRetention);
    const leases = await store.read(({ db }) =>
      db.selectFrom('leases').select('name').orderBy('name').execute(),
    );
    expect(leases.map(({ name }) => name)).toEqual(['landing', 'work/a', 'work/removed']);
  });

  test('attempts of work that is gone are removed too', async () => {
    await using place = createPlace();
    const clock = createTestClock();
    const store = await place.open({ clock });
    await add(store, { id: 'a' });
    await complete(store, await work(store));
    await store.write('durable', ({ db }) => db.deleteFrom('work').execute());
    clock.advance(91 * DAY);
    await clean(store, defaultRetention);
    expect(await counts(store)).toMatchObject({ attempts: 0 });
  });

  test('a log that is written to now and then is not old', async () => {
    await using place = createPlace();
    using folder = temporaryFolder();
    const clock = createTestClock();
    const store = await place.open({ clock });
    const logs = new LogFiles(store, { folder: folder.path });
    const writer = await logs.open('alive');
    await (await logs.open('old')).close();
    clock.advance(29 * DAY);
    await writer.sync();
    clock.advance(2 * DAY);
    await clean(store, defaultRetention);
    expect(readdirSync(folder.path)).toEqual(['alive']);
    expect(await counts(store)).toMatchObject({ logs: 1 });
    await writer.close();
  });

  test('a log whose files cannot be removed stays known, and holds up no other', async () => {
    await using place = createPlace();
    using folder = temporaryFolder();
    const clock = createTestClock();
    const store = await place.open({ clock });
    const logs = new LogFiles(store, { folder: folder.path });
    for (const id of ['a-stuck', 'free']) await (await logs.open(id)).close();
    rmdirSync(path.join(folder.path, 'a-stuck'));
    writeFileSync(path.join(folder.path, 'a-stuck'), 'not a folder');
    clock.advance(31 * DAY);
    expect(await clean(store, defaultRetention)).toBe(1);
    expect(readdirSync(folder.path)).toEqual(['a-stuck']);
    expect(await counts(store)).toMatchObject({ logs: 1 });
    rmSync(path.join(folder.path, 'a-stuck'));
    expect(await clean(store, defaultRetention)).toBe(1);
  });

  test('much is removed in small steps, and others get their turn in between', async () => {
    await using place = createPlace();
    const store = await place.open();
    await store.write('relaxed', async (tx) => {
      for (let index = 0; index < 1_700; index += 1) tx.emit('ws', `t${index}`);
    });
    const cleaning = clean(store, { ...defaultRetention, events: 100 });
    const seen: number[] = [];
    for (let isDone = false; !isDone; ) {
      await Promise.resolve();
      seen.push(
        await store.write('relaxed', async ({ db }) => {
          const rows = await db.selectFrom('events').select('seq').execute();
          return rows.length;
        }),
      );
      isDone = seen.at(-1) === 100;
    }
    expect(await cleaning).toBe(1_600);
    expect(seen.some((count) => count > 100 && count < 1_700)).toBe(true);
  });

  test('as many rows as one step takes, and one more', async () => {
    await using place = createPlace();
    const store = await place.open();
    for (const count of [500, 501, 999, 1_000]) {
      await store.write('relaxed', async (tx) => {
        for (let index = 0; index < count; index += 1) tx.emit('ws', `t${index}`);
      });
      expect(await clean(store, { ...defaultRetention, events: 0 })).toBe(count);
    }
    expect(await tryWork(store)).toBeUndefined();
  });
}

/** One old row of each kind, of work that is over. */
async function fill(store: Store): Promise<void> {
  await add(store, { id: 'good' }, { id: 'bad' });
  await complete(store, await work(store));
  await fail(store, await work(store));
  const asked = await fingerprint({});
  await store.write('durable', async (tx) => {
    await once(tx, { scope: 's', key: 'k', fingerprint: asked }, async () => 'made');
    const log = { id: 'good', folder: '', bytes: 0, first: 0, closed: 1, at: tx.now };
    await tx.db.insertInto('logs').values(log).execute();
  });
}

function clean(store: Store, retention: Retention): Promise<number> {
  return prune(store, retention);
}

async function counts(store: Store): Promise<Record<string, number>> {
  const tables: readonly (keyof StoreTables)[] = [
    'events',
    'leases',
    'work',
    'work_needs',
    'attempts',
    'idempotency',
    'logs',
  ];
  return store.read(async ({ db }) => {
    const found: Record<string, number> = {};
    for (const table of tables) {
      found[table] = (await db.selectFrom(table).selectAll().execute()).length;
    }
    return found;
  });
}
