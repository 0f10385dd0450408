import { expect, test } from 'vitest';
import { PlanWorld, signal } from '../plans/plan-world.ts';
import { until } from '../plans/until.ts';
import { cites } from '../requirements.ts';
import { type TicketServer, ticketServer } from './ticket-server.ts';

const WAIT = { waitSeconds: 50 };
const NO_WAIT = { waitSeconds: 0 };
/** Runs until the test opens it. */
const GATE = 'echo x >> begun; while [ ! -e open ]; do sleep 0.05; done';

test(`${cites('TICKET-CHECKS')} failing checks are shown, and the same token reports again`, async () => {
  await using world = new PlanWorld();
  const [server, other] = [ticketServer(world, 'auto'), ticketServer(world)];
  const checks = [
    'echo looked >&2; [ -e fixed ] || exit 7',
    { type: 'process', executable: 'test', args: ['-d', '.'] },
  ];
  const ref = await server.ticket('Mend the fence', { checks });
  const { token } = await server.next({ agent: 'ann' });
  const failed = await server.report(ref, token, WAIT);
  expect(failed).toMatchObject({
    state: 'claimed',
    evidence: {
      verdict: 'failed',
      dirty: true,
      checks: [
        {
          command: checks[0],
          passed: false,
          message: expect.stringContaining('7'),
          output: 'looked\n',
        },
        { command: 'test -d .', passed: true },
      ],
    },
    next: expect.stringContaining('round 1 of 3'),
  });
  expect(await other.find(ref)).toMatchObject({
    state: 'claimed',
    claimedBy: 'ann',
    evidence: failed.evidence,
  });
  const uri = failed.evidence.checks[0].log;
  const log = await other.request('resources/read', { uri });
  expect(log.result.contents[0].text).toBe('looked\n');
  expect(await other.next()).not.toHaveProperty('ticket');

  world.write('fixed', '');
  const passed = await server.report(ref, token, WAIT);
  expect(passed).toMatchObject({
    state: 'done',
    evidence: { verdict: 'passed', checks: [{ passed: true }, { passed: true }] },
  });
  // Whoever lost the answer is told the same.
  expect(await other.report(ref, token, WAIT)).toEqual(passed);
  expect((await server.history(ref)).slice(2)).toEqual(
    [
      'reported done by ann: Did it.',
      'checks failed',
      'reported done by ann: Did it.',
      'checks passed',
    ].map((line) => expect.stringContaining(line)),
  );
});

test(`${cites('TICKET-CHECKS', 'TICKET-INBOX')} after three rounds of failing checks a person has a look`, async () => {
  await using world = new PlanWorld();
  const server = ticketServer(world, 'auto');
  const ref = await server.ticket('Mend the fence', { checks: ['false'] });
  const { token } = await server.next();
  for (const state of ['claimed', 'claimed', 'blocked']) {
    expect(await server.report(ref, token, WAIT)).toMatchObject({ state });
  }
  const why = 'waits for a person: the checks have failed 3 times';
  expect(await server.inbox()).toMatchObject([{ id: ref, state: 'blocked', why }]);
  expect(await server.next()).not.toHaveProperty('ticket');
  await expect(server.update(ref, { token, note: 'But …' })).rejects.toMatchObject({
    code: 'claim_lost',
  });
  // A person opens it again, and it starts from the beginning.
  await server.update(ref, { state: 'ready' });
  const again = await server.next();
  expect(await server.report(ref, again.token, WAIT)).toMatchObject({
    next: expect.stringContaining('round 1 of 3'),
  });
});

test(`${cites('TICKET-CHECKS')} whoever does not wait for checks can look later`, async () => {
  await using world = new PlanWorld();
  const [server, other] = [ticketServer(world, 'auto'), ticketServer(world)];
  const ref = await server.ticket('Mend the fence', { checks: [GATE] });
  const { token } = await server.next({ leaseSeconds: 1 });
  const reported = await server.report(ref, token, NO_WAIT);
  expect(reported).toMatchObject({ state: 'verifying', next: expect.stringContaining(ref) });
  expect(await server.report(ref, token, NO_WAIT)).toEqual(reported);
  await expect(server.report(ref, token, { outcome: 'failed' })).rejects.toMatchObject({
    code: 'still_verifying',
  });
  await until('the check', () => world.lines('begun').length === 1);
  // Nobody else gets it meanwhile, and no lease runs out.
  await until('the time of the lease', async () => (await server.find(ref)).leaseSecondsLeft === 0);
  expect(await other.next()).not.toHaveProperty('ticket');
  const end = other.find(ref, WAIT);
  world.write('open', '');
  expect(await end).toMatchObject({ state: 'done', evidence: { verdict: 'passed' } });
  expect(world.lines('begun')).toHaveLength(1);
});

test(`${cites('TICKET-CHECKS', 'T8')} checks whose worker is killed come to an end all the same`, async () => {
  await using world = new PlanWorld();
  const server = ticketServer(world, 'auto');
  const ref = await server.ticket('Mend the fence', { checks: [GATE] });
  const { token } = await server.next();
  await server.report(ref, token, NO_WAIT);
  await until('the check', () => world.lines('begun').length === 1);
  signal((await world.theWorker()).pid, 'SIGKILL');
  world.write('open', '');
  expect(await server.find(ref, WAIT)).toMatchObject({
    state: 'done',
    evidence: { verdict: 'passed' },
  });
  await world.noJobs();
});

const LOOKS: readonly [string, (server: TicketServer, ref: string) => Promise<unknown>][] = [
  ['at the ticket', (server, ref) => server.find(ref)],
  ['at the list', (server) => server.list()],
  ['for work', (server) => server.next()],
];

test.each(LOOKS)(
  `${cites('TICKET-CHECKS', 'T8')} after worker and server were killed checks go on when somebody looks %s`,
  async (_, look) => {
    await using world = new PlanWorld();
    const doomed = ticketServer(world, 'auto');
    const ref = await doomed.ticket('Mend the fence', { checks: [GATE] });
    await doomed.report(ref, (await doomed.next()).token, NO_WAIT);
    await until('the check', () => world.lines('begun').length === 1);
    doomed.program.child.kill('SIGKILL');
    signal((await world.theWorker()).pid, 'SIGKILL');
    world.write('open', '');
    await look(ticketServer(world, 'auto'), ref);
    expect(await ticketServer(world).find(ref, WAIT)).toMatchObject({ state: 'done' });
  },
);

test(`${cites('TICKET-CHECKS', 'T8')} whoever looks draws the conclusion that a dead worker has left`, async () => {
  await using world = new PlanWorld();
  const server = ticketServer(world, 'off');
  const worker = await world.worker({ env: { BATON_TEST_CRASH_AT: 'settled' } });
  const ref = await server.ticket('Mend the fence', { checks: ['true'] });
  const { token } = await server.next();
  await server.report(ref, token, NO_WAIT);
  expect(await worker.exited).toMatchObject({ signal: 'SIGKILL' });
  expect(await server.find(ref)).toMatchObject({ state: 'done', evidence: { verdict: 'passed' } });
});

test(`${cites('TICKET-CHECKS')} without a worker the report says why nothing happens`, async () => {
  await using world = new PlanWorld();
  const server = ticketServer(world, 'off');
  const ref = await server.ticket('Mend the fence', { checks: ['true'] });
  const { token } = await server.next();
  const reported = await server.report(ref, token, NO_WAIT);
  expect(reported).toMatchObject({
    state: 'verifying',
    problem: expect.stringContaining('baton worker'),
  });
  await world.worker();
  expect(await server.find(ref, WAIT)).toMatchObject({ state: 'done' });
});

test(`${cites('TICKET-CHECKS', 'T21')} the checks of a ticket that is cancelled are ended`, async () => {
  await using world = new PlanWorld();
  const [server, other] = [ticketServer(world, 'auto'), ticketServer(world)];
  const ref = await server.ticket('Mend the fence', { checks: [GATE, 'echo x >> second'] });
  const { token } = await server.next();
  await server.report(ref, token, NO_WAIT);
  await until('the check', () => world.lines('begun').length === 1);
  const cancelled = { state: 'cancelled', resolution: 'There is no fence.' };
  await expect(other.update(ref, cancelled)).rejects.toMatchObject({ code: 'ticket_claimed' });
  await server.update(ref, { token, ...cancelled });
  await world.noJobs();
  await until('the end of the run', async () => {
    const { plans } = await server.call('plan_list', { state: 'cancelled' });
    return plans[0]?.name === 'Checks of T-1: Mend the fence';
  });
  expect(await other.find(ref)).toMatchObject(cancelled);
  expect(world.lines('second')).toEqual([]);
});
