import { settleTicketJob } from '@baton/plans/jobs';
import { expect, test } from 'vitest';
import { beginAndPark, close, done, givenUp, park, ticketJob, tickets } from './ticket-world.ts';
import { createWorld, failed, job, NEVER, type World } from './world.ts';

const look = (world: World, plan: string, view: 'summary' | 'jobs' | 'job' | 'attempts') =>
  world.service.look({ plan, view, job: 'ask' }, NEVER);

test('a job makes a ticket when its turn comes, and is over when the ticket is', async () => {
  await using world = await createWorld();
  const jobs = [job('first'), ticketJob('ask', 'first'), job('after', 'ask')];
  const plan = await world.create({ name: 'p', jobs });
  await world.end(await world.begin());
  const claimed = await world.begin();
  expect(await world.states(plan)).toBe('first:succeeded ask:scheduled after:pending');
  await park(world, claimed);
  expect(await world.states(plan)).toBe('first:succeeded ask:running after:pending');
  expect(await tickets(world)).toEqual([
    {
      id: 'ticket-1',
      ref: 'T-1',
      state: 'open',
      workspace: '/ws',
      title: 'Do ask',
      body: '',
      kind: 'agent',
      labels: [],
      checks: [],
      by: `job ask of plan ${plan}`,
    },
  ]);
  expect(await close(world, 'ticket-1')).toBe(plan);
  expect(await world.drain()).toEqual(['after']);
  expect(await world.stateOf(plan)).toBe('succeeded');
});

test('everything that the job says about its ticket is in it', async () => {
  await using world = await createWorld();
  const work = {
    type: 'ticket' as const,
    title: 'Look',
    body: 'closely',
    kind: 'person' as const,
    priority: 2,
    labels: ['ui'],
    assignee: 'ada',
    checks: ['npm test', { type: 'shell' as const, command: 'make', cwd: 'x' }],
    maxAttempts: 7,
  };
  await world.create({ name: 'p', jobs: [{ id: 'ask', work }] });
  await beginAndPark(world);
  const { type: _, ...wanted } = work;
  expect((await tickets(world))[0]).toMatchObject(wanted);
});

test('outputs of a ticket are those of its job, within the same bounds', async () => {
  await using world = await createWorld();
  const show = { type: 'process' as const, executable: 'echo', args: [`\${ask.answer}`] };
  const jobs = [ticketJob('ask'), { id: 'show', needs: ['ask'], work: show }];
  const plan = await world.create({ name: 'p', jobs });
  await beginAndPark(world);
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`n${index}`, '']));
  const large = Object.fromEntries(
    Array.from({ length: 9 }, (_, index) => [`n${index}`, 'x'.repeat(32 * 1024)]),
  );
  for (const bad of [{ 'no name': '1' }, { a: '\0' }, { a: 'x'.repeat(33_000) }, many, large]) {
    const result = { kind: 'succeeded', outputs: bad } as const;
    await expect(close(world, 'ticket-1', result)).rejects.toMatchObject({
      code: 'output_invalid',
    });
  }
  expect((await tickets(world))[0]?.state).toBe('open');
  await close(world, 'ticket-1', { kind: 'succeeded', outputs: { answer: '42' } });
  expect((await look(world, plan, 'job')).job).toMatchObject({ outputs: { answer: '42' } });
  expect((await world.begin()).job.id).toBe('show');
});

test('a ticket that failed blocks what needs it, and is not tried again by itself', async () => {
  await using world = await createWorld();
  const plan = await world.create({
    name: 'p',
    jobs: [{ ...ticketJob('ask'), retry: 5 }, job('after', 'ask')],
  });
  await beginAndPark(world);
  expect(await close(world, 'ticket-1', givenUp)).toBeUndefined();
  expect(await world.states(plan)).toBe('ask:failed after:blocked');
  const { state, failed: failures } = await look(world, plan, 'summary');
  expect(state).toBe('failed');
  expect(failures).toEqual([
    { job: 'ask', reason: 'ticket_failed', message: 'It cannot be done.', attempts: 1 },
  ]);
});

test('a retry makes a new ticket, and the old one has no say any more', async () => {
  await using world = await createWorld();
  const plan = await world.create({ name: 'p', jobs: [ticketJob('ask'), job('after', 'ask')] });
  await beginAndPark(world);
  await close(world, 'ticket-1', givenUp);
  await world.service.control(plan, { action: 'retry' });
  expect(await world.states(plan)).toBe('ask:ready after:pending');
  await beginAndPark(world);
  expect((await look(world, plan, 'job')).job).toMatchObject({ ticket: 'T-2', attempts: 2 });
  expect(await close(world, 'ticket-1')).toBeUndefined();
  expect(await world.states(plan)).toBe('ask:running after:pending');
  expect(await close(world, 'ticket-2')).toBe(plan);
  expect(await world.states(plan)).toBe('ask:succeeded after:ready');
});

test('what waits for a ticket takes no place and holds up no pause', async () => {
  await using world = await createWorld();
  const jobs = [ticketJob('ask'), ticketJob('more'), job('work'), job('after', 'ask')];
  const plan = await world.create({ name: 'p', maxParallel: 1, jobs });
  await beginAndPark(world);
  await beginAndPark(world);
  const working = await world.begin();
  expect(working.job.id).toBe('work');
  expect((await world.service.control(plan, { action: 'pause' })).state).toBe('pausing');
  await world.end(working);
  expect(await world.stateOf(plan)).toBe('paused');
  await close(world, 'ticket-1');
  expect(await world.states(plan)).toBe('ask:succeeded more:running work:succeeded after:ready');
  expect(await world.tryBegin()).toBeUndefined();
  await world.service.control(plan, { action: 'resume' });
  expect(await world.drain()).toEqual(['after']);
  expect(await world.stateOf(plan)).toBe('running');
  await close(world, 'ticket-2');
  expect(await world.stateOf(plan)).toBe('succeeded');
});

test('a plan whose last ticket is over while it is paused is over, too', async () => {
  await using world = await createWorld();
  const plan = await world.create({ name: 'p', jobs: [ticketJob('ask')] });
  await beginAndPark(world);
  expect((await world.service.control(plan, { action: 'pause' })).state).toBe('paused');
  await close(world, 'ticket-1');
  expect(await world.stateOf(plan)).toBe('succeeded');
});

test('to cancel the plan ends its tickets at once, without any worker', async () => {
  await using world = await createWorld();
  const plan = await world.create({
    name: 'p',
    jobs: [ticketJob('ask'), ticketJob('more'), job('after', 'ask')],
  });
  await beginAndPark(world);
  await beginAndPark(world);
  expect((await world.service.control(plan, { action: 'cancel' })).state).toBe('cancelled');
  expect(await world.states(plan)).toBe('ask:cancelled more:cancelled after:cancelled');
  const why = `Plan ${plan} was cancelled.`;
  expect((await tickets(world)).map(({ state }) => state)).toEqual([why, why]);
  expect(await close(world, 'ticket-1')).toBeUndefined();
  expect(await world.stateOf(plan)).toBe('cancelled');
});

test('beside what runs, tickets of a cancelled plan do not wait for the worker', async () => {
  await using world = await createWorld();
  const plan = await world.create({ name: 'p', jobs: [ticketJob('ask'), job('work')] });
  await beginAndPark(world);
  const working = await world.begin();
  expect((await world.service.control(plan, { action: 'cancel' })).state).toBe('cancelling');
  expect(await world.states(plan)).toBe('ask:cancelled work:running');
  await world.end(working, failed);
  expect(await world.stateOf(plan)).toBe('cancelled');
});

test.each([
  ['cancel', 'cancelled', 'Cancelled by hand.'],
  ['fail', 'failed', 'not needed'],
] as const)('a single job that waits can be stopped: %s', async (action, state, why) => {
  await using world = await createWorld();
  const plan = await world.create({
    name: 'p',
    jobs: [ticketJob('ask'), job('after', 'ask'), ticketJob('more')],
  });
  await beginAndPark(world);
  await beginAndPark(world);
  const stop = { action, jobs: ['ask'], message: 'not needed' } as const;
  await world.service.control(plan, stop);
  expect(await world.states(plan)).toBe(`ask:${state} after:blocked more:running`);
  expect((await tickets(world)).map((ticket) => ticket.state)).toEqual([why, 'open']);
  const { attempts } = await look(world, plan, 'attempts');
  const shown = action === 'fail' ? { state, reason: 'failed_by_hand', message: why } : { state };
  expect(attempts).toEqual([expect.objectContaining(shown)]);
  await expect(world.service.control(plan, stop)).rejects.toMatchObject({ code: 'job_state' });
});

test('who wants a job to end before it has its ticket gets none', async () => {
  await using world = await createWorld();
  const plan = await world.create({ name: 'p', jobs: [ticketJob('ask'), job('after', 'ask')] });
  const claimed = await world.begin();
  await world.service.control(plan, { action: 'fail', jobs: ['ask'], message: 'no' });
  await park(world, claimed);
  expect(await world.states(plan)).toBe('ask:failed after:blocked');
  expect(await tickets(world)).toEqual([]);
});

test('tickets of nobody and of plans that are gone change nothing', async () => {
  await using world = await createWorld();
  const settle = (id: string) =>
    world.store.write('durable', (tx) => settleTicketJob(tx, id, done));
  expect(await settle('ticket-1')).toBeUndefined();
  const plan = await world.create({ name: 'p', jobs: [ticketJob('ask')] });
  await beginAndPark(world);
  await expect(world.service.control(plan, { action: 'delete' })).rejects.toThrow();
  await world.service.control(plan, { action: 'cancel' });
  await world.service.control(plan, { action: 'delete' });
  expect(await settle('ticket-1')).toBeUndefined();
  const left = await world.store.read(({ db }) =>
    db
      .selectFrom('plan_tickets' as 'work')
      .selectAll()
      .execute(),
  );
  expect(left).toEqual([]);
});

test('views tell the ticket while a job waits for it and afterwards', async () => {
  await using world = await createWorld();
  const plan = await world.create({ name: 'p', jobs: [job('other'), ticketJob('ask')] });
  await world.end(await world.begin());
  await beginAndPark(world);
  expect((await look(world, plan, 'summary')).active).toEqual([
    { job: 'ask', state: 'running', seconds: 0, ticket: 'T-1' },
  ]);
  await close(world, 'ticket-1');
  expect((await look(world, plan, 'job')).job).toMatchObject({
    command: 'ticket: Do ask',
    state: 'succeeded',
    ticket: 'T-1',
  });
  const { list } = await look(world, plan, 'jobs');
  expect(list?.jobs.map(({ id, ticket }) => [id, ticket])).toEqual([
    ['other', undefined],
    ['ask', 'T-1'],
  ]);
});
