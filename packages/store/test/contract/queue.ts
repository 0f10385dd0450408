import { cites } from '@baton/e2e/requirements';
import {
  attemptsOf,
  type Claim,
  cancelWork,
  claimWork,
  findWork,
  giveBackWork,
  guardWork,
  type Store,
  type Transaction,
} from '@baton/store';
import { expect, test } from 'vitest';
import { holder } from './holders.ts';
import { type CreatePlace, createTestClock, times } from './place.ts';
import { add, complete, drain, fail, statesOf, tryWork, work } from './working.ts';

export function testQueue(createPlace: CreatePlace): void {
  test('an empty queue gives nothing', async () => {
    await using place = createPlace();
    expect(await tryWork(await place.open())).toBeUndefined();
  });

  test('what came first is claimed first, and what is more urgent before it', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(store, { id: 'm' }, { id: 'b' }, { id: 'z', priority: 5 });
    await add(store, { id: 'a' }, { id: 'y', priority: 5 }, { id: 'low', priority: -1 });
    expect(await drain(store)).toEqual(['z', 'y', 'm', 'b', 'a', 'low']);
  });

  test('a claim carries what was added', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(store, { id: 'a', group: 'plan-1', priority: 3, maxAttempts: 7 });
    const { work: claimed, lease } = await work(store);
    expect(claimed).toMatchObject({
      id: 'a',
      workspace: 'ws',
      queue: 'jobs',
      grp: 'plan-1',
      priority: 3,
      max_attempts: 7,
      attempts: 1,
      state: 'running',
    });
    expect(lease).toMatchObject({ name: 'work/a', number: 1 });
    expect(await store.read((tx) => findWork(tx, 'a'))).toEqual(claimed);
  });

  test(`${cites('T18')} what many claim at once through several openings, each of them gets once`, async () => {
    await using place = createPlace();
    const stores = [await place.open(), await place.open(), await place.open()] as const;
    const ids = Array.from({ length: 40 }, (_, index) => `job-${index}`);
    await add(stores[0], ...ids.map((id) => ({ id })));
    const drained = await times(6, (index) => drain(stores[index % 3] as Store));
    expect(drained.flat().sort()).toEqual([...ids].sort());
  });

  test('what runs is not claimed again', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(store, { id: 'a' });
    await work(store);
    expect(await tryWork(store)).toBeUndefined();
  });

  test('a filter by queue, workspace, group, ids and labels', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(
      store,
      { id: 'queue', queue: 'tickets' },
      { id: 'workspace', workspace: 'other' },
      { id: 'group', group: 'plan-1' },
      { id: 'labels', labels: ['linux', 'gpu', 'gpu'] },
      { id: 'label', labels: ['linux'] },
      { id: 'plain' },
    );
    expect(await drain(store, { queue: 'tickets' })).toEqual(['queue']);
    expect(await drain(store, { workspace: 'other' })).toEqual(['workspace']);
    expect(await drain(store, { group: 'plan-1' })).toEqual(['group']);
    expect(await drain(store, { labels: ['gpu', 'linux'] })).toEqual(['labels']);
    expect(await drain(store, { labels: ['gpu', 'mac'] })).toEqual([]);
    expect(await drain(store, { ids: ['unknown', 'plain'] })).toEqual(['plain']);
    expect(await drain(store, { ids: ['plain'] })).toEqual([]);
    expect(await drain(store)).toEqual(['label']);
  });

  test('a large batch is added at once', async () => {
    await using place = createPlace();
    const store = await place.open();
    const chain = Array.from({ length: 1_200 }, (_, index) => ({
      id: `job-${index}`,
      needs: index === 0 ? [] : [`job-${index - 1}`],
      labels: ['linux'],
    }));
    await add(store, ...chain.reverse());
    expect((await work(store)).work.id).toBe('job-0');
    expect(await tryWork(store)).toBeUndefined();
  });

  test('an id is used once: nothing of a batch that repeats it is added', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(store, { id: 'a' });
    await expect(add(store, { id: 'b' }, { id: 'a' })).rejects.toThrow();
    expect(await statesOf(store)).toBe('a:ready');
  });

  test('what is given back counts as never tried, and the holder is refused from then on', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(store, { id: 'a', maxAttempts: 1 });
    for (let round = 0; round < 3; round += 1) {
      const claim = await work(store);
      expect(claim.work.attempts).toBe(1);
      await store.write('durable', (tx) => giveBackWork(tx, claim));
      await expect(complete(store, claim)).rejects.toMatchObject({ code: 'lease_lost' });
    }
    await complete(store, await work(store));
    expect(await statesOf(store)).toBe('a:succeeded');
  });

  test(`${cites('T17')} every write of a late holder is refused and changes nothing`, async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(store, { id: 'a' });
    const late = await work(store, holder('late'));
    await store.write('durable', (tx) => giveBackWork(tx, late));
    const present = await work(store, holder('present'));
    const writes = [
      () => complete(store, late),
      () => fail(store, late),
      () => fail(store, late, { detail: 'red', retryInMs: 0 }),
      () => store.write('durable', (tx) => giveBackWork(tx, late)),
      () => store.write('durable', (tx) => guardWork(tx, late)),
    ];
    for (const write of writes) {
      await expect(write()).rejects.toMatchObject({
        code: 'lease_lost',
        message: expect.stringContaining('present has it now'),
      });
    }
    expect(await historyOf(store, 'a')).toEqual([
      '1 started late',
      '1 released',
      '1 started present',
    ]);
    await complete(store, present);
  });

  test(`${cites('T32')} what runs and is cancelled refuses its holder`, async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(store, { id: 'a' });
    const claim = await work(store);
    await store.write('durable', (tx) => cancelWork(tx, 'a'));
    for (const late of [guardWork, giveBackWork]) {
      await expect(store.write('durable', (tx) => late(tx, claim))).rejects.toMatchObject({
        code: 'lease_lost',
      });
    }
    await expect(complete(store, claim)).rejects.toMatchObject({ code: 'lease_lost' });
    expect(await statesOf(store)).toBe('a:cancelled');
    expect(await tryWork(store)).toBeUndefined();
  });

  test('what fails with a delay is tried again after it', async () => {
    await using place = createPlace();
    const clock = createTestClock();
    const store = await place.open({ clock });
    await add(store, { id: 'a' });
    await fail(store, await work(store), { detail: 'red', retryInMs: 60_000 });
    expect(await statesOf(store)).toBe('a:ready');
    expect(await tryWork(store)).toBeUndefined();
    clock.advance(59_999);
    expect(await tryWork(store)).toBeUndefined();
    clock.advance(1);
    expect((await work(store)).work.attempts).toBe(2);
  });

  test(`${cites('T37')} a delay is over when the clock was set back: nothing waits for years`, async () => {
    await using place = createPlace();
    const clock = createTestClock();
    const store = await place.open({ clock });
    await add(store, { id: 'a' });
    await fail(store, await work(store), { detail: 'red', retryInMs: 60_000 });
    clock.jump(-1);
    expect((await work(store)).work.attempts).toBe(2);
  });

  test('what has no attempts left has failed, also if it was to be tried again', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(store, { id: 'once', maxAttempts: 1 }, { id: 'twice', maxAttempts: 2 });
    await fail(store, await work(store), { detail: 'red', retryInMs: 0 });
    expect(await statesOf(store)).toBe('once:failed twice:ready');
    await fail(store, await work(store), { detail: 'red', retryInMs: 0 });
    expect(await statesOf(store)).toBe('once:failed twice:ready');
    await fail(store, await work(store), { detail: 'red', retryInMs: 0 });
    expect(await statesOf(store)).toBe('once:failed twice:failed');
  });

  test('what fails for good is not tried again, however many attempts are left', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(store, { id: 'a', maxAttempts: 9 });
    await fail(store, await work(store));
    expect(await statesOf(store)).toBe('a:failed');
    expect(await tryWork(store)).toBeUndefined();
  });

  test('three attempts are the default', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(store, { id: 'a' });
    const numbers: number[] = [];
    for (let claim = await tryWork(store); claim; claim = await tryWork(store)) {
      numbers.push(claim.work.attempts);
      await fail(store, claim, { detail: 'red', retryInMs: 0 });
    }
    expect(numbers).toEqual([1, 2, 3]);
  });

  test('the history of attempts is only ever added to', async () => {
    await using place = createPlace();
    const clock = createTestClock();
    const store = await place.open({ clock });
    await add(store, { id: 'a' }, { id: 'other' });
    const steps: string[][] = [];
    const note = async () => steps.push(await historyOf(store, 'a'));
    const only = { ids: ['a'] };
    const first = await work(store, holder('ada'), only);
    await note();
    clock.advance(1_000);
    await fail(store, first, { detail: 'exit code 1', retryInMs: 0 });
    await note();
    await store.write('durable', async (tx) => giveBackWork(tx, await claimIn(tx)));
    await note();
    await complete(store, await work(store, holder('bob'), only));
    await note();
    const whole = steps.at(-1) ?? [];
    expect(whole).toEqual([
      '1 started ada',
      '1 failed exit code 1',
      '2 started worker',
      '2 released',
      '2 started bob',
      '2 succeeded',
    ]);
    for (const step of steps) expect(step).toEqual(whole.slice(0, step.length));
    const times = await store.read((tx) => attemptsOf(tx, 'a'));
    expect(times.map(({ at }) => at - (times[0]?.at ?? 0))).toEqual([
      0, 1_000, 1_000, 1_000, 1_000, 1_000,
    ]);
  });

  test('what is rolled back leaves no trace: no claim, no attempt, no event', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(store, { id: 'a' });
    const events = () => store.read(({ db }) => db.selectFrom('events').selectAll().execute());
    const before = await events();
    const failing = store.write('durable', async (tx) => {
      await claimIn(tx);
      throw new RangeError('in the middle');
    });
    await expect(failing).rejects.toThrow(RangeError);
    expect(await statesOf(store)).toBe('a:ready');
    expect(await historyOf(store, 'a')).toEqual([]);
    expect(await events()).toEqual(before);
    expect((await work(store)).lease.number).toBe(1);
  });
}

async function claimIn(tx: Transaction): Promise<Claim> {
  const claim = await claimWork(tx, holder('worker'), { queue: 'jobs' });
  if (!claim) throw new Error('there is nothing to claim');
  return claim;
}

/** `1 started ada`, `1 failed exit code 1` … */
async function historyOf(store: Store, id: string): Promise<string[]> {
  const attempts = await store.read((tx) => attemptsOf(tx, id));
  return attempts.map(({ number, what, label, detail }) =>
    `${number} ${what} ${label}${detail}`.trimEnd(),
  );
}
