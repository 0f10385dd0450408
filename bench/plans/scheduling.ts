import { join } from 'node:path';
import type { Asking, Trust } from '@baton/core';
import { type PlanPorts, plansSchema } from '@baton/plans';
import { type Claimed, claimJobs, PlanService, settleJob, Turns } from '@baton/plans/jobs';
import { LogFiles, openStore } from '@baton/store';

const asking = { can: { ask: false, sample: false, roots: false } } as Asking;
const trust: Trust = { require: async () => {}, isTrusted: async () => true };
const silent = { isEnabled: () => false, write: () => {}, child: () => silent };
const ids = { next: () => crypto.randomUUID() };
const clock = { now: () => Date.now(), monotonic: () => performance.now() };
const PARALLEL = 4;
const WIDTH = 10;

/** Layers of ten jobs, each after two of the layer before. */
function layered(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    id: `job-${index}`,
    work: 'true',
    needs:
      index < WIDTH
        ? []
        : [`job-${index - WIDTH}`, `job-${index - WIDTH - (index % WIDTH === 0 ? -1 : 1)}`],
  }));
}

/** Microseconds for a job, from claim to completion, if nothing is run for it. */
export async function schedulingCost(folder: string, count: number): Promise<number> {
  const store = await openStore({
    file: join(folder, `schedule-${ids.next()}.db`),
    log: silent,
    clock,
    ids,
    schemas: [plansSchema],
  });
  const ports: PlanPorts = {
    store,
    ids,
    clock,
    trust,
    workspace: folder,
    environment: {},
    logs: new LogFiles(store, { folder }),
    sealer: { seal: JSON.stringify, open: JSON.parse },
    files: { read: () => Promise.reject(new Error('no files')) },
    workers: { ensure: async () => {}, problem: async () => undefined },
    tickets: { open: () => Promise.reject(new Error('no tickets')), cancel: async () => {} },
    repositories: {
      examine: async () => [],
      stat: () => Promise.reject(new Error('no git')),
      patch: () => Promise.reject(new Error('no git')),
      saveWork: () => Promise.reject(new Error('no git')),
      requireTarget: () => Promise.reject(new Error('no git')),
    },
  };
  const jobs = layered(count);
  await new PlanService(ports).create({ name: 'bench', jobs, maxParallel: PARALLEL }, asking);
  const { holder } = store.createHolding({ label: 'bench' });
  const claimer = { holder, ids, turns: new Turns() };
  const running: Claimed[] = [];
  const started = performance.now();
  let done = 0;
  while (done < count) {
    const ended = running.splice(0, 1 + Math.floor(running.length / 2));
    // As a worker does: what has ended and what comes next, in one transaction.
    const claimed = await store.write('relaxed', async (tx) => {
      for (const each of ended) await settleJob(tx, each, { kind: 'succeeded', outputs: {} });
      return claimJobs(tx, claimer, PARALLEL);
    });
    done += ended.length;
    running.push(...claimed);
  }
  const ms = performance.now() - started;
  await store.close();
  return (ms * 1000) / count;
}
