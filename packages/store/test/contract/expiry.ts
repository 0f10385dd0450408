import { cites } from '@baton/e2e/requirements';
import {
  claimLease,
  claimWork,
  completeWork,
  eventsAfter,
  expireLease,
  expireLeases,
  findWork,
  guardLease,
  type Holder,
  heldLeases,
  type Lease,
  LeaseWatch,
  type Store,
} from '@baton/store';
import { describe, expect, test } from 'vitest';
import { holder } from './holders.ts';
import { type CreatePlace, createTestClock, eventually } from './place.ts';
import { identityOf, startProcess, startZombie, stateOf } from './real-processes.ts';
import { add, work } from './working.ts';

const TEN_YEARS = 10 * 365 * 24 * 60 * 60 * 1000;
const SILENCE = 30_000;

export function testExpiry(createPlace: CreatePlace): void {
  test(`${cites('T17')} a lease without a beat for long enough is over, and others can claim it`, async () => {
    await using place = createPlace();
    const { store, look, clock } = await watched(place.open);
    const former = await claim(store, holder('silent'));
    expect(await look()).toEqual([]);
    for (let passed = 0; passed < SILENCE - 1_000; passed += 1_000) {
      clock.advance(1_000);
      expect(await look()).toEqual([]);
    }
    clock.advance(1_000);
    expect(await look()).toEqual(['landing']);
    expect(await claim(store, holder('next'))).toMatchObject({ number: former.number + 1 });
    await expect(store.write('durable', (tx) => guardLease(tx, former))).rejects.toMatchObject({
      code: 'lease_lost',
    });
  });

  test('whoever takes work from a holder that is gone can add to the same transaction', async () => {
    await using place = createPlace();
    const { store, clock } = await watched(place.open);
    await add(store, { id: 'a' });
    await work(store, holder('silent', { silenceMs: 1000 }));
    const watch = new LeaseWatch(clock, store.processes);
    const lost: string[] = [];
    for (let looks = 0; looks < 5; looks += 1) {
      await expireLeases(store, watch, async (tx, workId) => {
        const found = await findWork(tx, workId);
        lost.push(`${workId} ${found?.state}`);
        tx.emit('ws', 'lost');
      });
      clock.advance(400);
    }
    expect(lost).toEqual(['a ready']);
    const events = await store.read((tx) => eventsAfter(tx, 0));
    expect(events.events.map(({ topic }) => topic)).toContain('lost');
  });

  test('each lease has its own time of silence', async () => {
    await using place = createPlace();
    const { look, store, clock } = await watched(place.open);
    await claim(store, holder('patient', { silenceMs: 60_000 }), 'patient');
    await claim(store, holder('hasty', { silenceMs: 3_000 }), 'hasty');
    await look();
    clock.advance(1_000);
    await look();
    clock.advance(1_000);
    await look();
    clock.advance(1_000);
    expect(await look()).toEqual(['hasty']);
  });

  test('a beat begins the silence anew', async () => {
    await using place = createPlace();
    const { store, look, clock } = await watched(place.open);
    const lease = await claim(store, holder('slow'));
    for (let beat = 0; beat < 10; beat += 1) {
      for (let second = 0; second < 20; second += 1) {
        clock.advance(1_000);
        expect(await look()).toEqual([]);
      }
      await store.write('relaxed', (tx) => guardLease(tx, lease));
    }
  });

  test(`${cites('T37')} wall time may jump by years, forth and back`, async () => {
    await using place = createPlace();
    const { store, look, clock } = await watched(place.open);
    await claim(store, holder('alive'));
    await look();
    for (const years of [TEN_YEARS, -2 * TEN_YEARS, TEN_YEARS]) {
      clock.jump(years);
      expect(await look()).toEqual([]);
    }
    clock.jump(-TEN_YEARS);
    for (let second = 0; second < 29; second += 1) {
      clock.advance(1_000);
      expect(await look()).toEqual([]);
    }
    clock.advance(1_000);
    expect(await look()).toEqual(['landing']);
  });

  test(`${cites('T37')} a watcher that was stopped for hours gives the holder time to beat`, async () => {
    await using place = createPlace();
    const { store, look, clock } = await watched(place.open);
    const lease = await claim(store, holder('slept too'));
    await look();
    clock.advance(12 * 60 * 60 * 1000);
    expect(await look()).toEqual([]);
    clock.advance(1_000);
    expect(await look()).toEqual([]);
    await store.write('relaxed', (tx) => guardLease(tx, lease));
    clock.advance(SILENCE / 2);
    expect(await look()).toEqual([]);
  });

  test('a new watcher waits as long as any other: it trusts no stored time', async () => {
    await using place = createPlace();
    const { store, look, clock } = await watched(place.open);
    await claim(store, holder('alive'));
    await look();
    for (let second = 0; second < 29; second += 1) {
      clock.advance(1_000);
      await look();
    }
    const watch = new LeaseWatch(clock, store.processes);
    clock.advance(1_000);
    expect(await expireLeases(store, watch)).toEqual([]);
    expect(await look()).toEqual(['landing']);
  });

  test('a lease that was claimed anew between two looks has been silent for no time', async () => {
    await using place = createPlace();
    const { store, look, clock } = await watched(place.open);
    const first = await claim(store, holder('first'));
    await look();
    for (let second = 0; second < 29; second += 1) {
      clock.advance(1_000);
      await look();
    }
    await store.write('durable', (tx) => expireLease(tx, { ...leaseRow, ...first, beats: 0 }));
    await claim(store, holder('second'));
    clock.advance(1_000);
    expect(await look()).toEqual([]);
  });

  test(`${cites('T17')} a beat between the look and the expiry is respected`, async () => {
    await using place = createPlace();
    const store = await place.open();
    const lease = await claim(store, holder('just in time'));
    const [seen] = await store.read((tx) => heldLeases(tx));
    await store.write('relaxed', (tx) => guardLease(tx, lease));
    const isExpired = await store.write('durable', (tx) => expireLease(tx, seen as never));
    expect(isExpired).toBe(false);
    await store.write('durable', (tx) => guardLease(tx, lease));
  });

  test(`${cites('T17')} two watchers expire a lease once, and its work is tried again once`, async () => {
    await using place = createPlace();
    const { store, look, clock } = await watched(place.open);
    const other = await watched(place.open, clock);
    await add(store, { id: 'a' });
    const lost = await work(store, holder('gone'));
    await look();
    await other.look();
    for (let second = 0; second < 29; second += 1) {
      clock.advance(1_000);
      await look();
      await other.look();
    }
    clock.advance(1_000);
    const found = await Promise.all([look(), other.look()]);
    expect(found.flat()).toEqual(['work/a']);
    const next = await work(store, holder('next'));
    expect(next.work).toMatchObject({ id: 'a', attempts: 2 });
    await expect(store.write('durable', (tx) => completeWork(tx, lost))).rejects.toMatchObject({
      code: 'lease_lost',
      message: expect.stringContaining('next has it now'),
    });
    await store.write('durable', (tx) => completeWork(tx, next));
  });

  test('work that is lost at its last attempt has failed', async () => {
    await using place = createPlace();
    const { store, look, clock } = await watched(place.open);
    await add(store, { id: 'a', maxAttempts: 1 }, { id: 'b', needs: ['a'] });
    await work(store, holder('gone', { silenceMs: 0 }));
    await look();
    clock.advance(1);
    await look();
    const states = await store.read(({ db }) =>
      db.selectFrom('work').select(['id', 'state']).orderBy('id').execute(),
    );
    expect(states).toEqual([
      { id: 'a', state: 'failed' },
      { id: 'b', state: 'blocked' },
    ]);
    const claimAgain = store.write('durable', (tx) =>
      claimWork(tx, holder('next'), { queue: 'jobs' }),
    );
    expect(await claimAgain).toBeUndefined();
  });

  describe.runIf(process.platform === 'linux')('of a process of this machine', () => {
    test(`${cites('T36')} a dead one has lost its leases at once`, async () => {
      await using place = createPlace();
      const { store, look } = await watched(place.open);
      await using child = await startProcess();
      await claim(store, holder('child', { process: identityOf(store, child.pid) }));
      expect(await look()).toEqual([]);
      await child.end();
      expect(await look()).toEqual(['landing']);
    });

    test(`${cites('T36')} a zombie is dead, although it still answers signals`, async () => {
      await using place = createPlace();
      const { store, look } = await watched(place.open);
      await using zombie = await startZombie();
      await claim(store, holder('zombie', { process: identityOf(store, zombie.pid) }));
      await eventually(() => expect(stateOf(zombie.pid)).toBe('Z'));
      expect(process.kill(zombie.pid, 0)).toBe(true);
      expect(await look()).toEqual(['landing']);
    });

    test(`${cites('T36')} another process with the same number is not the holder`, async () => {
      await using place = createPlace();
      const { store, look } = await watched(place.open);
      const started = { started: '12345' };
      await claim(store, holder('before', { process: identityOf(store, process.pid, started) }));
      expect(await look()).toEqual(['landing']);
    });

    test(`${cites('T37')} what was claimed before the machine was restarted is over`, async () => {
      await using place = createPlace();
      const { store, look } = await watched(place.open);
      const boot = { boot: '11111111-2222-3333-4444-555555555555' };
      await claim(store, holder('before', { process: identityOf(store, process.pid, boot) }));
      expect(await look()).toEqual(['landing']);
    });
  });

  test('this process lives', async () => {
    await using place = createPlace();
    const { store, look } = await watched(place.open);
    await claim(store, holder('me', { process: store.processes.self }));
    expect(await look()).toEqual([]);
  });

  test(`${cites('T36')} of a holder that cannot be understood it is never known that it is dead`, async () => {
    await using place = createPlace();
    const { processes } = await place.open();
    for (const identity of ['', '{', '[]', '{"host":1}']) {
      expect(processes.isDead(identity)).toBe(false);
    }
  });

  test(`${cites('T36')} of another machine it is never known that a process is dead`, async () => {
    await using place = createPlace();
    const { store, look } = await watched(place.open);
    await using child = await startProcess();
    const elsewhere = { host: 'elsewhere', boot: 'another', started: '0' };
    await claim(store, holder('far', { process: identityOf(store, child.pid, elsewhere) }));
    await child.end();
    expect(await look()).toEqual([]);
  });
}

const leaseRow = { process: null, label: '', schemas: '', silence_ms: 0, since: 0 };

/** A store with somebody who looks for leases that are over. */
async function watched(
  open: (options: { clock: ReturnType<typeof createTestClock> }) => Promise<Store>,
  clock = createTestClock(),
) {
  const store = await open({ clock });
  const watch = new LeaseWatch(clock, store.processes);
  const look = async () => (await expireLeases(store, watch)).map(({ name }) => name);
  return { store, clock, look };
}

async function claim(store: Store, by: Holder, name = 'landing'): Promise<Lease> {
  const lease = await store.write('durable', (tx) => claimLease(tx, name, by));
  if (!lease) throw new Error(`${name} is taken`);
  return lease;
}
