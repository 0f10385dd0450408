import { expect, test } from 'vitest';
import { PlanWorld, signal } from '../plans/plan-world.ts';
import { until } from '../plans/until.ts';
import { HOUR_MS, TEN_YEARS_MS, WrongClock } from '../plans/wrong-clock.ts';
import { cites } from '../requirements.ts';
import { ticketServer } from './ticket-server.ts';

const ANN = { agent: 'ann' };
const BOB = { agent: 'bob' };
const HOUR = { leaseSeconds: 3600 };
const SHORT = { leaseSeconds: 1 };

test(`${cites('TICKET-LEASE', 'T17')} a ticket whose lease is over goes to the next one, and the late one is refused`, async () => {
  await using world = new PlanWorld();
  const [one, other] = [ticketServer(world), ticketServer(world)];
  const ref = await one.ticket('Mend the fence');
  const late = await one.next({ ...ANN, ...SHORT });
  const taken = await other.nextSoon({ ...BOB, ...HOUR });
  expect(taken.ticket).toMatchObject({
    id: ref,
    claimedBy: 'bob',
    attempts: '1/3',
    notes: [expect.stringMatching(/^taken from ann, who was not heard of in time; then ready /)],
  });
  expect(taken.token).not.toBe(late.token);
  const before = await other.find(ref);
  const refusal = {
    code: 'claim_lost',
    message: expect.stringMatching(
      /T-1 is over; it is claimed by bob\. Nothing was changed\. Since your claim: taken from ann.*; claimed by bob/,
    ),
  };
  for (const outcome of ['done', 'failed', 'partial', 'blocked']) {
    const report = one.report(ref, late.token, { outcome, waitsFor: 'carol' });
    await expect(report).rejects.toMatchObject(refusal);
  }
  for (const change of [{ note: 'Late.' }, { state: 'cancelled' }, { title: 'Late' }, HOUR]) {
    const update = one.update(ref, { token: late.token, ...change });
    await expect(update).rejects.toMatchObject(refusal);
  }
  const { leaseSecondsLeft: _, ...after } = await other.find(ref);
  expect(before).toMatchObject(after);
  expect(await other.report(ref, taken.token)).toMatchObject({ state: 'done' });
  await expect(one.report(ref, late.token)).rejects.toMatchObject({
    code: 'claim_lost',
    message: expect.stringMatching(/it is done\..*reported done by bob: Did it\./),
  });
});

test(`${cites('TICKET-LEASE')} a ticket is given up when it was lost as often as it may be`, async () => {
  await using world = new PlanWorld();
  const server = ticketServer(world);
  const ref = await server.ticket('Mend the fence', { maxAttempts: 2 });
  await server.next(SHORT);
  expect((await server.nextSoon(SHORT)).ticket).toMatchObject({ id: ref, attempts: '1/2' });
  const given = await server.find(ref, { waitSeconds: 50 });
  expect(given).toMatchObject({ state: 'failed', attempts: '2/2' });
  expect(await server.inbox()).toMatchObject([{ id: ref, why: 'has failed 2 times' }]);
});

test(`${cites('TICKET-LEASE', 'T35')} a token is good for its own ticket only`, async () => {
  await using world = new PlanWorld();
  const server = ticketServer(world);
  const refs = [await server.ticket('One'), await server.ticket('Two')] as const;
  await server.ticket('Three');
  const claims = [await server.next(), await server.next()];
  const foreign = [claims[1].token, '', '0.x', '1.x', '1.-1.x', '1.2.x', 'x', '__proto__'];
  for (const token of foreign) {
    const refusal = { code: 'token_foreign' };
    await expect(server.report(refs[0], token), token).rejects.toMatchObject(refusal);
    await expect(server.update(refs[0], { token }), token).rejects.toMatchObject(refusal);
  }
  await expect(server.report('T-3', claims[0].token)).rejects.toMatchObject({
    code: 'token_foreign',
  });
  expect(await server.history(refs[0])).toHaveLength(2);
  // Without a token and from elsewhere nobody has it at all.
  const other = ticketServer(world);
  await expect(other.report(refs[0], undefined)).rejects.toMatchObject({ code: 'token_needed' });
  await expect(other.report('T-3', undefined)).rejects.toMatchObject({ code: 'not_claimed' });
  await expect(other.update(refs[0], { state: 'cancelled' })).rejects.toMatchObject({
    code: 'ticket_claimed',
  });
  expect(await server.report(refs[0], claims[0].token)).toMatchObject({ state: 'done' });
});

test(`${cites('TICKET-LEASE', 'T17')} a server that slept past its lease is refused when it wakes`, async () => {
  await using world = new PlanWorld();
  const [sleeper, other] = [ticketServer(world), ticketServer(world)];
  const ref = await sleeper.ticket('Mend the fence');
  const { token } = await sleeper.next({ ...ANN, ...SHORT });
  signal(sleeper.pid, 'SIGSTOP');
  const report = sleeper.report(ref, token);
  const taken = await other.nextSoon({ ...BOB, ...HOUR });
  expect(taken.ticket.id).toBe(ref);
  signal(sleeper.pid, 'SIGCONT');
  await expect(report).rejects.toMatchObject({ code: 'claim_lost' });
  expect(await other.find(ref)).toMatchObject({ state: 'claimed', claimedBy: 'bob' });
  expect(await other.report(ref, taken.token)).toMatchObject({ state: 'done' });
});

test(`${cites('TICKET-LEASE')} calls with the token renew a lease, and no others do`, async () => {
  await using world = new PlanWorld();
  const [server, other] = [ticketServer(world), ticketServer(world)];
  const ref = await server.ticket('Mend the fence');
  const { token } = await server.next({ ...ANN, ...HOUR });
  const worn = () =>
    until('two seconds of the lease', async () => {
      return (await server.find(ref)).leaseSecondsLeft <= 3598;
    });
  await worn();
  for (const each of [server, other]) {
    await each.update(ref, { note: 'Is it far?', ...ANN });
    await each.next(ANN);
    expect((await each.find(ref)).leaseSecondsLeft).toBeLessThanOrEqual(3598);
  }
  expect((await other.update(ref, { token })).leaseSecondsLeft).toBeGreaterThan(3598);
  await worn();
  const noted = await server.update(ref, { token, note: 'Half way.' });
  expect(noted.leaseSecondsLeft).toBeGreaterThan(3598);
  const longer = await server.update(ref, { token, leaseSeconds: 7200 });
  expect(longer.leaseSecondsLeft).toBeGreaterThan(7190);
  const shorter = await server.update(ref, { token, ...SHORT });
  expect(shorter.leaseSecondsLeft).toBeLessThanOrEqual(1);
  const taken = await other.nextSoon({ ...BOB, ...SHORT });
  expect(taken.ticket.id).toBe(ref);
  await until('the end of a lease, whatever others write', async () => {
    await server.update(ref, { note: 'Still there?' });
    return (await server.find(ref)).state === 'ready';
  });
});

test(`${cites('TICKET-AGENT')} an agent gets its ticket again, from another server and after a kill`, async () => {
  await using world = new PlanWorld();
  const [one, other] = [ticketServer(world), ticketServer(world)];
  const refs = [await one.ticket('One'), await one.ticket('Two')];
  const first = await one.next(ANN);
  expect(first.ticket.id).toBe(refs[0]);
  expect((await other.next(BOB)).ticket.id).toBe(refs[1]);
  expect(await other.next(ANN)).toMatchObject({ ticket: { id: refs[0] }, token: first.token });
  one.program.child.kill('SIGKILL');
  await one.program.exited;
  const third = ticketServer(world);
  expect(await third.next(ANN)).toMatchObject({ ticket: { id: refs[0] }, token: first.token });
  expect(await third.report('T-1', undefined, ANN)).toMatchObject({ state: 'done' });
  expect(await third.next(ANN)).not.toHaveProperty('ticket');
});

test.each([
  ['ahead by ten years', TEN_YEARS_MS],
  ['back by an hour', -HOUR_MS],
])(
  `${cites('T37', 'TICKET-LEASE')} a clock that jumps %s neither ends a lease nor keeps it`,
  async (_, jumpMs) => {
    await using world = new PlanWorld();
    const clock = new WrongClock(world, 'jumping', 0);
    const jumping = ticketServer(world, 'off', clock.start);
    const steady = ticketServer(world);
    const refs = [await jumping.ticket('Long'), await jumping.ticket('Short')];
    const long = await jumping.next(HOUR);
    const short = await jumping.next(SHORT);
    clock.set(jumpMs);
    for (const server of [jumping, steady]) {
      const { state, leaseSecondsLeft } = await server.find(refs[0] as string);
      expect(state).toBe('claimed');
      expect(leaseSecondsLeft).toBeGreaterThan(3500);
      expect(leaseSecondsLeft).toBeLessThanOrEqual(3600);
    }
    const taken = await jumping.nextSoon(SHORT);
    expect(taken.ticket.id).toBe(refs[1]);
    expect((await steady.nextSoon(HOUR)).ticket.id).toBe(refs[1]);
    await expect(jumping.report('T-2', short.token)).rejects.toMatchObject({ code: 'claim_lost' });
    expect(await jumping.report('T-1', long.token)).toMatchObject({ state: 'done' });
  },
);
