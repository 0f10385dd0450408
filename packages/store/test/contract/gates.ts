import { cites } from '@baton/e2e/requirements';
import {
  type Claim,
  type Gate,
  giveBackWork,
  queueTopic,
  type Scope,
  type Store,
  setGate,
} from '@baton/store';
import { expect, test, vi } from 'vitest';
import { holder } from './holders.ts';
import { type CreatePlace, times } from './place.ts';
import { add, complete, drain, fail, tryWork, work } from './working.ts';

const scopes: readonly {
  readonly of: string;
  readonly scope: Scope;
  readonly free: readonly string[];
}[] = [
  { of: 'everything', scope: {}, free: [] },
  { of: 'a workspace', scope: { workspace: 'ws' }, free: ['other'] },
  { of: 'a queue', scope: { queue: 'jobs' }, free: [] },
  { of: 'another queue', scope: { queue: 'tickets' }, free: ['plan', 'plain', 'other'] },
  { of: 'a group', scope: { group: 'plan-1' }, free: ['plain'] },
  {
    of: 'a group of a workspace',
    scope: { workspace: 'ws', group: 'plan-1' },
    free: ['plain', 'other'],
  },
  {
    of: 'a group of a queue of a workspace',
    scope: { workspace: 'other', queue: 'jobs', group: 'plan-1' },
    free: ['plan', 'plain'],
  },
  {
    of: 'a queue without work',
    scope: { workspace: 'other', queue: 'tickets' },
    free: ['plan', 'plain', 'other'],
  },
];

export function testGates(createPlace: CreatePlace): void {
  test('whoever waits for work hears of a gate that is opened, and nobody else', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(store, { id: 'plan', group: 'plan-1' });
    await set(store, { group: 'plan-1' }, { isPaused: true });
    const heard = { jobs: vi.fn(), tickets: vi.fn() };
    const ends = [
      await store.changes.subscribe({ topic: queueTopic('jobs') }, heard.jobs),
      await store.changes.subscribe({ topic: queueTopic('tickets') }, heard.tickets),
    ];
    await set(store, { group: 'plan-1' }, {});
    await vi.waitFor(() => expect(heard.jobs).toHaveBeenCalledOnce(), { timeout: 30_000 });
    expect(heard.tickets).not.toHaveBeenCalled();
    for (const end of ends) end();
  });

  const closed = [
    { by: 'a pause', gate: { isPaused: true } },
    { by: 'a limit of 0', gate: { maxRunning: 0 } },
  ].flatMap((gate) => scopes.map((scope) => ({ ...gate, ...scope })));
  test.for(closed)('$by for $of holds back exactly that', async ({ gate, scope, free }) => {
    await using place = createPlace();
    const store = await place.open();
    await add(
      store,
      { id: 'plan', group: 'plan-1' },
      { id: 'plain' },
      { id: 'other', workspace: 'other', group: 'plan-1' },
    );
    await set(store, scope, gate);
    expect(await drain(store)).toEqual(free);
    await set(store, scope, {});
    const held = ['plan', 'plain', 'other'].filter((id) => !free.includes(id));
    expect(await drain(store)).toEqual(held);
  });

  test('what runs already goes on during a pause, and can end', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(store, { id: 'a' }, { id: 'b', needs: ['a'] });
    const claim = await work(store);
    await set(store, {}, { isPaused: true });
    await complete(store, claim);
    expect(await tryWork(store)).toBeUndefined();
    await set(store, {}, { isPaused: false });
    expect(await drain(store)).toEqual(['b']);
  });

  test('a pause of one plan does not hold back what comes after it in the queue', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(store, { id: 'held', group: 'plan-1', priority: 9 }, { id: 'free' });
    await set(store, { group: 'plan-1' }, { isPaused: true });
    expect(await drain(store)).toEqual(['free']);
  });

  test('every gate over a piece of work must let it through', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(store, { id: 'a', group: 'plan-1' });
    await set(store, { group: 'plan-1' }, { isPaused: true });
    await set(store, { queue: 'jobs' }, { isPaused: true });
    await set(store, { group: 'plan-1' }, {});
    expect(await tryWork(store)).toBeUndefined();
    await set(store, { queue: 'jobs' }, {});
    expect(await drain(store)).toEqual(['a']);
  });

  test(`${cites('T18')} a limit is never exceeded by those who claim at once through several openings`, async () => {
    await using place = createPlace();
    const stores = [await place.open(), await place.open(), await place.open()];
    const store = stores[0] as Store;
    await add(store, ...Array.from({ length: 30 }, (_, index) => ({ id: `job-${index}` })));
    await set(store, { workspace: 'ws' }, { maxRunning: 4 });
    const claims = await times(24, (index) => tryWork(stores[index % 3] as Store));
    const running = claims.filter((claim): claim is Claim => claim !== undefined);
    expect(running).toHaveLength(4);
    await complete(store, running[0] as Claim);
    const next = await times(6, (index) => tryWork(stores[index % 3] as Store));
    expect(next.filter((claim) => claim !== undefined)).toHaveLength(1);
  });

  test('a place is free again however the work has ended', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(store, { id: 'a' }, { id: 'b' }, { id: 'c' });
    await set(store, { queue: 'jobs' }, { maxRunning: 1 });
    const first = await work(store);
    expect(await tryWork(store)).toBeUndefined();
    await fail(store, first);
    const second = await work(store);
    expect(await tryWork(store)).toBeUndefined();
    await store.write('durable', (tx) => giveBackWork(tx, second));
    await complete(store, await work(store));
    expect((await work(store)).work.id).toBe('c');
  });

  test('a limit over one workspace counts all of its queues, and no other workspace', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(
      store,
      { id: 'ticket', queue: 'tickets' },
      { id: 'job' },
      { id: 'other', workspace: 'other' },
    );
    await set(store, { workspace: 'ws' }, { maxRunning: 1 });
    await work(store, holder('worker'), { queue: 'tickets' });
    expect((await work(store)).work.id).toBe('other');
    expect(await tryWork(store)).toBeUndefined();
  });

  test('a limit can be raised, lowered below what runs, and lifted', async () => {
    await using place = createPlace();
    const store = await place.open();
    await add(store, ...['a', 'b', 'c', 'd'].map((id) => ({ id })));
    await set(store, {}, { maxRunning: 1 });
    const first = await work(store);
    await set(store, {}, { maxRunning: 2 });
    await work(store);
    await set(store, {}, { maxRunning: 1 });
    await complete(store, first);
    expect(await tryWork(store)).toBeUndefined();
    await set(store, {}, {});
    expect(await drain(store)).toEqual(['c', 'd']);
  });
}

function set(store: Store, scope: Scope, gate: Gate): Promise<void> {
  return store.write('durable', (tx) => setGate(tx, scope, gate));
}
