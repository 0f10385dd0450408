import {
  attemptsOf,
  cancelGroup,
  cancelWork,
  completeParked,
  expireLeases,
  failParked,
  LeaseWatch,
  parkWork,
  readyGroups,
  rearrangeWork,
  removeGroup,
  retryWork,
  type Store,
  setGate,
  type Transaction,
} from '@baton/store';
import { expect, test } from 'vitest';
import { holder } from './holders.ts';
import { type CreatePlace, createTestClock } from './place.ts';
import { add, complete, drain, fail, statesOf, tryWork, work } from './working.ts';

/** Work that waits for somebody outside of the queue. */
export function testParking(createPlace: CreatePlace): void {
  test('nobody holds what is parked, and its holder is refused from then on', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(store, { id: 'a' });
    const claim = await park(store);
    expect(await statesOf(store)).toBe('a:parked');
    expect((await store.health()).leases).toEqual([]);
    expect(await tryWork(store)).toBeUndefined();
    await expect(complete(store, claim)).rejects.toMatchObject({ code: 'lease_lost' });
    await expect(fail(store, claim)).rejects.toMatchObject({ code: 'lease_lost' });
  });

  test('only its holder can park it, and nothing is parked twice', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(store, { id: 'a' });
    const claim = await park(store);
    const again = write(store, (tx) => parkWork(tx, claim));
    await expect(again).rejects.toMatchObject({ code: 'lease_lost' });
    expect(await historyOf(store, 'a')).toEqual(['1 started', '1 parked']);
  });

  test('when it is completed, what needs it goes on and those who wait are told', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(store, { id: 'a' }, { id: 'b', needs: ['a'] });
    await park(store);
    expect(await statesOf(store)).toBe('a:parked b:waiting');
    const before = await newestOf(store);
    await write(store, (tx) => completeParked(tx, 'a'));
    expect(await newestOf(store)).toBeGreaterThan(before);
    expect(await statesOf(store)).toBe('a:succeeded b:ready');
    expect(await historyOf(store, 'a')).toEqual(['1 started', '1 parked', '1 succeeded']);
    expect(await drain(store)).toEqual(['b']);
  });

  test('when it has failed, what needs it is blocked, and it is not tried again by itself', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(store, { id: 'a', maxAttempts: 9 }, { id: 'b', needs: ['a'] });
    await park(store);
    await write(store, (tx) => failParked(tx, 'a', 'given up'));
    expect(await statesOf(store)).toBe('a:failed b:blocked');
    expect(await historyOf(store, 'a')).toEqual(['1 started', '1 parked', '1 failed given up']);
    await write(store, (tx) => retryWork(tx, 'a'));
    expect(await statesOf(store)).toBe('a:ready b:waiting');
  });

  test.each(['cancelled', 'failed'] as const)(
    'it is ended from outside at once: %s',
    async (into) => {
      await using place = createPlace();
      const store = await place.open();
      await add(store, { id: 'a' }, { id: 'b', needs: ['a'] });
      await park(store);
      await write(store, (tx) => cancelWork(tx, 'a', into));
      expect(await statesOf(store)).toBe(`a:${into} b:blocked`);
      expect(await historyOf(store, 'a')).toEqual(['1 started', '1 parked', `1 ${into}`]);
    },
  );

  test('it is over once', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(store, { id: 'a' });
    const ends = [
      (tx: Transaction) => completeParked(tx, 'a'),
      (tx: Transaction) => failParked(tx, 'a', 'late'),
    ];
    const refused = { code: 'work_state' };
    for (const end of ends) await expect(write(store, end)).rejects.toMatchObject(refused);
    await park(store);
    await write(store, (tx) => completeParked(tx, 'a'));
    for (const end of ends) await expect(write(store, end)).rejects.toMatchObject(refused);
    await expect(write(store, (tx) => completeParked(tx, 'x'))).rejects.toMatchObject({
      code: 'work_unknown',
    });
  });

  test('it takes no place of a gate, and does not count as running', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(store, { id: 'a', group: 'plan' }, { id: 'b', group: 'plan' });
    await write(store, (tx) => setGate(tx, { group: 'plan' }, { maxRunning: 1 }));
    await park(store);
    expect(await store.read((tx) => readyGroups(tx, 'jobs'))).toEqual([
      { group: 'plan', running: 0 },
    ]);
    expect((await work(store)).work.id).toBe('b');
  });

  test('it stays parked when its former holder is gone, however long it lasts', async () => {
    await using place = createPlace();
    const clock = createTestClock();
    const store = await place.open({ clock });
    await add(store, { id: 'a' });
    await park(store);
    const watch = new LeaseWatch(clock, { self: '', isDead: () => true });
    for (let day = 0; day < 3; day += 1) {
      clock.advance(24 * 60 * 60 * 1000);
      expect(await expireLeases(store, watch)).toEqual([]);
    }
    expect(await statesOf(store)).toBe('a:parked');
  });

  test('its group can be rearranged around it, but not removed', async () => {
    await using place = createPlace();
    const store = await place.open();
    const group = 'plan';
    await add(store, { id: 'a', group }, { id: 'b', group, needs: ['a'] });
    await park(store);
    const items = [{ id: 'c', workspace: 'ws', queue: 'jobs', group, needs: ['a'] }];
    await write(store, (tx) => rearrangeWork(tx, items));
    expect(await statesOf(store)).toBe('a:parked b:waiting c:waiting');
    const refused = { code: 'work_state' };
    const rewired = [{ id: 'a', workspace: 'ws', queue: 'jobs', group }];
    await expect(write(store, (tx) => rearrangeWork(tx, rewired))).rejects.toMatchObject(refused);
    await expect(write(store, (tx) => removeGroup(tx, 'jobs', group))).rejects.toMatchObject(
      refused,
    );
    await write(store, (tx) => cancelGroup(tx, 'jobs', group));
    expect(await statesOf(store)).toBe('a:parked b:cancelled c:cancelled');
  });
}

async function park(store: Store) {
  const claim = await work(store, holder('w'));
  await write(store, (tx) => parkWork(tx, claim));
  return claim;
}

function write<Result>(store: Store, body: (tx: Transaction) => Promise<Result>): Promise<Result> {
  return store.write('durable', body);
}

async function historyOf(store: Store, id: string): Promise<string[]> {
  const attempts = await store.read((tx) => attemptsOf(tx, id));
  return attempts.map(({ number, what, detail }) => `${number} ${what} ${detail}`.trimEnd());
}

function newestOf(store: Store): Promise<number> {
  return store.read(async ({ db }) => {
    const rows = await db
      .selectFrom('events')
      .select('seq')
      .where('topic', '=', 'queue/jobs')
      .execute();
    return Math.max(0, ...rows.map(({ seq }) => seq));
  });
}
