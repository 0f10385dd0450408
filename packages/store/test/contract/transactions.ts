import { cites } from '@baton/e2e/requirements';
import type { Store, Transaction } from '@baton/store';
import { eventsAfter } from '@baton/store';
import { expect, test } from 'vitest';
import { type CreatePlace, createTestClock, times } from './place.ts';

export function testTransactions(createPlace: CreatePlace): void {
  test('what is written together is there together, also for another opening', async () => {
    await using place = createPlace();
    const [store, other] = [await place.open(), await place.open()];
    await store.write('durable', async (tx) => {
      await put(tx, 'a', 'one');
      await put(tx, 'b', 'two');
    });
    expect(await valuesOf(store)).toEqual({ a: 'one', b: 'two' });
    expect(await valuesOf(other)).toEqual({ a: 'one', b: 'two' });
  });

  test('a text that cannot be kept whole is refused', async () => {
    await using place = createPlace();
    const store = await place.open();
    const writing = store.write('durable', ({ db }) =>
      db.insertInto('meta').values({ name: 'nul', value: 'before\0after' }).execute(),
    );
    await expect(writing).rejects.toMatchObject({ code: 'text_unusable' });
  });

  test(`${cites('T8')} it is still there when the store is opened again`, async () => {
    await using place = createPlace();
    const store = await place.open();
    await store.write('durable', (tx) => put(tx, 'a', 'durable'));
    await store.write('relaxed', (tx) => put(tx, 'b', 'relaxed'));
    await store.close();
    expect(await valuesOf(await place.open())).toEqual({ a: 'durable', b: 'relaxed' });
  });

  test('an exception in the middle undoes everything and reaches the caller', async () => {
    await using place = createPlace();
    const store = await place.open();
    await store.write('durable', (tx) => put(tx, 'a', 'before'));
    const failing = store.write('durable', async (tx) => {
      await put(tx, 'b', 'new');
      await tx.db.updateTable('meta').set({ value: 'changed' }).where('name', '=', 'a').execute();
      throw new RangeError('in the middle');
    });
    await expect(failing).rejects.toThrow(RangeError);
    expect(await valuesOf(store)).toEqual({ a: 'before' });
  });

  test('an error of the database undoes everything, and the next write works', async () => {
    await using place = createPlace();
    const store = await place.open();
    const failing = store.write('durable', async (tx) => {
      await put(tx, 'a', 'one');
      await put(tx, 'a', 'twice');
    });
    await expect(failing).rejects.toThrow();
    await store.write('durable', (tx) => put(tx, 'b', 'after'));
    expect(await valuesOf(store)).toEqual({ b: 'after' });
  });

  test('the result of the function is the result of the write', async () => {
    await using place = createPlace();
    const store = await place.open();
    expect(await store.write('durable', async () => 'made')).toBe('made');
    expect(await store.read(async () => 'seen')).toBe('seen');
  });

  test('a transaction sees its own writes', async () => {
    await using place = createPlace();
    const store = await place.open();
    const seen = await store.write('durable', async (tx) => {
      await put(tx, 'a', 'one');
      return tx.db.selectFrom('meta').select('value').where('name', '=', 'a').executeTakeFirst();
    });
    expect(seen).toEqual({ value: 'one' });
  });

  test('a read sees one moment, whatever is written meanwhile', async () => {
    await using place = createPlace();
    const [store, other] = [await place.open(), await place.open()];
    await store.write('durable', (tx) => put(tx, 'a', 'one'));
    const [first, second] = await store.read(async ({ db }) => {
      const before = await db.selectFrom('meta').select('name').execute();
      await store.write('durable', (tx) => put(tx, 'b', 'two'));
      await other.write('durable', (tx) => put(tx, 'c', 'three'));
      return [before, await db.selectFrom('meta').select('name').execute()];
    });
    expect(second).toEqual(first);
    expect(await valuesOf(store)).toEqual({ a: 'one', b: 'two', c: 'three' });
  });

  test('a read never sees a transaction that is still open', async () => {
    await using place = createPlace();
    const [store, other] = [await place.open(), await place.open()];
    const seen = await store.write('durable', async (tx) => {
      await put(tx, 'a', 'open');
      return [await valuesOf(store), await valuesOf(other)];
    });
    expect(seen).toEqual([{}, {}]);
    expect(await valuesOf(store)).toEqual({ a: 'open' });
  });

  test('a read cannot write', async () => {
    await using place = createPlace();
    const store = await place.open();
    const writing = store.read(({ db }) =>
      db.insertInto('meta').values({ name: 'a', value: 'one' }).execute(),
    );
    await expect(writing).rejects.toThrow();
    expect(await valuesOf(store)).toEqual({});
  });

  test(`${cites('T17')} concurrent writes of several openings all arrive, and none is overwritten`, async () => {
    await using place = createPlace();
    const stores = [await place.open(), await place.open(), await place.open()];
    await stores[0]?.write('durable', (tx) => put(tx, 'count', '0'));
    await times(60, (index) => {
      const store = stores[index % 3] as Store;
      return store.write(index % 2 ? 'durable' : 'relaxed', async (tx) => {
        const { value } = await tx.db
          .selectFrom('meta')
          .select('value')
          .where('name', '=', 'count')
          .executeTakeFirstOrThrow();
        await tx.db
          .updateTable('meta')
          .set({ value: String(Number(value) + 1) })
          .where('name', '=', 'count')
          .execute();
      });
    });
    for (const store of stores) expect(await valuesOf(store)).toEqual({ count: '60' });
  });

  test('writes of one opening happen in the order in which they were asked for', async () => {
    await using place = createPlace();
    const store = await place.open();
    const order: number[] = [];
    await times(20, (index) => store.write('relaxed', async () => order.push(index)));
    expect(order).toEqual(Array.from({ length: 20 }, (_, index) => index));
  });

  test('its time is the wall time of the clock that was given', async () => {
    await using place = createPlace();
    const clock = createTestClock();
    const store = await place.open({ clock });
    clock.jump(5_000);
    expect(await store.write('relaxed', async ({ now }) => now)).toBe(clock.now());
    expect(store.clock).toBe(clock);
  });

  test('a topic that is emitted several times makes one event, of one moment', async () => {
    await using place = createPlace();
    const store = await place.open();
    await store.write('durable', async ({ emit }) => {
      emit('ws', 'plan');
      emit('ws', 'ticket');
      emit('ws', 'plan');
      emit('other', 'plan');
    });
    expect(await topicsOf(store)).toEqual(['ws plan', 'ws ticket', 'other plan']);
  });

  test('what was rolled back emits nothing', async () => {
    await using place = createPlace();
    const store = await place.open();
    const failing = store.write('durable', async ({ emit }) => {
      emit('ws', 'undone');
      throw new RangeError('undone');
    });
    await expect(failing).rejects.toThrow(RangeError);
    await store.write('durable', async ({ emit }) => emit('ws', 'done'));
    expect(await topicsOf(store)).toEqual(['ws done']);
  });

  test('a signal that is aborted already prevents the write and the read', async () => {
    await using place = createPlace();
    const store = await place.open();
    const signal = AbortSignal.abort(new RangeError('too late'));
    await expect(store.write('durable', (tx) => put(tx, 'a', 'one'), signal)).rejects.toThrow(
      RangeError,
    );
    await expect(store.read(async () => 'read', signal)).rejects.toThrow(RangeError);
    expect(await valuesOf(store)).toEqual({});
  });

  test('a store that is closed refuses, and closing it twice does no harm', async () => {
    await using place = createPlace();
    const store = await place.open();
    await store.close();
    await store.close();
    await expect(store.read(async () => 'read')).rejects.toThrow('closed');
    await expect(store.write('durable', async () => 'written')).rejects.toThrow('closed');
  });

  test('what was asked for before it is closed is still done', async () => {
    await using place = createPlace();
    const store = await place.open();
    const writing = store.write('durable', (tx) => put(tx, 'a', 'one'));
    await store.close();
    await writing;
    expect(await valuesOf(await place.open())).toEqual({ a: 'one' });
  });
}

async function put({ db }: Transaction, name: string, value: string): Promise<void> {
  await db.insertInto('meta').values({ name, value }).execute();
}

/** What tests have put there, without what the store keeps there itself. */
async function valuesOf(store: Store): Promise<Record<string, string>> {
  const rows = await store.read(({ db }) => db.selectFrom('meta').selectAll().execute());
  const own = rows.filter(({ name }) => name !== 'events_horizon');
  return Object.fromEntries(own.map(({ name, value }) => [name, value]));
}

async function topicsOf(store: Store): Promise<string[]> {
  const { events } = await store.read((tx) => eventsAfter(tx, 0));
  return events.map(({ workspace, topic }) => `${workspace} ${topic}`);
}
