import { defaultRetention, prune, type Store } from '@baton/store';
import { expect, test, vi } from 'vitest';
import { type CreatePlace, eventually, times } from './place.ts';

export function testChanges(createPlace: CreatePlace): void {
  test('a listener hears of what it is interested in, from this opening and from others', async () => {
    await using place = createPlace();
    const [store, other] = [await place.open(), await place.open()];
    const heard = { topic: vi.fn(), workspace: vi.fn(), any: vi.fn(), nothing: vi.fn() };
    const ends = [
      await store.changes.subscribe({ workspace: 'ws', topic: 'plan' }, heard.topic),
      await store.changes.subscribe({ workspace: 'ws' }, heard.workspace),
      await store.changes.subscribe({}, heard.any),
      await store.changes.subscribe({ workspace: 'ws', topic: 'nothing' }, heard.nothing),
    ];
    await emit(store, 'ws', 'plan');
    await eventually(() => expect(heard.topic).toHaveBeenCalledOnce());
    await emit(other, 'ws', 'ticket');
    await eventually(() => expect(heard.workspace).toHaveBeenCalledTimes(2));
    await emit(other, 'elsewhere', 'plan');
    await eventually(() => expect(heard.any).toHaveBeenCalledTimes(3));
    expect(heard.topic).toHaveBeenCalledOnce();
    expect(heard.workspace).toHaveBeenCalledTimes(2);
    expect(heard.nothing).not.toHaveBeenCalled();
    for (const end of ends) end();
  });

  test('whoever is told can read what has changed', async () => {
    await using place = createPlace();
    const [store, other] = [await place.open(), await place.open()];
    const seen: (string | undefined)[] = [];
    const end = await store.changes.subscribe({ topic: 'meta' }, () => {
      void storedValue(store).then((value) => seen.push(value));
    });
    for (const [index, writer] of [store, other, store, other].entries()) {
      await setValue(writer, String(index));
      await eventually(() => expect(seen.at(-1)).toBe(String(index)));
    }
    end();
  });

  test('what is rolled back is not told', async () => {
    await using place = createPlace();
    const store = await place.open();
    const heard = { undone: vi.fn(), done: vi.fn() };
    const ends = [
      await store.changes.subscribe({ topic: 'undone' }, heard.undone),
      await store.changes.subscribe({ topic: 'done' }, heard.done),
    ];
    const failing = store.write('durable', async (tx) => {
      tx.emit('ws', 'undone');
      throw new RangeError('undone');
    });
    await expect(failing).rejects.toThrow(RangeError);
    await emit(store, 'ws', 'done');
    await eventually(() => expect(heard.done).toHaveBeenCalled());
    expect(heard.undone).not.toHaveBeenCalled();
    for (const end of ends) end();
  });

  test('nobody is told of what was before the subscription', async () => {
    await using place = createPlace();
    const store = await place.open();
    await emit(store, 'ws', 'before');
    const heard = { before: vi.fn(), after: vi.fn() };
    const ends = [
      await store.changes.subscribe({ topic: 'before' }, heard.before),
      await store.changes.subscribe({ topic: 'after' }, heard.after),
    ];
    await emit(store, 'ws', 'after');
    await eventually(() => expect(heard.after).toHaveBeenCalled());
    expect(heard.before).not.toHaveBeenCalled();
    for (const end of ends) end();
  });

  test('whoever has unsubscribed is told nothing more', async () => {
    await using place = createPlace();
    const store = await place.open();
    const heard = { ended: vi.fn(), stays: vi.fn() };
    const end = await store.changes.subscribe({}, heard.ended);
    const endStaying = await store.changes.subscribe({}, heard.stays);
    end();
    await emit(store, 'ws', 'plan');
    await eventually(() => expect(heard.stays).toHaveBeenCalled());
    expect(heard.ended).not.toHaveBeenCalled();
    endStaying();
  });

  test('after the last listener has gone another one is told again', async () => {
    await using place = createPlace();
    const [store, other] = [await place.open(), await place.open()];
    (await store.changes.subscribe({}, () => {}))();
    await emit(other, 'ws', 'between');
    const heard = { between: vi.fn(), after: vi.fn() };
    const ends = [
      await store.changes.subscribe({ topic: 'between' }, heard.between),
      await store.changes.subscribe({ topic: 'after' }, heard.after),
    ];
    await emit(other, 'ws', 'after');
    await eventually(() => expect(heard.after).toHaveBeenCalled());
    expect(heard.between).not.toHaveBeenCalled();
    for (const end of ends) end();
  });

  test('whoever has missed events, because they are gone, is told to look', async () => {
    await using place = createPlace();
    const [store, other] = [await place.open(), await place.open()];
    const heard = vi.fn();
    const end = await store.changes.subscribe({ topic: 'of somebody' }, heard);
    await other.write('relaxed', async (tx) => tx.emit('ws', 'of somebody'));
    await prune(other, { ...defaultRetention, events: 0 });
    await eventually(() => expect(heard).toHaveBeenCalled());
    end();
  });

  test('a change behind a thousand others of the same moment is told too', async () => {
    await using place = createPlace();
    const [store, other] = [await place.open(), await place.open()];
    const heard = vi.fn();
    const end = await store.changes.subscribe({ topic: 't1499' }, heard);
    await other.write('relaxed', async (tx) => {
      for (let index = 0; index < 1_500; index += 1) tx.emit('ws', `t${index}`);
    });
    await eventually(() => expect(heard).toHaveBeenCalledOnce());
    end();
  });

  test('a listener that throws takes nothing from the others', async () => {
    await using place = createPlace();
    const store = await place.open();
    const heard = vi.fn();
    const ends = [
      await store.changes.subscribe({}, () => {
        throw new RangeError('in a listener');
      }),
      await store.changes.subscribe({}, heard),
    ];
    await emit(store, 'ws', 'plan');
    await eventually(() => expect(heard).toHaveBeenCalled());
    for (const end of ends) end();
  });

  test('until: what is there already is found without a change', async () => {
    await using place = createPlace();
    const store = await place.open();
    await setValue(store, 'there');
    const found = await store.changes.until({}, () => enough(store, 'there'), never());
    expect(found).toBe('there');
  });

  test('until: what comes later is found, from this opening and from another', async () => {
    await using place = createPlace();
    const [store, other] = [await place.open(), await place.open()];
    for (const writer of [store, other]) {
      const value = writer === store ? 'mine' : 'theirs';
      const reads = vi.fn(() => enough(store, value));
      const waiting = store.changes.until({ topic: 'meta' }, reads, never());
      await eventually(() => expect(reads).toHaveBeenCalled());
      await setValue(writer, value);
      expect(await waiting).toBe(value);
    }
  });

  test('until: a change during the read is not missed', async () => {
    await using place = createPlace();
    const [store, other] = [await place.open(), await place.open()];
    const found = await store.changes.until(
      { topic: 'meta' },
      async () => {
        const read = await enough(store, 'set while reading');
        if (!read.isEnough) await setValue(other, 'set while reading');
        return read;
      },
      never(),
    );
    expect(found).toBe('set while reading');
  });

  test('until: many wait for each other through several openings, and nobody misses a turn', async () => {
    await using place = createPlace();
    const stores = [await place.open(), await place.open(), await place.open()];
    await setValue(stores[0] as Store, '0');
    await times(3, async (player) => {
      const store = stores[player] as Store;
      for (let turn = player; turn < 60; turn += 3) {
        await store.changes.until({ topic: 'meta' }, () => enough(store, String(turn)), never());
        await setValue(store, String(turn + 1));
      }
    });
    expect(await storedValue(stores[0] as Store)).toBe('60');
  });

  test('until: a signal ends the wait with what was read last', async () => {
    await using place = createPlace();
    const store = await place.open();
    await setValue(store, 'last');
    const stop = new AbortController();
    const reads = vi.fn(() => enough(store, 'never'));
    const waiting = store.changes.until({}, reads, stop.signal);
    await eventually(() => expect(reads).toHaveBeenCalled());
    stop.abort();
    expect(await waiting).toBe('last');
    expect(await store.changes.until({}, () => enough(store, 'never'), AbortSignal.abort())).toBe(
      'last',
    );
  });

  test('until: an error of the read ends the wait', async () => {
    await using place = createPlace();
    const store = await place.open();
    const failing = async () => {
      throw new RangeError('cannot read');
    };
    await expect(store.changes.until({}, failing, never())).rejects.toThrow(RangeError);
  });
}

function emit(store: Store, workspace: string, topic: string): Promise<void> {
  return store.write('relaxed', async (tx) => tx.emit(workspace, topic));
}

function setValue(store: Store, value: string): Promise<void> {
  return store.write('relaxed', async (tx) => {
    await tx.db
      .insertInto('meta')
      .values({ name: 'test', value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute();
    tx.emit('ws', 'meta');
  });
}

async function storedValue(store: Store): Promise<string | undefined> {
  const row = await store.read(({ db }) =>
    db.selectFrom('meta').select('value').where('name', '=', 'test').executeTakeFirst(),
  );
  return row?.value;
}

async function enough(store: Store, wanted: string) {
  const found = await storedValue(store);
  return { isEnough: found === wanted, found };
}

function never(): AbortSignal {
  return new AbortController().signal;
}
