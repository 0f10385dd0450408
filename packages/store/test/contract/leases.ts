import { cites } from '@baton/e2e/requirements';
import {
  beatLeases,
  claimLease,
  guardLease,
  type Holder,
  heldLeases,
  type Lease,
  releaseLease,
  type Store,
} from '@baton/store';
import { expect, test } from 'vitest';
import { holder } from './holders.ts';
import { type CreatePlace, eventually, times } from './place.ts';

export function testLeases(createPlace: CreatePlace): void {
  test('a lease is claimed once, until it is released', async () => {
    await using place = createPlace();
    const store = await place.open();
    const lease = await claim(store, 'landing', holder('first'));
    expect(lease).toMatchObject({ name: 'landing', number: 1 });
    expect(await claim(store, 'landing', holder('second'))).toBeUndefined();
    await store.write('durable', (tx) => releaseLease(tx, lease as Lease));
    expect(await claim(store, 'landing', holder('second'))).toMatchObject({ number: 2 });
  });

  test('whoever holds a lease cannot claim it again', async () => {
    await using place = createPlace();
    const store = await place.open();
    const me = holder('me');
    await claim(store, 'landing', me);
    expect(await claim(store, 'landing', me)).toBeUndefined();
  });

  test('leases of different names have nothing to do with each other', async () => {
    await using place = createPlace();
    const store = await place.open();
    expect(await claim(store, 'a', holder('first'))).toMatchObject({ number: 1 });
    expect(await claim(store, 'b', holder('second'))).toMatchObject({ number: 1 });
  });

  test(`${cites('T18')} of many who claim at once through several openings one wins`, async () => {
    await using place = createPlace();
    const stores = [await place.open(), await place.open(), await place.open()];
    const claims = await times(30, (index) =>
      claim(stores[index % 3] as Store, 'landing', holder(`claimant ${index}`)),
    );
    const [winner, ...others] = claims.filter((lease) => lease !== undefined);
    expect(others).toEqual([]);
    const [held] = await leasesOf(stores[0] as Store);
    expect(held).toMatchObject({ owner: winner?.owner, number: 1 });
  });

  test('the number grows with each claim', async () => {
    await using place = createPlace();
    const store = await place.open();
    const numbers: (number | undefined)[] = [];
    for (const label of ['first', 'second', 'third']) {
      const lease = await claim(store, 'landing', holder(label));
      numbers.push(lease?.number);
      await store.write('durable', (tx) => releaseLease(tx, lease as Lease));
    }
    expect(numbers).toEqual([1, 2, 3]);
  });

  test('a claim that is rolled back was none', async () => {
    await using place = createPlace();
    const store = await place.open();
    const failing = store.write('durable', async (tx) => {
      await claimLease(tx, 'landing', holder('unlucky'));
      throw new RangeError('in the middle');
    });
    await expect(failing).rejects.toThrow(RangeError);
    expect(await claim(store, 'landing', holder('next'))).toMatchObject({ number: 1 });
  });

  test(`${cites('T17')} a former holder is refused, told who has it now, and changes nothing`, async () => {
    await using place = createPlace();
    const store = await place.open();
    const former = await claimed(store, 'landing', holder('former'));
    await store.write('durable', (tx) => releaseLease(tx, former));
    const present = await claimed(store, 'landing', holder('worker 2 on ada'));
    for (const late of [guardLease, releaseLease]) {
      const writing = store.write('durable', async (tx) => {
        tx.emit('ws', 'late');
        await late(tx, former);
      });
      await expect(writing).rejects.toMatchObject({
        code: 'lease_lost',
        message: expect.stringContaining('worker 2 on ada has it now'),
      });
    }
    const [held] = await leasesOf(store);
    expect(held).toMatchObject({ owner: present.owner, number: 2, beats: 0 });
    expect(await store.read(({ db }) => db.selectFrom('events').selectAll().execute())).toEqual([]);
  });

  test(`${cites('T17')} the same owner is refused with the number of an earlier claim`, async () => {
    await using place = createPlace();
    const store = await place.open();
    const me = holder('me');
    const former = await claimed(store, 'landing', me);
    await store.write('durable', (tx) => releaseLease(tx, former));
    const present = await claimed(store, 'landing', me);
    await expect(store.write('durable', (tx) => guardLease(tx, former))).rejects.toMatchObject({
      code: 'lease_lost',
    });
    await store.write('durable', (tx) => guardLease(tx, present));
  });

  test('a lease that nobody holds any more is lost without naming anybody', async () => {
    await using place = createPlace();
    const store = await place.open();
    const lease = await claimed(store, 'landing', holder('me'));
    await store.write('durable', (tx) => releaseLease(tx, lease));
    const again = store.write('durable', (tx) => releaseLease(tx, lease));
    await expect(again).rejects.toMatchObject({
      code: 'lease_lost',
      message: 'The claim on landing is over. Nothing was changed.',
    });
  });

  test('a beat is counted for everything that an owner holds, and for nothing else', async () => {
    await using place = createPlace();
    const store = await place.open();
    const me = holder('me');
    await claim(store, 'a', me);
    await claim(store, 'b', me);
    await claim(store, 'c', holder('other'));
    const beaten = await store.write('relaxed', (tx) => beatLeases(tx, me.owner));
    expect(beaten.map(({ name }) => name).sort()).toEqual(['a', 'b']);
    await store.write('relaxed', (tx) => beatLeases(tx, me.owner));
    expect(await beatsOf(store)).toEqual({ a: 2, b: 2, c: 0 });
  });

  test('a guarded write counts as a beat, and a new claim begins to count anew', async () => {
    await using place = createPlace();
    const store = await place.open();
    const lease = await claimed(store, 'landing', holder('me'));
    await store.write('durable', (tx) => guardLease(tx, lease));
    expect(await beatsOf(store)).toEqual({ landing: 1 });
    await store.write('durable', (tx) => releaseLease(tx, lease));
    await claim(store, 'landing', holder('next'));
    expect(await beatsOf(store)).toEqual({ landing: 0 });
  });

  test('a holding beats for what it keeps, all by itself', async () => {
    await using place = createPlace();
    const store = await place.open();
    const holding = store.createHolding({ label: 'worker', silenceMs: 40 });
    const lease = await claimed(store, 'landing', holding.holder);
    const lost = holding.keep(lease);
    await eventually(async () => expect((await beatsOf(store))['landing']).toBeGreaterThan(2));
    expect(lost.aborted).toBe(false);
    holding.end();
  });

  test('a holding tells at its next beat what was lost, and that alone', async () => {
    await using place = createPlace();
    const [store, other] = [await place.open(), await place.open()];
    const holding = store.createHolding({ label: 'worker' });
    const kept = await claimed(store, 'kept', holding.holder);
    const taken = await claimed(store, 'taken', holding.holder);
    const signals = { kept: holding.keep(kept), taken: holding.keep(taken) };
    await other.write('durable', (tx) => releaseLease(tx, taken));
    await claim(other, 'taken', holder('other'));
    await holding.beat();
    expect(signals.taken.aborted).toBe(true);
    expect(signals.kept.aborted).toBe(false);
    holding.end();
  });

  test('a lease that the same holding has claimed anew does not hide the loss', async () => {
    await using place = createPlace();
    const store = await place.open();
    const holding = store.createHolding({ label: 'worker' });
    const former = await claimed(store, 'landing', holding.holder);
    const lost = holding.keep(former);
    await store.write('durable', (tx) => releaseLease(tx, former));
    await claim(store, 'landing', holding.holder);
    await holding.beat();
    expect(lost.aborted).toBe(true);
    holding.end();
  });

  test('what was dropped is not reported as lost', async () => {
    await using place = createPlace();
    const store = await place.open();
    const holding = store.createHolding({ label: 'worker' });
    const lease = await claimed(store, 'landing', holding.holder);
    const lost = holding.keep(lease);
    await store.write('durable', (tx) => releaseLease(tx, lease));
    holding.drop(lease);
    await holding.beat();
    expect(lost.aborted).toBe(false);
  });

  test('a holder is known by its label, process and versions', async () => {
    await using place = createPlace();
    const store = await place.open({
      schemas: [{ feature: 'notes', migrations: [{ number: 1, up: async () => {} }] }],
    });
    const holding = store.createHolding({ label: 'worker 1' });
    await claim(store, 'landing', holding.holder);
    const [held] = await leasesOf(store);
    expect(held).toMatchObject({
      label: 'worker 1',
      process: store.processes.self,
      schemas: 'notes:1 store:2',
      silence_ms: 30_000,
      since: store.clock.now(),
    });
    expect((await store.health()).leases).toEqual([
      { name: 'landing', label: 'worker 1', isDead: false },
    ]);
  });
}

function claim(store: Store, name: string, by: Holder): Promise<Lease | undefined> {
  return store.write('durable', (tx) => claimLease(tx, name, by));
}

async function claimed(store: Store, name: string, by: Holder): Promise<Lease> {
  const lease = await claim(store, name, by);
  if (!lease) throw new Error(`${name} is taken`);
  return lease;
}

function leasesOf(store: Store) {
  return store.read((tx) => heldLeases(tx));
}

async function beatsOf(store: Store): Promise<Record<string, number>> {
  return Object.fromEntries((await leasesOf(store)).map(({ name, beats }) => [name, beats]));
}
