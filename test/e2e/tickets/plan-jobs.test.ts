import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PlanWorld } from '../plans/plan-world.ts';
import { until } from '../plans/until.ts';
import { cites } from '../requirements.ts';
import { type TicketServer, ticketServer, YES } from './ticket-server.ts';

const COUNT = { id: 'count', work: 'echo n=3 >> $BATON_OUTPUT' };
const ASK = {
  id: 'ask',
  needs: ['count'],
  work: { type: 'ticket', title: 'Look at $' + '{count.n} places', labels: ['places'] },
};
/** Writes down what it is told, word for word. */
const AFTER = {
  id: 'after',
  needs: ['ask'],
  work: {
    type: 'process',
    executable: 'sh',
    args: ['-c', 'printf "%s\\n" "$@" >> said', 'sh', '$' + '{ask.ticket}', '$' + '{ask.summary}'],
  },
};
const PLAN = { jobs: [COUNT, ASK, AFTER] };

/** Waits until the plan's ticket is there. */
function ticketOf(server: TicketServer): Promise<string> {
  return until('the ticket', async () => (await server.list({ labels: ['places'] }))[0]?.id);
}

test(`${cites('TICKET-JOB')} a plan waits for a ticket without a worker, and goes on with what came of it`, async () => {
  await using world = new PlanWorld({ env: { BATON_WORKER_IDLE_SECONDS: '1' } });
  const [server, agent] = [ticketServer(world, 'auto'), ticketServer(world, 'auto')];
  const plan = await server.create(PLAN);
  const ref = await ticketOf(agent);
  await until('the end of the worker', () => world.workers().length === 0);
  expect(await server.get(plan)).toMatchObject({
    state: 'running',
    active: [{ job: 'ask', ticket: ref }],
  });
  const { ticket, token } = await agent.next({ agent: 'ann' });
  expect(ticket).toMatchObject({
    id: ref,
    title: 'Look at 3 places',
    source: `${ref}, written by job ask of plan ${plan}`,
  });
  const summary = `All "good" $(touch ${world.file('canary')}) \`id\` $HOME`;
  await agent.report(ref, token, { summary });
  expect(await server.ended(plan)).toMatchObject({ state: 'succeeded' });
  expect(world.lines('said')).toEqual([ref, summary]);
  expect(existsSync(world.file('canary'))).toBe(false);
});

test(`${cites('TICKET-JOB', 'PLAN-OUTPUTS')} a report of any length and in any script reaches the next job`, async () => {
  await using world = new PlanWorld();
  const server = ticketServer(world, 'auto');
  for (const summary of [`x${'😀'.repeat(9000)}`, '中'.repeat(20_000), 'two\nlines']) {
    const plan = await server.create(PLAN);
    const ref = await ticketOf(server);
    await server.report(ref, (await server.next({ labels: ['places'] })).token, { summary });
    expect(await server.ended(plan)).toMatchObject({ state: 'succeeded' });
    const said = world.lines('said');
    expect(said[said.lastIndexOf(ref) + 1]?.slice(0, 100)).toBe(
      (summary.split('\n')[0] ?? '').slice(0, 100),
    );
    expect(said.join()).not.toContain('\ufffd');
  }
});

test(`${cites('TICKET-JOB', 'TICKET-CHECKS')} the job of a ticket with checks goes on when they pass`, async () => {
  await using world = new PlanWorld();
  const server = ticketServer(world, 'auto');
  const ask = { ...ASK, work: { ...ASK.work, checks: ['[ -e fixed ]'] } };
  const plan = await server.create({ jobs: [COUNT, ask, AFTER] });
  const ref = await ticketOf(server);
  const { token } = await server.next();
  const wait = { waitSeconds: 50 };
  expect(await server.report(ref, token, wait)).toMatchObject({ state: 'claimed' });
  expect(await server.get(plan)).toMatchObject({ state: 'running' });
  world.write('fixed', '');
  expect(await server.report(ref, token, wait)).toMatchObject({ state: 'done' });
  expect(await server.ended(plan)).toMatchObject({ state: 'succeeded' });
  expect(world.lines('said')).toEqual([ref, 'Did it.']);
});

test(`${cites('TICKET-JOB', 'PLAN-CANCEL')} a cancelled plan cancels its ticket, and whoever has it is told`, async () => {
  await using world = new PlanWorld();
  const [server, agent] = [ticketServer(world, 'auto'), ticketServer(world)];
  const plan = await server.create(PLAN);
  const ref = await ticketOf(agent);
  const { token } = await agent.next();
  await server.control(plan, 'cancel');
  expect(await server.ended(plan)).toMatchObject({ state: 'cancelled' });
  expect(await agent.find(ref)).toMatchObject({ state: 'cancelled' });
  await expect(agent.report(ref, token)).rejects.toMatchObject({ code: 'claim_lost' });
  expect(await agent.next()).not.toHaveProperty('ticket');
  expect(world.lines('said')).toEqual([]);
});

test(`${cites('TICKET-JOB', 'TICKET-PERSON')} a ticket that is cancelled or deleted fails its job, and a retry makes another`, async () => {
  await using world = new PlanWorld();
  const server = await ticketServer(world, 'auto').withPerson();
  const plan = await server.create(PLAN);
  const first = await ticketOf(server);
  await server.update(first, { state: 'cancelled', resolution: 'Nothing to look at.' });
  const failure = { job: 'ask', reason: 'ticket_failed' };
  expect(await server.ended(plan)).toMatchObject({
    state: 'failed',
    failed: [{ ...failure, message: 'T-1 was cancelled: Nothing to look at.' }],
  });
  await server.control(plan, 'retry');
  const second = await ticketOf(server);
  expect(second).toBe('T-2');
  await server.asked('ticket_update', { id: second, state: 'deleted' }, YES);
  expect(await server.ended(plan)).toMatchObject({ state: 'failed', failed: [failure] });
  await server.control(plan, 'retry');
  await server.report(await ticketOf(server), (await server.next()).token);
  expect(await server.ended(plan)).toMatchObject({ state: 'succeeded' });
  expect(await server.story(plan, 'ask')).toBe('failed failed succeeded');
  // Opened again, it is a ticket like any other, and the plan stays as it is.
  await server.update(first, { state: 'ready' });
  await server.report(first, (await server.next()).token);
  expect(await server.get(plan)).toMatchObject({ state: 'succeeded' });
  expect(world.lines('said')).toEqual(['T-3', 'Did it.']);
});

test.each(['claimed', 'settled'])(
  `${cites('TICKET-JOB', 'PLAN-CRASH-POINTS', 'T8')} a worker that dies at "%s" leaves one ticket and a plan that goes on`,
  async (point) => {
    await using world = new PlanWorld();
    const server = ticketServer(world, 'auto');
    const crash = { BATON_TEST_CRASH_AT: point, BATON_TEST_CRASH_JOB: 'ask' };
    const worker = await world.worker({ env: crash });
    const plan = await server.create(PLAN);
    expect(await worker.exited).toMatchObject({ signal: 'SIGKILL' });
    // Whoever looks at a plan sees to it that it has a worker.
    await server.get(plan);
    const ref = await ticketOf(server);
    const { token } = await server.next();
    await server.report(ref, token);
    expect(await server.ended(plan)).toMatchObject({ state: 'succeeded' });
    expect(await server.list({ state: 'all' })).toMatchObject([{ id: 'T-1', state: 'done' }]);
    expect(await server.story(plan, 'ask')).toBe(
      point === 'settled' ? 'succeeded' : 'lost succeeded',
    );
    expect(world.lines('said')).toEqual(['T-1', 'Did it.']);
  },
);
