import type { CheckDefinition } from '@baton/core';
import { planCommands } from '@baton/plans';
import { expect, test } from 'vitest';
import { planSchemas } from '../src/definition.ts';
import { beginAndPark, ticketJob, tickets } from './ticket-world.ts';
import { asking, createWorld, job, succeeded, type World } from './world.ts';

const ticket = (more: object) => ({ type: 'ticket', title: 'Look', ...more });

test.each([
  {},
  { body: 'x'.repeat(100_000), kind: 'question', priority: 5, assignee: 'ada', maxAttempts: 100 },
  { labels: Array.from({ length: 20 }, () => 'x'.repeat(64)) },
  { checks: ['make', { type: 'process', executable: 'ls', args: ['-l'], cwd: 'x' }] },
])('a ticket job may say %j', (more) => {
  expect(planSchemas().work.safeParse(ticket(more)).success).toBe(true);
});

test.each([
  { title: '' },
  { title: 'x'.repeat(201) },
  { title: undefined },
  { body: 'x'.repeat(100_001) },
  { kind: 'robot' },
  { priority: 0 },
  { priority: 6 },
  { labels: ['x'.repeat(65)] },
  { labels: Array.from({ length: 21 }, () => 'x') },
  { checks: Array.from({ length: 21 }, () => 'true') },
  { checks: [{ type: 'ticket', title: 'no' }] },
  // Tickets are kept as they are written: no place for values of variables.
  { checks: [{ type: 'shell', command: 'x', env: { TOKEN: 'secret' } }] },
  { maxAttempts: 101 },
  ...[{ cwd: 'x' }, { env: { A: '1' } }, { timeoutSeconds: 1 }],
])('a ticket job may not say %j', (more) => {
  expect(planSchemas().work.safeParse(ticket(more)).success).toBe(false);
});

const REFERENCE = `\${count.n}`;

async function after(world: World, work: object, outputs: Record<string, string> = { n: '3' }) {
  const ask = { id: 'ask', needs: ['count'], work: { ...ticketJob('ask').work, ...work } };
  await world.create({ name: 'p', jobs: [job('count'), ask] });
  await world.end(await world.begin(), { kind: 'succeeded', outputs });
  await beginAndPark(world);
  return (await tickets(world))[0];
}

test('outputs of earlier jobs are put into texts and arguments, never into command lines', async () => {
  await using world = await createWorld();
  const checks: CheckDefinition[] = [
    `echo ${REFERENCE}`,
    { type: 'shell', command: `echo ${REFERENCE}` },
    { type: 'process', executable: 'test', args: [REFERENCE, `$${REFERENCE}`] },
  ];
  const work = { title: `Fix ${REFERENCE}`, body: `See ${REFERENCE}`, checks };
  expect(await after(world, work, { n: '$(reboot)' })).toMatchObject({
    title: 'Fix $(reboot)',
    body: 'See $(reboot)',
    checks: [
      `echo ${REFERENCE}`,
      { type: 'shell', command: `echo ${REFERENCE}` },
      { type: 'process', executable: 'test', args: ['$(reboot)', REFERENCE] },
    ],
  });
});

test('outputs that are too long for a title or a text are cut', async () => {
  await using world = await createWorld();
  const work = { title: REFERENCE, body: Array.from({ length: 5 }, () => REFERENCE).join() };
  const made = await after(world, work, { n: 'x'.repeat(32_000) });
  expect(made?.title).toMatch(/^x+… \(\d+ more characters\)$/);
  expect(made?.title.length).toBeLessThanOrEqual(200);
  expect(made?.body.length).toBeLessThanOrEqual(100_000);
});

test.each([
  ['title', { title: REFERENCE }],
  ['body', { body: REFERENCE }],
  ['argument', { checks: [{ type: 'process', executable: 'x', args: [REFERENCE] }] }],
])('a %s that refers to what the job does not need is refused', async (_, work) => {
  await using world = await createWorld();
  const ask = { id: 'ask', work: { ...ticketJob('ask').work, ...work } } as never;
  const refused = { code: 'reference_unknown' };
  const create = world.create({ name: 'p', jobs: [job('count'), ask] });
  await expect(create).rejects.toMatchObject(refused);
  const plan = await world.create({ name: 'p', jobs: [job('count')] });
  await expect(world.service.edit({ plan, upsert: [ask] }, asking)).rejects.toMatchObject(refused);
});

test('checks in a plan file are commands that a person approves, each of them', async () => {
  const file = `
name: p
env: {PLAN: '1'}
jobs:
  - id: build
    work: make
  - id: ask
    work:
      type: ticket
      title: Look
      checks:
        - npm test
        - {type: process, executable: ls, args: [-l]}
  - id: other
    work: {type: ticket, title: Nothing to run}
`;
  const { commands } = await planCommands.find(file, 'plan.yaml', '/workspace');
  expect(commands).toEqual([
    { title: 'build', command: 'make', detail: { env: { PLAN: '1' } } },
    { title: 'ask check 1', command: 'npm test' },
    {
      title: 'ask check 2',
      command: 'ls -l',
      detail: { executable: 'ls', args: ['-l'] },
    },
  ]);
});

test('a job that failed can be given to somebody instead, and the other way round', async () => {
  await using world = await createWorld();
  const plan = await world.create({ name: 'p', jobs: [job('one')] });
  await world.end(await world.begin(), { kind: 'failed', reason: 'exit_code', message: '' });
  const { work } = ticketJob('one');
  await world.service.control(plan, { action: 'retry', jobs: ['one'], work });
  await beginAndPark(world);
  expect(await world.states(plan)).toBe('one:running');
  await world.service.control(plan, { action: 'fail', jobs: ['one'] });
  await world.service.control(plan, { action: 'retry', jobs: ['one'], work: 'make' });
  await world.end(await world.begin(), succeeded);
  expect(await world.stateOf(plan)).toBe('succeeded');
});
