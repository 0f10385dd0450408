import { cites } from '@baton/e2e/requirements';
import { defaultRetention, eventsAfter, newestEvent, prune, type Store } from '@baton/store';
import { expect, test } from 'vitest';
import { type CreatePlace, times } from './place.ts';

export function testEvents(createPlace: CreatePlace): void {
  test('a store without events', async () => {
    await using place = createPlace();
    const store = await place.open();
    expect(await newest(store)).toBe(0);
    expect(await after(store, 0)).toEqual({ events: [], cursor: 0, isGap: false, isMore: false });
  });

  test('a cursor pages through all events in order, without a gap', async () => {
    await using place = createPlace();
    const store = await place.open();
    await emit(store, 7);
    const topics: string[] = [];
    let cursor = 0;
    for (;;) {
      const page = await after(store, cursor, 3);
      expect(page.isGap).toBe(false);
      if (page.events.length === 0) break;
      expect(page.events.length).toBeLessThanOrEqual(3);
      topics.push(...page.events.map(({ topic }) => topic));
      cursor = page.cursor;
    }
    expect(topics).toEqual(['t0', 't1', 't2', 't3', 't4', 't5', 't6']);
    expect(cursor).toBe(await newest(store));
    await emit(store, 1);
    expect((await after(store, cursor)).events).toHaveLength(1);
  });

  test('a page is bounded unless a limit is given', async () => {
    await using place = createPlace();
    const store = await place.open();
    await emit(store, 1_001);
    const page = await after(store, 0);
    expect(page).toMatchObject({ isMore: true, events: { length: 1_000 } });
    const last = await after(store, page.cursor);
    expect(last).toMatchObject({ isMore: false, events: { length: 1 } });
  });

  test(`${cites('T17')} events of several openings are seen by all, each once and none late`, async () => {
    await using place = createPlace();
    const stores = [await place.open(), await place.open()];
    const reader = await place.open();
    const seen: string[] = [];
    const follow = async () => {
      for (let cursor = 0; seen.length < 40; ) {
        const page = await after(reader, cursor);
        seen.push(...page.events.map(({ topic }) => topic));
        cursor = page.cursor;
        await new Promise(setImmediate);
      }
    };
    const writing = times(40, (index) =>
      (stores[index % 2] as Store).write('relaxed', async (tx) => tx.emit('ws', `t${index}`)),
    );
    await Promise.all([writing, follow()]);
    expect(new Set(seen).size).toBe(40);
    expect(seen).toHaveLength(40);
  });

  test('a cursor that is older than what is kept has a gap, once', async () => {
    await using place = createPlace();
    const store = await place.open();
    await emit(store, 5);
    const cursor = (await after(store, 0, 1)).cursor;
    await keep(store, 2);
    const page = await after(store, cursor);
    expect(page).toMatchObject({ isGap: true });
    expect(page.events.map(({ topic }) => topic)).toEqual(['t3', 't4']);
    expect(await after(store, page.cursor)).toMatchObject({ isGap: false, events: [] });
  });

  test('a cursor at the edge of what is kept has no gap', async () => {
    await using place = createPlace();
    const store = await place.open();
    await emit(store, 5);
    const { cursor } = await after(store, 0, 3);
    await keep(store, 2);
    const page = await after(store, cursor);
    expect(page.isGap).toBe(false);
    expect(page.events).toHaveLength(2);
  });

  test('a gap is also seen when nothing is kept', async () => {
    await using place = createPlace();
    const store = await place.open();
    await emit(store, 3);
    const end = await newest(store);
    await keep(store, 0);
    expect(await newest(store)).toBe(end);
    expect(await after(store, 0)).toEqual({ events: [], cursor: end, isGap: true, isMore: false });
    expect(await after(store, end)).toEqual({
      events: [],
      cursor: end,
      isGap: false,
      isMore: false,
    });
  });

  test('a cursor beyond the end is of another store: it has a gap and begins anew', async () => {
    await using place = createPlace();
    const store = await place.open();
    await emit(store, 3);
    const end = await newest(store);
    expect(await after(store, end + 100)).toEqual({
      events: [],
      cursor: end,
      isGap: true,
      isMore: false,
    });
  });

  test('a number is never given twice, also when all events are gone', async () => {
    await using place = createPlace();
    const store = await place.open();
    await emit(store, 3);
    const end = await newest(store);
    await keep(store, 0);
    await store.close();
    const again = await place.open();
    await emit(again, 1);
    const page = await after(again, end);
    expect(page.isGap).toBe(false);
    expect(page.events[0]?.seq).toBeGreaterThan(end);
  });
}

function emit(store: Store, count: number): Promise<void> {
  return store.write('relaxed', async (tx) => {
    for (let index = 0; index < count; index += 1) tx.emit('ws', `t${index}`);
  });
}

function after(store: Store, cursor: number, limit?: number) {
  return store.read((tx) => eventsAfter(tx, cursor, limit));
}

function newest(store: Store): Promise<number> {
  return store.read((tx) => newestEvent(tx));
}

function keep(store: Store, events: number): Promise<number> {
  return prune(store, { ...defaultRetention, events });
}
