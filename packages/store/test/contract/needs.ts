import { type Claim, cancelWork, queueTopic, retryWork, type Store } from '@baton/store';
import { expect, test } from 'vitest';
import { holder } from './holders.ts';
import type { CreatePlace } from './place.ts';
import { add, complete, drain, fail, statesOf, work } from './working.ts';

export function testNeeds(createPlace: CreatePlace): void {
  test('a chain is done from its beginning, in whatever order it was added', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(store, { id: 'c', needs: ['b'] }, { id: 'a' }, { id: 'b', needs: ['a'] });
    expect(await statesOf(store)).toBe('a:ready b:waiting c:waiting');
    expect(await drain(store)).toEqual(['a', 'b', 'c']);
  });

  test('the end of a diamond waits for both of its sides', async () => {
    await using place = createPlace();
    const store = await place.open();
    await addDiamond(store);
    await complete(store, await work(store));
    const [left, right] = [await work(store), await work(store)];
    await complete(store, right);
    expect(await statesOf(store)).toBe('a:succeeded b:running c:succeeded d:waiting');
    await complete(store, left);
    expect(await drain(store)).toEqual(['d']);
  });

  test('a need that is named twice is one need', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(store, { id: 'a' }, { id: 'b', needs: ['a', 'a'] });
    expect(await drain(store)).toEqual(['a', 'b']);
  });

  test('what was there before can be needed, whatever has become of it', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(store, { id: 'done' }, { id: 'open' }, { id: 'bad' });
    await complete(store, await claimOf(store, 'done'));
    await fail(store, await claimOf(store, 'bad'));
    await add(
      store,
      { id: 'x1', needs: ['done'] },
      { id: 'x2', needs: ['done', 'open'] },
      { id: 'x3', needs: ['open', 'bad'] },
      { id: 'x4', needs: ['x3'] },
    );
    expect(await statesOf(store)).toBe(
      'bad:failed done:succeeded open:ready x1:ready x2:waiting x3:blocked x4:blocked',
    );
  });

  test('what needs something that failed is blocked, however far behind', async () => {
    await using place = createPlace();
    const store = await place.open();
    await addDiamond(store);
    await add(store, { id: 'e', needs: ['d'] }, { id: 'f' });
    await fail(store, await claimOf(store, 'a'));
    expect(await statesOf(store)).toBe('a:failed b:blocked c:blocked d:blocked e:blocked f:ready');
    expect(await drain(store)).toEqual(['f']);
  });

  test('what needs something that was cancelled is blocked too', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(store, { id: 'a' }, { id: 'b', needs: ['a'] }, { id: 'c', needs: ['b'] });
    await cancel(store, 'b');
    expect(await statesOf(store)).toBe('a:ready b:cancelled c:blocked');
    await complete(store, await work(store));
    expect(await statesOf(store)).toBe('a:succeeded b:cancelled c:blocked');
  });

  test('a retry frees all that was blocked by it', async () => {
    await using place = createPlace();
    const store = await place.open();
    await addDiamond(store);
    await fail(store, await claimOf(store, 'a'));
    await retry(store, 'a');
    expect(await statesOf(store)).toBe('a:ready b:waiting c:waiting d:waiting');
    expect(await drain(store)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('a retry frees nothing that something else still blocks', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(
      store,
      { id: 'a' },
      { id: 'b' },
      { id: 'c', needs: ['a'] },
      { id: 'd', needs: ['c', 'b'] },
      { id: 'e', needs: ['d'] },
    );
    await fail(store, await claimOf(store, 'a'));
    await fail(store, await claimOf(store, 'b'));
    await retry(store, 'a');
    expect(await statesOf(store)).toBe('a:ready b:failed c:waiting d:blocked e:blocked');
    await retry(store, 'b');
    expect(await statesOf(store)).toBe('a:ready b:ready c:waiting d:waiting e:waiting');
    expect(await drain(store)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('what succeeds while its dependent is blocked by another is not counted twice', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(store, { id: 'a' }, { id: 'b' }, { id: 'c', needs: ['a', 'b'] });
    await fail(store, await claimOf(store, 'a'));
    await complete(store, await claimOf(store, 'b'));
    expect(await statesOf(store)).toBe('a:failed b:succeeded c:blocked');
    await retry(store, 'a');
    expect(await statesOf(store)).toBe('a:ready b:succeeded c:waiting');
    expect(await drain(store)).toEqual(['a', 'c']);
  });

  test('a retry begins to count the attempts anew', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(store, { id: 'a', maxAttempts: 1 });
    await fail(store, await work(store));
    await retry(store, 'a');
    expect((await work(store)).work.attempts).toBe(1);
  });

  test('what was cancelled waits again for what it needs', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(store, { id: 'a' }, { id: 'b', needs: ['a'] }, { id: 'c', needs: ['b'] });
    await cancel(store, 'b');
    await retry(store, 'b');
    expect(await statesOf(store)).toBe('a:ready b:waiting c:waiting');
    expect(await drain(store)).toEqual(['a', 'b', 'c']);
  });

  test('a retry of what something else blocks leaves it blocked, with all behind it', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(store, { id: 'a' }, { id: 'b', needs: ['a'] }, { id: 'c', needs: ['b'] });
    await fail(store, await work(store));
    await cancel(store, 'b');
    await retry(store, 'b');
    expect(await statesOf(store)).toBe('a:failed b:blocked c:blocked');
    await retry(store, 'a');
    expect(await statesOf(store)).toBe('a:ready b:waiting c:waiting');
    expect(await drain(store)).toEqual(['a', 'b', 'c']);
  });

  test('a circle is refused and nothing of it is added', async () => {
    await using place = createPlace();
    const store = await place.open();
    const circle = add(
      store,
      { id: 'a' },
      { id: 'b', needs: ['d', 'a'] },
      { id: 'c', needs: ['b'] },
      { id: 'd', needs: ['c'] },
    );
    await expect(circle).rejects.toMatchObject({ code: 'needs_circle' });
    await expect(add(store, { id: 'self', needs: ['self'] })).rejects.toMatchObject({
      code: 'needs_circle',
    });
    expect(await statesOf(store)).toBe('');
  });

  test('a need that does not exist is refused by name and nothing is added', async () => {
    await using place = createPlace();
    const store = await place.open();
    const adding = add(store, { id: 'a' }, { id: 'b', needs: ['a', 'nobody'] });
    await expect(adding).rejects.toMatchObject({
      code: 'need_unknown',
      message: expect.stringContaining('b needs nobody'),
    });
    expect(await statesOf(store)).toBe('');
  });

  test('only what can be cancelled or tried again is', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(store, { id: 'a' });
    await expect(retry(store, 'a')).rejects.toMatchObject({ code: 'work_state' });
    const claim = await work(store);
    await expect(retry(store, 'a')).rejects.toMatchObject({ code: 'work_state' });
    await complete(store, claim);
    await expect(retry(store, 'a')).rejects.toMatchObject({ code: 'work_state' });
    await expect(cancel(store, 'a')).rejects.toMatchObject({ code: 'work_state' });
    await expect(cancel(store, 'nobody')).rejects.toMatchObject({ code: 'work_unknown' });
    await expect(retry(store, 'nobody')).rejects.toMatchObject({ code: 'work_unknown' });
    expect(await statesOf(store)).toBe('a:succeeded');
  });

  test('those who wait for another queue hear that something of theirs is free or blocked', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(
      store,
      { id: 'a' },
      { id: 'b', queue: 'landing', workspace: 'other', needs: ['a'] },
      { id: 'c' },
    );
    const topics = async (change: () => Promise<unknown>) => {
      const before = await newest(store);
      await change();
      const rows = await store.read(({ db }) =>
        db.selectFrom('events').selectAll().where('seq', '>', before).execute(),
      );
      return rows.map(({ workspace, topic }) => `${workspace} ${topic}`).sort();
    };
    const both = [`other ${queueTopic('landing')}`, `ws ${queueTopic('jobs')}`];
    const claim = await claimOf(store, 'a');
    expect(await topics(() => fail(store, claim))).toEqual(both);
    expect(await topics(() => retry(store, 'a'))).toEqual(both);
    const again = await claimOf(store, 'a');
    expect(await topics(() => complete(store, again))).toEqual(both);
    const alone = await claimOf(store, 'c');
    expect(await topics(() => complete(store, alone))).toEqual([`ws ${queueTopic('jobs')}`]);
  });
}

function addDiamond(store: Store): Promise<void> {
  return add(
    store,
    { id: 'a' },
    { id: 'b', needs: ['a'] },
    { id: 'c', needs: ['a'] },
    { id: 'd', needs: ['b', 'c'] },
  );
}

function claimOf(store: Store, id: string): Promise<Claim> {
  return work(store, holder('worker'), { ids: [id] });
}

function cancel(store: Store, id: string): Promise<void> {
  return store.write('durable', (tx) => cancelWork(tx, id));
}

function retry(store: Store, id: string): Promise<void> {
  return store.write('durable', (tx) => retryWork(tx, id));
}

async function newest(store: Store): Promise<number> {
  const rows = await store.read(({ db }) => db.selectFrom('events').select('seq').execute());
  return Math.max(0, ...rows.map(({ seq }) => seq));
}
