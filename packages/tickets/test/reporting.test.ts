import { describe, expect, test } from 'vitest';
import { createWorld, refusal } from './world.ts';

describe('a report', () => {
  test('of done closes the ticket, says what came of it and what is next', async () => {
    await using world = await createWorld();
    await world.create('one');
    const claim = await world.take();
    const more = {
      summary: 'All good.',
      files: ['a.ts'],
      decisions: ['kept b'],
      commit: 'abc1234',
    };
    expect(await world.report(claim, 'done', more)).toEqual({
      id: 'T-1',
      state: 'done',
      next: 'Take the next one with ticket_next.',
    });
    const { ticket } = await world.call('ticket_find', { id: 'T-1' });
    expect(ticket).toMatchObject({ state: 'done', resolution: 'All good.' });
    expect(world.ended.map(({ number }) => number)).toEqual([1]);
  });

  test('of failed gives it to the next one, until it was tried too often', async () => {
    await using world = await createWorld();
    await world.create('one', { maxAttempts: 2 });
    expect(await world.report(await world.take(), 'failed')).toMatchObject({ state: 'ready' });
    expect(await world.report(await world.take(), 'failed')).toMatchObject({
      state: 'failed',
      next: expect.stringContaining('a person decides'),
    });
    expect(world.ended).toEqual([]);
  });

  test('of partial gives it back with the note, and costs no attempt', async () => {
    await using world = await createWorld();
    await world.create('one');
    const summary = 'The first half is there.';
    expect(await world.report(await world.take(), 'partial', { summary })).toMatchObject({
      state: 'ready',
    });
    const { ticket } = await world.call('ticket_next');
    expect(ticket.attempts).toBe('0/3');
    expect(ticket.notes.join()).toContain(summary);
  });

  test('of blocked must say who or what it waits for', async () => {
    await using world = await createWorld();
    await world.create('one');
    const claim = await world.take();
    expect((await refusal(world.report(claim, 'blocked'))).code).toBe('waits_for_whom');
    expect(await world.state('T-1')).toBe('claimed');
    await world.report(claim, 'blocked', { waitsFor: 'anna' });
    const { ticket } = await world.call('ticket_find', { id: 'T-1' });
    expect(ticket).toMatchObject({ state: 'blocked', waitsFor: 'anna' });
  });

  test('of blocked by a ticket goes on by itself when that is done', async () => {
    await using world = await createWorld();
    const one = await world.create('one', { priority: 1 });
    const other = await world.create('other');
    const claim = await world.take();
    expect(claim.id).toBe(one);
    expect(await world.report(claim, 'blocked', { waitsFor: other })).toMatchObject({
      state: 'waiting',
    });
    await world.report(await world.take(), 'done');
    expect(await world.state(one)).toBe('ready');
  });

  test('needs the claim: by token, by connection, or by the name of the agent', async () => {
    await using world = await createWorld();
    for (let count = 0; count < 3; count += 1) await world.create('work');
    const mine = { caller: { connection: 'mine' } };
    const { ticket } = await world.call('ticket_next', {}, mine);
    const done = { id: ticket.id, outcome: 'done', summary: 'x' };
    expect((await refusal(world.call('ticket_report', done))).code).toBe('token_needed');
    const other = { caller: { connection: 'other' } };
    expect((await refusal(world.call('ticket_report', done, other))).code).toBe('token_needed');
    expect(await world.call('ticket_report', done, mine)).toMatchObject({ state: 'done' });

    const named = await world.take({ agent: 'a' });
    const by = { id: named.id, outcome: 'done', summary: 'x', agent: 'a' };
    expect(await world.call('ticket_report', by)).toMatchObject({ state: 'done' });

    const { id } = await world.take();
    const wrong = await refusal(world.report({ id, token: '3.1.nonsense' }, 'done'));
    expect(wrong.code).toBe('claim_lost');
    expect((await refusal(world.report({ id, token: 'nonsense' }, 'done'))).code).toBe(
      'token_foreign',
    );
  });

  test('that is repeated says the same and counts once', async () => {
    await using world = await createWorld();
    await world.create('one');
    const claim = await world.take();
    const first = await world.report(claim, 'done');
    expect(await world.report(claim, 'done')).toEqual(first);
    const { history } = await world.call('ticket_find', { id: 'T-1', history: true });
    expect(history.filter((line: string) => line.startsWith('reported'))).toHaveLength(1);
    expect((await refusal(world.report(claim, 'failed'))).code).toBe('claim_lost');
  });

  test('of failed that is repeated is no second attempt, and not one for the next', async () => {
    await using world = await createWorld();
    await world.create('one');
    const claim = await world.take();
    await world.report(claim, 'failed');
    expect(await world.report(claim, 'failed')).toMatchObject({ state: 'ready' });
    const next = await world.take();
    expect((await refusal(world.report(claim, 'failed'))).code).toBe('claim_lost');
    expect(await world.report(next, 'done')).toMatchObject({ state: 'done' });
  });

  test('that comes late hears who has it now', async () => {
    await using world = await createWorld();
    await world.create('one');
    const late = await world.take({ agent: 'late', leaseSeconds: 5 });
    world.pass(5);
    await world.take({ agent: 'next' });
    const { code, message, next } = await refusal(world.report(late, 'done'));
    expect(code).toBe('claim_lost');
    expect(message).toContain('claimed by next');
    expect(message).toContain('Nothing was changed');
    expect(next).toContain('ticket_next');
  });

  test('of a ticket that nobody has is refused', async () => {
    await using world = await createWorld();
    await world.create('one');
    const report = world.call('ticket_report', { id: 'T-1', outcome: 'done', summary: 'x' });
    expect((await refusal(report)).code).toBe('not_claimed');
    expect((await refusal(world.report({ id: 'T-9', token: '1.x' }, 'done'))).code).toBe(
      'ticket_unknown',
    );
  });

  test('of done is refused while something that it needs is open again', async () => {
    await using world = await createWorld();
    const need = await world.create('need');
    const after = await world.create('after', { needs: [need] });
    await world.report(await world.take(), 'done');
    const claim = await world.take();
    expect(claim.id).toBe(after);
    await world.call('ticket_update', { id: need, state: 'ready' });
    expect(await world.state(after)).toBe('claimed');
    const refused = await refusal(world.report(claim, 'done'));
    expect(refused).toMatchObject({ code: 'needs_open' });
    expect(refused.message).toContain(`${need} (ready)`);
    expect(await world.report(claim, 'partial')).toMatchObject({ state: 'waiting' });
  });
});

describe('checks', () => {
  test('decide whether a ticket is done', async () => {
    await using world = await createWorld();
    await world.create('one', { checks: ['npm test'] });
    const claim = await world.take();
    expect(await world.report(claim, 'done', { waitSeconds: 0 })).toMatchObject({
      state: 'verifying',
      next: expect.stringContaining('ticket_find'),
    });
    expect([...world.runs.values()]).toMatchObject([
      { workspace: '/ws', title: 'Checks of T-1: one', checks: ['npm test'] },
    ]);
    expect(await world.state('T-1')).toBe('verifying');
    world.endChecks('passed');
    const { ticket } = await world.call('ticket_find', { id: 'T-1' });
    expect(ticket).toMatchObject({ state: 'done', evidence: { verdict: 'passed', dirty: true } });
    expect(world.ended.map(({ number }) => number)).toEqual([1]);
  });

  test('that fail give it back to whoever reported it, three times', async () => {
    await using world = await createWorld();
    await world.create('one', { checks: ['npm test'] });
    const claim = await world.take();
    for (const round of [1, 2]) {
      await world.report(claim, 'done', { waitSeconds: 0 });
      world.endChecks('failed');
      const { ticket } = await world.call('ticket_find', { id: 'T-1' });
      expect(ticket).toMatchObject({ state: 'claimed', evidence: { verdict: 'failed' } });
      expect(ticket.leaseSecondsLeft, `round ${round}`).toBe(7200);
    }
    await world.report(claim, 'done', { waitSeconds: 0 });
    world.endChecks('failed');
    const { tickets } = await world.call('ticket_find', { inbox: true });
    expect(tickets).toMatchObject([
      { id: 'T-1', state: 'blocked', why: 'waits for a person: the checks have failed 3 times' },
    ]);
    expect(await world.report(claim, 'done')).toMatchObject({ state: 'blocked' });
    expect(world.runs.size).toBe(3);
    expect((await refusal(world.report(claim, 'partial'))).code).toBe('claim_lost');
  });

  test('that fail tell the evidence in the answer to the report', async () => {
    await using world = await createWorld();
    await world.create('one', { checks: ['npm test'] });
    const claim = await world.take();
    const reporting = world.report(claim, 'done', { waitSeconds: 50 });
    await world.create('something else happens');
    while (world.runs.size === 0) await new Promise((resolve) => setImmediate(resolve));
    world.endChecks('failed');
    await world.create('and wakes whoever waits');
    expect(await reporting).toMatchObject({
      state: 'claimed',
      evidence: { verdict: 'failed', checks: [{ command: 'npm test', passed: false }] },
      next: expect.stringContaining('round 1 of 3'),
    });
  });

  test('that were cancelled are no verdict', async () => {
    await using world = await createWorld();
    await world.create('one', { checks: ['npm test'] });
    const claim = await world.take();
    await world.report(claim, 'done', { waitSeconds: 0 });
    world.endChecks('cancelled');
    expect(await world.state('T-1')).toBe('claimed');
    await world.report(claim, 'done', { waitSeconds: 0 });
    world.endChecks('passed');
    expect(await world.state('T-1')).toBe('done');
  });

  test('hold the lease while they run', async () => {
    await using world = await createWorld();
    await world.create('one', { checks: ['npm test'] });
    const claim = await world.take({ leaseSeconds: 10 });
    await world.report(claim, 'done', { waitSeconds: 0 });
    world.pass(100);
    expect(await world.state('T-1')).toBe('verifying');
    const again = await refusal(world.report(claim, 'failed'));
    expect(again.code).toBe('still_verifying');
  });

  test('are ended when the ticket is cancelled meanwhile', async () => {
    await using world = await createWorld();
    await world.create('one', { checks: ['npm test'] });
    const claim = await world.take();
    await world.report(claim, 'done', { waitSeconds: 0 });
    await world.call('ticket_update', { ...claim, state: 'cancelled' });
    expect([...world.runs.values()]).toMatchObject([{ isCancelled: true }]);
    world.endChecks('passed');
    expect(await world.state('T-1')).toBe('cancelled');
  });

  test('are concluded once, and say nothing about a later round', async () => {
    await using world = await createWorld();
    await world.create('one', { checks: ['npm test'] });
    const claim = await world.take();
    await world.report(claim, 'done', { waitSeconds: 0 });
    world.endChecks('failed');
    world.meanwhile = async () => {
      expect(await world.state('T-1')).toBe('claimed');
      await world.report(claim, 'done', { waitSeconds: 0 });
    };
    expect(await world.state('T-1')).toBe('verifying');
    world.endChecks('passed');
    expect(await world.state('T-1')).toBe('done');
  });

  test('cannot be changed by whoever works on it, nor while they run', async () => {
    await using world = await createWorld();
    await world.create('one', { checks: ['npm test'] });
    const claim = await world.take();
    const change = () => refusal(world.call('ticket_update', { ...claim, checks: ['true'] }));
    expect((await change()).code).toBe('checks_fixed');
    await world.report(claim, 'done', { waitSeconds: 0 });
    expect((await change()).code).toBe('checks_fixed');
    world.endChecks('failed');
    await world.report(claim, 'partial');
    await world.call('ticket_update', { id: 'T-1', checks: ['true'] });
  });

  test('that have failed still count after the ticket was given back', async () => {
    await using world = await createWorld();
    await world.create('one', { checks: ['npm test'] });
    for (const round of [1, 2, 3]) {
      const claim = await world.take();
      await world.report(claim, 'done', { waitSeconds: 0 });
      world.endChecks('failed');
      if (round === 3) break;
      expect(await world.state('T-1')).toBe('claimed');
      await world.call('ticket_update', { ...claim, state: 'ready' });
    }
    expect(await world.state('T-1')).toBe('blocked');
  });
});
