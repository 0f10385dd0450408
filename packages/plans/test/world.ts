import type { Asking, Trust } from '@baton/core';
import { plansSchema } from '@baton/plans';
import {
  type Claimed,
  claimJobs,
  loseJob,
  markReaped,
  type Result,
  recordStart,
  settleJob,
  Turns,
  unreapedAttempts,
} from '@baton/plans/jobs';
import { cancelWork, LogFiles, openStore, retryWork, type Store } from '@baton/store';
import { createFakeClock, createMemoryLog, type FakeClock, temporaryFolder } from '@baton/testkit';
import type { PlanPorts } from '../src/ports.ts';
import { PlanService, type PlanToCreate } from '../src/service.ts';
import { createFakeTickets, fakeTickets } from './fake-tickets.ts';
import { noRepositories } from './no-repositories.ts';

export const asking: Asking = {
  can: { ask: false, sample: false, roots: false },
  ask: () => undefined,
  askAll: () => {
    throw new Error('nobody is asked here');
  },
};

/** Plans on a real store, with a worker that does what the test says. */
export interface World extends AsyncDisposable {
  readonly store: Store;
  readonly clock: FakeClock;
  readonly service: PlanService;
  readonly files: Map<string, string>;
  /** How often somebody has made sure that a worker lives. */
  ensured: number;
  create(plan: PlanToCreate): Promise<string>;
  /** Takes the next job and begins it. */
  begin(): Promise<Claimed>;
  tryBegin(): Promise<Claimed | undefined>;
  end(claimed: Claimed, result?: Result): Promise<void>;
  /** Works until nothing can be claimed; returns the ids in order. */
  drain(): Promise<string[]>;
  /** `lint:ready build:pending`, in the order of writing. */
  states(plan: string): Promise<string>;
  stateOf(plan: string): Promise<string>;
}

export const succeeded: Result = { kind: 'succeeded', outputs: {} };
export const failed: Result = { kind: 'failed', reason: 'exit_code', message: 'It exited with 1.' };

export async function createWorld(overrides: Partial<PlanPorts> = {}): Promise<World> {
  const folder = temporaryFolder();
  const clock = createFakeClock();
  const ids = { next: () => crypto.randomUUID() };
  const store =
    overrides.store ??
    (await openStore({
      file: ':memory:',
      log: createMemoryLog(),
      clock,
      ids,
      schemas: [plansSchema],
    }));
  await createFakeTickets(store);
  const files = new Map<string, string>();
  const trust: Trust = { require: async () => {}, isTrusted: async () => true };
  const { holder } = store.createHolding({ label: 'test worker' });
  const service = new PlanService({
    store,
    clock,
    ids,
    trust,
    workspace: '/ws',
    environment: { PATH: '/bin' },
    logs: new LogFiles(store, { folder: folder.path }),
    sealer: { seal: (values) => JSON.stringify(values), open: (sealed) => JSON.parse(sealed) },
    files: { read: async (file) => ({ source: file, text: files.get(file) ?? '' }) },
    workers: {
      ensure: async () => {
        world.ensured += 1;
      },
      problem: async () => undefined,
    },
    tickets: fakeTickets,
    repositories: noRepositories,
    ...overrides,
  });
  const look = (plan: string) => service.look({ plan, view: 'graph' }, { ...NEVER });
  const tryBegin = async () => {
    const claimer = { holder, ids, turns: new Turns() };
    const [claimed] = await store.write('durable', (tx) => claimJobs(tx, claimer, 1));
    const hasProcess = claimed && claimed.job.definition.work.type !== 'ticket';
    if (hasProcess) await store.write('relaxed', (tx) => recordStart(tx, claimed, 1));
    return claimed;
  };
  const world: World = {
    store,
    clock,
    service,
    files,
    ensured: 0,
    create: async (plan) => (await service.create(plan, asking)).id,
    tryBegin,
    async begin() {
      const claimed = await tryBegin();
      if (!claimed) throw new Error('there is nothing to claim');
      return claimed;
    },
    async end(claimed, result = succeeded) {
      await store.write('durable', (tx) => settleJob(tx, claimed, result));
    },
    async drain() {
      const done: string[] = [];
      for (;;) {
        const claimed = await tryBegin();
        if (!claimed) return done;
        done.push(claimed.job.id);
        await world.end(claimed);
      }
    },
    async states(plan) {
      const { graph } = await look(plan);
      return Object.entries(graph?.states ?? {})
        .map(([id, state]) => `${id}:${state}`)
        .join(' ');
    },
    stateOf: async (plan) => (await look(plan)).state,
    async [Symbol.asyncDispose]() {
      await store.close();
      folder[Symbol.dispose]();
    },
  };
  return world;
}

export const NEVER = {
  signal: new AbortController().signal,
  draining: new AbortController().signal,
  progress: () => {},
};

/** `job('build', 'lint', 'test')`: a job and what it needs. */
export function job(id: string, ...needs: string[]) {
  return { id, work: 'true', needs };
}

/** Its worker is gone; the queue has given it up, or back. */
export function lose(
  { store }: World,
  workId: string,
  into: 'failed' | 'ready' = 'failed',
): Promise<void> {
  return store.write('durable', async (tx) => {
    await cancelWork(tx, workId, 'failed');
    if (into === 'ready') await retryWork(tx, workId, { keepsCount: true });
    await loseJob(tx, workId);
  });
}

/** What that has left running is gone, too. */
export function reap({ store }: World): Promise<void> {
  return store.write('relaxed', async (tx) => markReaped(tx, await unreapedAttempts(tx)));
}
