import { cites } from '@baton/e2e/requirements';
import { planCommands, planSchemas } from '@baton/plans';
import { createFakeClock, createFakeIds, createMemoryLog } from '@baton/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { createApprovals, createStoreAccess } from '../src/index.ts';
import { type SchemaChange, schemaChanges } from './schema-changes.ts';

/** What only tells a reader what a job is: it changes nothing that runs, nor where nor on what. */
const FOR_READERS = [
  'jobs[].group',
  'jobs[].name',
  'jobs[].task',
  'jobs[].work.assignee',
  'jobs[].work.body',
  'jobs[].work.labels',
  'jobs[].work.labels[]',
  'jobs[].work.priority',
  'jobs[].work.title',
  'name',
];

type Plan = { readonly jobs: readonly object[] };

let store: ReturnType<typeof createStoreAccess>;
let approvals: ReturnType<typeof createApprovals>;
beforeEach(() => {
  const ports = { clock: createFakeClock(), ids: createFakeIds(), log: createMemoryLog() };
  store = createStoreAccess({ ...ports, file: ':memory:' });
  approvals = createApprovals(store);
});
afterEach(() => store.close());

/** The approval of a file with this plan, and a job in it that runs in any case. */
async function sourceOf(plan: unknown) {
  const { jobs, ...rest } = plan as Plan;
  const text = JSON.stringify({ ...rest, jobs: [...jobs, { id: 'build', work: 'make' }] });
  const found = await planCommands.find(text, 'plan.json', '/src/acme');
  return { workspace: '/src/acme', source: 'plan.json', ...found };
}

async function isAskedAgain({ from, to }: SchemaChange): Promise<boolean> {
  const before = await sourceOf(from);
  await approvals.grant(before, 'me');
  expect(await approvals.isTrusted(before)).toBe(true);
  return !(await approvals.isTrusted(await sourceOf(to)));
}

test(`${cites('TRUST', 'T51')} every field of a plan file is approved but those for readers`, async () => {
  const changes = schemaChanges(z.toJSONSchema(planSchemas().planFile, { io: 'input' }) as never);
  const left = new Set<string>();
  const asked = new Set<string>();
  for (const change of changes) {
    const isAsked = await isAskedAgain(change);
    (isAsked ? asked : left).add(change.where);
  }
  expect([...left].sort()).toEqual(FOR_READERS);
  // That the walk has found what decides most.
  expect([...asked]).toEqual(
    expect.arrayContaining([
      ...['base', 'target', 'intoDefault', 'link[]', 'keep', 'setup[].cwd', 'verify[].args[]'].map(
        (key) => `git.${key}`,
      ),
      ...[
        'id',
        'needs[]',
        'touches[]',
        'repository',
        'noChanges',
        'retry',
        'before[]',
        'checks[]',
      ].map((key) => `jobs[].${key}`),
      ...['git', 'env', 'after', 'paused', 'maxParallel', 'jobs[].work', 'jobs[].work.kind'],
    ]),
  );
});

const TICKET = { id: 'look', work: { type: 'ticket', title: 'Look at it' }, touches: ['a'] };
const BUILD = { id: 'make-it', work: 'make', touches: ['a'] };

test.each([
  ['commands that run instead of a ticket', [TICKET], [{ ...TICKET, checks: ['other'] }]],
  ['commands before them', [{ ...TICKET, before: ['one'] }], [{ ...TICKET, before: ['other'] }]],
  ['whose commands they are', [{ ...TICKET, checks: ['one'] }], [asChecked(['one'])]],
  ['what waits for a ticket', [TICKET, BUILD], [BUILD, TICKET]],
  ['a ticket that landing waits for', [BUILD], [BUILD, TICKET]],
])(`${cites('TRUST', 'T51')} it is asked again for %s`, async (where, from, to) => {
  const inGit = (jobs: readonly object[]) => ({ name: 'Release', git: {}, jobs });
  expect(await isAskedAgain({ where, from: inGit(from), to: inGit(to) })).toBe(true);
});

function asChecked(checks: readonly string[]) {
  return { ...TICKET, work: { ...TICKET.work, checks } };
}
