import path from 'node:path';
import type { Asking, Trust } from '@baton/core';
import { type JobTicket, type JobTickets, plansSchema } from '@baton/plans';
import { PlanService } from '@baton/plans/jobs';
import { Worker, type WorkerOptions } from '@baton/runner';
import { LogFiles, openStore, type Store } from '@baton/store';
import { createMemoryLog, temporaryFolder } from '@baton/testkit';

const ids = { next: () => crypto.randomUUID() };
export const realClock = { now: () => Date.now(), monotonic: () => performance.now() };
type PlanToCreate = Parameters<PlanService['create']>[0];

const asking = { can: { ask: false, sample: false, roots: false } } as Asking;
const trust: Trust = { require: async () => {}, isTrusted: async () => true };
const refuse = () => Promise.reject(new Error('no git here'));
const sealer = {
  seal: (values: object) => JSON.stringify(values),
  open: (sealed: string) => JSON.parse(sealed),
};

/** Plans on a real store, for real workers. */
export async function createPlace(clock = realClock) {
  const folder = temporaryFolder();
  const log = createMemoryLog();
  const open = () =>
    openStore({
      file: path.join(folder.path, 'baton.db'),
      log,
      clock,
      ids,
      schemas: [plansSchema],
    });
  const store = await open();
  const opened: JobTicket[] = [];
  const tickets: JobTickets = {
    async open(_, ticket) {
      opened.push(ticket);
      return { id: `ticket-${opened.length}`, ref: `T-${opened.length}` };
    },
    cancel: async () => {},
  };
  const logs = new LogFiles(store, { folder: path.join(folder.path, 'logs') });
  const service = new PlanService({
    store,
    ids,
    clock,
    trust,
    logs,
    sealer,
    workspace: folder.path,
    environment: { PATH: process.env.PATH ?? '' },
    files: { read: () => Promise.reject(new Error('no files')) },
    workers: { ensure: async () => {}, problem: async () => undefined },
    tickets,
    repositories: {
      examine: async () => [],
      stat: refuse,
      patch: refuse,
      saveWork: refuse,
      requireTarget: refuse,
    },
  });
  const worker = (options: Partial<WorkerOptions> = {}) =>
    new Worker({
      store,
      logs,
      ids,
      log,
      sealer,
      label: 'worker of the test',
      folder: path.join(folder.path, 'jobs'),
      worktrees: path.join(folder.path, 'worktrees'),
      trust,
      environment: { PATH: process.env.PATH ?? '' },
      userLimit: 0,
      idleMs: 0,
      graceMs: 500,
      tickets,
      ...options,
    });
  return {
    store,
    service,
    worker,
    opened,
    folder: folder.path,
    create: (jobs: PlanToCreate['jobs']) => service.create({ name: 'p', jobs }, asking),
    async [Symbol.asyncDispose]() {
      await store.close();
      folder[Symbol.dispose]();
    },
  };
}

export async function statesOf(store: Store): Promise<string[]> {
  const rows = await store.read(({ db }) =>
    db.selectFrom('work').select('state').orderBy('seq').execute(),
  );
  return rows.map(({ state }) => state);
}
