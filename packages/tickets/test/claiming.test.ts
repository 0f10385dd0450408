import { describe, expect, test } from 'vitest';
import { createWorld, refusal } from './world.ts';

describe('the next ticket', () => {
  test('is the most urgent one, and among equals the oldest', async () => {
    await using world = await createWorld();
    const [late, first, urgent] = [
      await world.create('late', { priority: 4 }),
      await world.create('first'),
      await world.create('urgent', { priority: 1 }),
    ];
    const second = await world.create('second');
    const order = [];
    for (let count = 0; count < 4; count += 1) order.push((await world.take()).id);
    expect(order).toEqual([urgent, first, second, late]);
    expect(await world.call('ticket_next')).toEqual({
      next: expect.stringContaining('4 claimed'),
    });
  });

  test('carries a token, its lease and all that is needed to do it', async () => {
    await using world = await createWorld();
    await world.create('Fix it', { body: 'Like so.', labels: ['b', 'a'], checks: ['npm test'] });
    const { ticket, token, next } = await world.call('ticket_next', { agent: 'codex' });
    expect(token).toMatch(/^1\.1\.[0-9a-f-]{36}$/);
    expect(ticket).toMatchObject({
      id: 'T-1',
      title: 'Fix it',
      body: 'Like so.',
      state: 'claimed',
      claimedBy: 'codex',
      labels: ['a', 'b'],
      checks: ['npm test'],
      leaseSecondsLeft: 7200,
      source: 'T-1, written by tester',
    });
    expect(next).toContain('ticket_report');
  });

  test('is the same for the same agent, until it is reported', async () => {
    await using world = await createWorld();
    await world.create('one');
    await world.create('two');
    const mine = await world.take({ agent: 'a' });
    expect(await world.take({ agent: 'a' })).toEqual(mine);
    expect((await world.take({ agent: 'b' })).id).toBe('T-2');
    await world.report(mine, 'done');
    expect((await world.take({ agent: 'a' })).id).toBeUndefined();
  });

  test('without a name is another one each time, even on one connection', async () => {
    await using world = await createWorld();
    await world.create('one');
    await world.create('two');
    const caller = { connection: 'c1' };
    const first = await world.call('ticket_next', {}, { caller });
    const second = await world.call('ticket_next', {}, { caller });
    expect([first.ticket.id, second.ticket.id]).toEqual(['T-1', 'T-2']);
  });

  test.each([
    [{ labels: ['docs'] }, 'T-2'],
    [{ labels: ['docs', 'web'] }, 'T-3'],
    [{ kind: 'question' }, 'T-4'],
    [{ text: 'invoice round' }, 'T-5'],
    [{ text: 'INVOICE' }, 'T-5'],
    [{ labels: ['none'] }, undefined],
    [{ text: '"; drop table tickets' }, undefined],
    [{ text: '***' }, undefined],
  ])('can be filtered by %j', async (filter, found) => {
    await using world = await createWorld();
    await world.create('plain');
    await world.create('one', { labels: ['docs'] });
    await world.create('two', { labels: ['docs', 'web'] });
    await world.create('why?', { kind: 'question' });
    await world.create('Invoices', { body: 'are rounded the wrong way' });
    expect((await world.take(filter)).id).toBe(found);
  });

  test('is found among many with the same label or word', async () => {
    await using world = await createWorld();
    for (let count = 0; count < 510; count += 1) {
      await world.create(`common ${count}`, { labels: ['common'] });
    }
    await world.create('common and urgent', { labels: ['common'], priority: 1 });
    expect((await world.take({ text: 'common', labels: ['common'] })).id).toBe('T-511');
    expect((await world.take({ text: 'common', labels: ['common'] })).id).toBe('T-1');
  });

  test('is not one that is assigned to somebody else', async () => {
    await using world = await createWorld();
    await world.create('for anna', { assignee: 'anna' });
    expect((await world.take({ agent: 'bob' })).id).toBeUndefined();
    expect((await world.take({ agent: 'anna' })).id).toBe('T-1');
  });

  test('can be looked at without taking it', async () => {
    await using world = await createWorld();
    await world.create('one');
    const { ticket, token } = await world.call('ticket_next', { peek: true });
    expect(ticket).toMatchObject({ id: 'T-1', state: 'ready' });
    expect(token).toBeUndefined();
    expect((await world.take()).id).toBe('T-1');
  });

  test('is of this workspace only, and numbers are too', async () => {
    await using world = await createWorld();
    await using other = await createWorld({ workspace: '/other', store: world.store });
    expect(await world.create('here')).toBe('T-1');
    expect(await other.create('there')).toBe('T-1');
    await other.create('second');
    await world.take();
    expect((await world.take()).id).toBeUndefined();
  });
});

test('no more tickets are claimed at once than may be', async () => {
  await using world = await createWorld({ maxClaims: 2 });
  for (let count = 0; count < 4; count += 1) await world.create('work');
  const one = await world.take({ agent: 'a', leaseSeconds: 60 });
  await world.take({ agent: 'b' });
  expect(await world.call('ticket_next', { agent: 'c' })).toEqual({
    next: expect.stringContaining('2 tickets are claimed'),
  });
  expect(await world.take({ agent: 'a' })).toEqual(one);
  const waiting = world.take({ agent: 'c', waitSeconds: 50 });
  await world.report(one, 'done');
  expect((await waiting).id).toBe('T-3');
});

describe('waiting for work', () => {
  test('ends when there is some', async () => {
    await using world = await createWorld();
    const waiting = world.take({ waitSeconds: 50 });
    await world.create('at last');
    expect((await waiting).id).toBe('T-1');
  });

  test('ends when a need is done', async () => {
    await using world = await createWorld();
    const need = await world.create('need');
    await world.create('after', { needs: [need] });
    const claim = await world.take();
    const waiting = world.take({ waitSeconds: 50 });
    await world.report(claim, 'done');
    expect((await waiting).id).toBe('T-2');
  });

  test('can be cancelled, and takes nothing then', async () => {
    await using world = await createWorld();
    const cancelling = new AbortController();
    const { signal } = cancelling;
    const waiting = world.call('ticket_next', { waitSeconds: 50 }, { signal });
    await world.create('for nobody', { kind: 'person' });
    cancelling.abort();
    await world.create('too late');
    await Promise.allSettled([waiting]);
    expect((await world.take()).id).toBe('T-2');
  });
});

describe('a lease', () => {
  test('that runs out gives the ticket back, with a note of who had it', async () => {
    await using world = await createWorld();
    await world.create('one');
    const claim = await world.take({ agent: 'a', leaseSeconds: 60 });
    world.pass(59);
    expect(await world.state('T-1')).toBe('claimed');
    world.pass(1);
    const { ticket } = await world.call('ticket_find', { id: 'T-1' });
    expect(ticket).toMatchObject({ state: 'ready', attempts: '1/3' });
    expect(ticket.notes[0]).toContain('taken from a, who was not heard of in time');
    const late = await refusal(world.report(claim, 'done'));
    expect(late.code).toBe('claim_lost');
    expect(late.message).toContain('it is ready');
    expect(late.message).toContain('taken from a');
    expect(await world.state('T-1')).toBe('ready');
  });

  test('is renewed by calls that carry the token, and by no others', async () => {
    await using world = await createWorld();
    await world.create('one');
    const claim = await world.take({ leaseSeconds: 60 });
    world.pass(50);
    await world.call('ticket_update', { ...claim, note: 'still at it' });
    world.pass(50);
    expect(await world.state('T-1')).toBe('claimed');
    await world.call('ticket_update', { id: 'T-1', note: 'from somebody else' });
    await world.call('ticket_next', { agent: 'x' });
    world.pass(10);
    expect(await world.state('T-1')).toBe('ready');
  });

  test('can be made longer', async () => {
    await using world = await createWorld();
    await world.create('one');
    const claim = await world.take({ leaseSeconds: 60 });
    const { leaseSecondsLeft } = await world.call('ticket_update', { ...claim, leaseSeconds: 600 });
    expect(leaseSecondsLeft).toBe(600);
    world.pass(599);
    expect(await world.state('T-1')).toBe('claimed');
  });

  test('that has run out counts while nobody has taken the ticket away', async () => {
    await using world = await createWorld();
    await world.create('one');
    const claim = await world.take({ leaseSeconds: 60 });
    world.pass(100);
    expect(await world.report(claim, 'done')).toMatchObject({ state: 'done' });
  });

  test('lasts its time after a restart of the machine, and not longer', async () => {
    await using world = await createWorld();
    await world.create('one');
    await world.take({ leaseSeconds: 60 });
    world.restart();
    expect(await world.state('T-1')).toBe('claimed');
    world.pass(55);
    expect(await world.state('T-1')).toBe('ready');
  });

  test('is not touched by the wall clock', async () => {
    await using world = await createWorld();
    await world.create('one');
    await world.take({ leaseSeconds: 60 });
    world.clock.advance(10 * 365 * 24 * 60 * 60 * 1000);
    expect(await world.state('T-1')).toBe('claimed');
  });

  test('that runs out too often leaves the ticket to a person', async () => {
    await using world = await createWorld();
    await world.create('one', { maxAttempts: 2 });
    for (let count = 0; count < 2; count += 1) {
      await world.take({ leaseSeconds: 10 });
      world.pass(10);
    }
    expect(await world.state('T-1')).toBe('failed');
    const { tickets } = await world.call('ticket_find', { inbox: true });
    expect(tickets).toMatchObject([{ id: 'T-1', why: 'has failed 2 times' }]);
  });

  test('wakes whoever waits for work when it runs out', async () => {
    await using world = await createWorld();
    await world.create('one');
    await world.take({ leaseSeconds: 1 });
    world.pass(0.95);
    const waiting = world.take({ agent: 'b', waitSeconds: 50 });
    world.pass(1);
    expect((await waiting).id).toBe('T-1');
  });
});
