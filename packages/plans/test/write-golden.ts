// Writes the golden database of the newest tables: `npx tsx packages/plans/test/write-golden.ts`.
// Once released, a file is never written again: each version of the tables has its own.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { plansSchema } from '@baton/plans';
import { claimJobs, parkJob, recordStart, settleJob, Turns } from '@baton/plans/jobs';
import { LogFiles, openStore } from '@baton/store';
import { createFakeClock, createFakeIds, createMemoryLog, temporaryFolder } from '@baton/testkit';
import { PlanService } from '../src/service.ts';
import { noRepositories } from './no-repositories.ts';
import { ticketJob } from './ticket-world.ts';
import { asking, failed, job } from './world.ts';

using folder = temporaryFolder();
const clock = createFakeClock();
const ids = createFakeIds();
const store = await openStore({
  file: path.join(folder.path, 'baton.db'),
  log: createMemoryLog(),
  clock,
  ids,
  schemas: [plansSchema],
});
const tickets = {
  open: async () => ({ id: 'ticket-1', ref: 'T-1' }),
  cancel: async () => {},
};
const service = new PlanService({
  store,
  clock,
  ids,
  workspace: '/golden',
  environment: { PATH: '/bin' },
  logs: new LogFiles(store, { folder: folder.path }),
  sealer: { seal: (values) => JSON.stringify(values), open: (sealed) => JSON.parse(sealed) },
  trust: { require: async () => {}, isTrusted: async () => true },
  files: { read: async (file) => ({ source: file, text: '' }) },
  tickets,
  repositories: noRepositories,
  workers: { ensure: async () => {}, problem: async () => undefined },
});
const { holder } = store.createHolding({ label: 'golden' });
const begin = () =>
  store.write('durable', async (tx) => {
    const [claimed] = await claimJobs(tx, { holder, ids, turns: new Turns() }, 1);
    if (!claimed) throw new Error('there is nothing to claim');
    if (claimed.job.definition.work.type !== 'ticket') await recordStart(tx, claimed, 1);
    return claimed;
  });

await service.create({ name: 'Asks', jobs: [ticketJob('ask')] }, asking);
const asks = await begin();
const ticket = {
  workspace: '/golden',
  title: 'Do ask',
  body: '',
  kind: 'agent' as const,
  labels: [],
  checks: [],
  by: 'golden',
};
await store.write('durable', (tx) => parkJob(tx, asks, ticket, tickets));

const jobs = [
  { ...job('lint'), task: 'Look at it.', group: 'checks' },
  { ...job('test'), retry: 1 },
  { ...job('build', 'lint'), work: { type: 'shell' as const, command: 'make', env: { A: '1' } } },
  job('ship', 'build', 'test'),
];
const plan = await service.create({ name: 'Golden', jobs, maxParallel: 2, key: 'first' }, asking);
await service.create({ name: 'Next', jobs: [job('last')], after: plan.id }, asking);
await service.create({ name: 'Draft', draft: true, env: { B: '2' } }, asking);
const lint = await begin();
const tests = await begin();
await store.write('durable', (tx) =>
  settleJob(tx, lint, { kind: 'succeeded', outputs: { warnings: '3' } }),
);
await store.write('durable', (tx) => settleJob(tx, tests, failed));
await begin();

const { schemas } = await store.health();
const target = path.join(import.meta.dirname, 'golden', `plans-${schemas.plans}.db`);
if (existsSync(target)) throw new Error(`${target} exists; remove it if it was never released`);
await store.backup(target);
await store.close();
