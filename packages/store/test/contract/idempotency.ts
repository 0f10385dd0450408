import { cites } from '@baton/e2e/requirements';
import {
  addWork,
  defaultRetention,
  fingerprint,
  once,
  prune,
  type Store,
  type Transaction,
} from '@baton/store';
import { expect, test } from 'vitest';
import { type CreatePlace, createTestClock, times } from './place.ts';
import { statesOf } from './working.ts';

export function testIdempotency(createPlace: CreatePlace): void {
  test(`${cites('T31')} a repeated call gets the first answer, and its work is done once`, async () => {
    await using place = createPlace();
    const store = await place.open();
    const first = await create(store, 'key-1', 'plan-1');
    expect(first).toEqual({ id: 'plan-1' });
    expect(await create(store, 'key-1', 'plan-2')).toEqual(first);
    expect(await statesOf(store)).toBe('plan-1:ready');
  });

  test(`${cites('T31')} also an answer that says nothing is kept`, async () => {
    await using place = createPlace();
    const store = await place.open();
    const asked = await fingerprint({});
    let runs = 0;
    const repeat = () =>
      store.write('durable', (tx) =>
        once(tx, { scope: 's', key: 'k', fingerprint: asked }, async () => {
          runs += 1;
        }),
      );
    expect(await repeat()).toBeUndefined();
    expect(await repeat()).toBeUndefined();
    expect(runs).toBe(1);
  });

  test(`${cites('T31')} also after the store was opened again`, async () => {
    await using place = createPlace();
    const store = await place.open();
    await create(store, 'key-1', 'plan-1');
    await store.close();
    expect(await create(await place.open(), 'key-1', 'plan-2')).toEqual({ id: 'plan-1' });
  });

  test(`${cites('T31')} the same key with other arguments is refused and changes nothing`, async () => {
    await using place = createPlace();
    const store = await place.open();
    await create(store, 'key-1', 'plan-1');
    const other = create(store, 'key-1', 'plan-2', { title: 'another' });
    await expect(other).rejects.toMatchObject({
      code: 'key_conflict',
      message: expect.stringContaining('"key-1"'),
    });
    expect(await statesOf(store)).toBe('plan-1:ready');
    expect(await create(store, 'key-1', 'plan-2')).toEqual({ id: 'plan-1' });
  });

  test('the same key means another call in another scope', async () => {
    await using place = createPlace();
    const store = await place.open();
    await create(store, 'key-1', 'plan-1');
    const elsewhere = await create(store, 'key-1', 'plan-2', { title: 'another' }, 'other scope');
    expect(elsewhere).toEqual({ id: 'plan-2' });
  });

  test(`${cites('T31')} what was rolled back leaves no key: the call can be repeated`, async () => {
    await using place = createPlace();
    const store = await place.open();
    const asked = await fingerprint({});
    const failing = store.write('durable', (tx) =>
      once(tx, { scope: 's', key: 'k', fingerprint: asked }, async () => {
        await addPlan(tx, 'plan-1');
        throw new RangeError('in the middle');
      }),
    );
    await expect(failing).rejects.toThrow(RangeError);
    const later = store.write('durable', async (tx) => {
      await once(tx, { scope: 's', key: 'k', fingerprint: asked }, () => addPlan(tx, 'plan-2'));
      throw new RangeError('after it');
    });
    await expect(later).rejects.toThrow(RangeError);
    const made = await store.write('durable', (tx) =>
      once(tx, { scope: 's', key: 'k', fingerprint: asked }, () => addPlan(tx, 'plan-3')),
    );
    expect(made).toEqual({ id: 'plan-3' });
    expect(await statesOf(store)).toBe('plan-3:ready');
  });

  test(`${cites('T31')} of calls that come at once through several openings one does the work`, async () => {
    await using place = createPlace();
    const stores = [await place.open(), await place.open()];
    const answers = await times(20, (index) =>
      create(stores[index % 2] as Store, 'key-1', `plan-${index}`),
    );
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(await statesOf(stores[0] as Store)).toBe(`${answers[0]?.id}:ready`);
  });

  test('a key is forgotten when its time is over, and not before', async () => {
    await using place = createPlace();
    const clock = createTestClock();
    const store = await place.open({ clock });
    const forget = () => prune(store, { ...defaultRetention, idempotencyMs: 60_000 });
    await create(store, 'key-1', 'plan-1');
    clock.advance(60_000);
    await forget();
    expect(await create(store, 'key-1', 'plan-2')).toEqual({ id: 'plan-1' });
    clock.advance(1);
    await forget();
    expect(await create(store, 'key-1', 'plan-3')).toEqual({ id: 'plan-3' });
  });

  test('arguments are the same in whatever order their keys stand', async () => {
    const asked = await fingerprint({ a: 1, b: { c: [1, { d: 2, e: 3 }], f: null } });
    expect(await fingerprint({ b: { f: null, c: [1, { e: 3, d: 2 }] }, a: 1 })).toBe(asked);
    const others = [
      { a: 1, b: { c: [{ d: 2, e: 3 }, 1], f: null } },
      { a: '1', b: { c: [1, { d: 2, e: 3 }], f: null } },
      { a: 1, b: { c: [1, { d: 2, e: 3 }] } },
      JSON.parse('{"a":1,"b":{"c":[1,{"d":2,"e":3}],"f":null},"__proto__":1}'),
    ];
    for (const other of others) expect(await fingerprint(other)).not.toBe(asked);
  });
}

/** Like a tool that makes a plan: the arguments are what the caller gave, the id is ours. */
async function create(
  store: Store,
  key: string,
  id: string,
  given: unknown = { title: 'one' },
  scope = 'plan_create ws',
): Promise<{ id: string }> {
  const asked = await fingerprint(given);
  return store.write('durable', (tx) =>
    once(tx, { scope, key, fingerprint: asked }, () => addPlan(tx, id)),
  );
}

async function addPlan(tx: Transaction, id: string): Promise<{ id: string }> {
  await addWork(tx, [{ id, workspace: 'ws', queue: 'jobs' }]);
  return { id };
}
