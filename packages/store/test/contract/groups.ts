import {
  cancelWork,
  claimSome,
  failWork,
  findWork,
  nextTryIn,
  readyGroups,
  rearrangeWork,
  removeGate,
  removeGroup,
  removeWork,
  retryWork,
  type Store,
  setGate,
  setPriority,
} from '@baton/store';
import { expect, test } from 'vitest';
import { holder } from './holders.ts';
import type { CreatePlace } from './place.ts';
import { add, complete, drain, fail, statesOf, tryWork, work } from './working.ts';

/** What a queue does for groups of work, such as plans. */
export function testGroups(createPlace: CreatePlace): void {
  const groups = (store: Store) => store.read((tx) => readyGroups(tx, 'jobs'));

  test('those that have work to claim, and how much of each runs', async () => {
    await using place = createPlace();
    const store = await place.open();
    expect(await groups(store)).toEqual([]);
    await add(store, { id: 'a1', group: 'a' }, { id: 'a2', group: 'a' }, { id: 'a3', group: 'a' });
    await add(store, { id: 'b1', group: 'b' }, { id: 'b2', group: 'b', needs: ['b1'] });
    await add(store, { id: 'x', group: 'c', queue: 'others' }, { id: 'none' });
    expect(await groups(store)).toEqual([
      { group: '', running: 0 },
      { group: 'a', running: 0 },
      { group: 'b', running: 0 },
    ]);
    await work(store, holder('w'), { group: 'a' });
    await work(store, holder('w'), { group: 'a' });
    await work(store, holder('w'), { group: 'b' });
    expect(await groups(store)).toEqual([
      { group: '', running: 0 },
      { group: 'a', running: 2 },
    ]);
  });

  test('a gate of one group holds back that group only; without it all goes on', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(store, { id: 'a1', group: 'a' }, { id: 'a2', group: 'a' }, { id: 'b1', group: 'b' });
    const gate = { queue: 'jobs', group: 'a' };
    await store.write('durable', (tx) => setGate(tx, gate, { maxRunning: 1 }));
    await work(store, holder('w'), { group: 'a' });
    expect(await tryWork(store, holder('w'), { group: 'a' })).toBeUndefined();
    expect((await work(store, holder('w'), { group: 'b' })).work.id).toBe('b1');
    await store.write('durable', (tx) => removeGate(tx, gate));
    expect((await work(store, holder('w'), { group: 'a' })).work.id).toBe('a2');
  });

  test('several are claimed at once, in order, as many as every gate has places for', async () => {
    await using place = createPlace();
    const store = await place.open();
    const claim = async (most: number, group = 'a') => {
      const filter = { queue: 'jobs', group };
      const claims = await store.write('durable', (tx) => claimSome(tx, holder('w'), filter, most));
      return claims.map((each) => each.work.id).join(' ');
    };
    const ids = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'];
    await add(store, ...ids.map((id) => ({ id, group: 'a', priority: id === 'a6' ? 1 : 0 })));
    await add(store, { id: 'b1', group: 'b' });
    await store.write('durable', (tx) => setGate(tx, { queue: 'jobs' }, { maxRunning: 5 }));
    await store.write('durable', (tx) => setGate(tx, { group: 'a' }, { maxRunning: 4 }));
    expect(await claim(2)).toBe('a6 a1');
    expect(await claim(16)).toBe('a2 a3');
    expect(await claim(16)).toBe('');
    expect(await claim(16, 'b')).toBe('b1');
    await store.write('durable', (tx) => removeGate(tx, { group: 'a' }));
    expect(await claim(16)).toBe('');
    await store.write('durable', (tx) => removeGate(tx, { queue: 'jobs' }));
    expect(await claim(16)).toBe('a4 a5');
  });

  test('a gate over everything, over the queue or over a workspace counts for each group', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(store, { id: 'a1', group: 'a' }, { id: 'a2', group: 'a', workspace: 'other' });
    for (const scope of [{}, { queue: 'jobs' }]) {
      await store.write('durable', (tx) => setGate(tx, scope, { isPaused: true }));
      expect(await tryWork(store, holder('w'), { group: 'a' })).toBeUndefined();
      await store.write('durable', (tx) => removeGate(tx, scope));
    }
    await store.write('durable', (tx) => setGate(tx, { workspace: 'ws' }, { isPaused: true }));
    expect((await work(store, holder('w'), { group: 'a' })).work.id).toBe('a2');
  });

  test('a changed priority changes the order, also of the next try', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(store, { id: 'one', priority: 1 }, { id: 'two', priority: 2 });
    await store.write('durable', (tx) => setPriority(tx, 'one', 3));
    const first = await work(store);
    expect(first.work.id).toBe('one');
    await store.write('durable', (tx) =>
      failWork(tx, first, { detail: 'red', retryInMs: 0, priority: 1 }),
    );
    expect(await drain(store)).toEqual(['two', 'one']);
  });

  test('when the next try is due', async () => {
    await using place = createPlace();
    const store = await place.open();
    const due = () => store.write('relaxed', (tx) => nextTryIn(tx, 'jobs', tx.now));
    await add(store, { id: 'one' }, { id: 'two' });
    expect(await due()).toBeUndefined();
    await fail(store, await work(store), { detail: 'red', retryInMs: 60_000 });
    await fail(store, await work(store), { detail: 'red', retryInMs: 30_000 });
    const ms = await due();
    expect(ms).toBeGreaterThan(0);
    expect(ms).toBeLessThanOrEqual(30_000);
  });

  test('work that is failed by hand blocks what needs it, and can be tried again', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(store, { id: 'one' }, { id: 'two', needs: ['one'] });
    await store.write('durable', (tx) => cancelWork(tx, 'one', 'failed'));
    expect(await statesOf(store)).toBe('one:failed two:blocked');
    await store.write('durable', (tx) => retryWork(tx, 'one'));
    expect(await drain(store)).toEqual(['one', 'two']);
  });

  test('what has not been started is rearranged: needs, priority, and new work in between', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(store, { id: 'a' }, { id: 'b', needs: ['a'] }, { id: 'c', needs: ['b'] });
    await complete(store, await work(store));
    await store.write('durable', (tx) =>
      rearrangeWork(tx, [
        { id: 'b', workspace: 'ws', queue: 'jobs', needs: ['a', 'new'] },
        { id: 'new', workspace: 'ws', queue: 'jobs', needs: ['a'] },
        { id: 'c', workspace: 'ws', queue: 'jobs', needs: ['b'] },
        { id: 'd', workspace: 'ws', queue: 'jobs', priority: 1 },
      ]),
    );
    expect(await statesOf(store)).toBe('a:succeeded b:waiting c:waiting d:ready new:ready');
    expect(await drain(store)).toEqual(['d', 'new', 'b', 'c']);
  });

  test('rearranged work keeps its place among equals', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(store, { id: 'a' }, { id: 'b' });
    await store.write('durable', (tx) =>
      rearrangeWork(tx, [{ id: 'a', workspace: 'ws', queue: 'jobs', maxAttempts: 1 }]),
    );
    expect((await store.read((tx) => findWork(tx, 'a')))?.max_attempts).toBe(1);
    expect(await drain(store)).toEqual(['a', 'b']);
  });

  test('what was cancelled still needs what is rearranged, should it be tried again', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(store, { id: 'a' }, { id: 'b', needs: ['a'] });
    await store.write('durable', (tx) => cancelWork(tx, 'b'));
    await store.write('durable', (tx) =>
      rearrangeWork(tx, [{ id: 'a', workspace: 'ws', queue: 'jobs' }]),
    );
    await store.write('durable', (tx) => retryWork(tx, 'b'));
    expect(await drain(store)).toEqual(['a', 'b']);
  });

  test('what runs or is over is neither rearranged nor removed', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(store, { id: 'a' }, { id: 'b' });
    const claim = await work(store);
    const items = [{ id: 'a', workspace: 'ws', queue: 'jobs' }];
    const change = () => store.write('durable', (tx) => rearrangeWork(tx, items));
    const remove = () => store.write('durable', (tx) => removeWork(tx, ['b', 'a']));
    await expect(change()).rejects.toMatchObject({ code: 'work_state' });
    await expect(remove()).rejects.toMatchObject({ code: 'work_state' });
    await complete(store, claim);
    await expect(change()).rejects.toMatchObject({ code: 'work_state' });
    expect(await statesOf(store)).toBe('a:succeeded b:ready');
  });

  test('removed work is gone, and with it what others needed of it', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(store, { id: 'a' }, { id: 'b', needs: ['a'] });
    await store.write('durable', (tx) => removeWork(tx, ['b']));
    expect(await statesOf(store)).toBe('a:ready');
    expect(await drain(store)).toEqual(['a']);
  });

  test('a group is removed as a whole, unless some of it runs', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(store, { id: 'a', group: 'g' }, { id: 'b', group: 'g', needs: ['a'] }, { id: 'c' });
    const claim = await work(store, holder('w'), { group: 'g' });
    const remove = () => store.write('durable', (tx) => removeGroup(tx, 'jobs', 'g'));
    await expect(remove()).rejects.toMatchObject({ code: 'work_state' });
    await complete(store, claim);
    await remove();
    expect(await statesOf(store)).toBe('c:ready');
    const left = await store.read(({ db }) => db.selectFrom('attempts').selectAll().execute());
    expect(left).toEqual([]);
  });
}
