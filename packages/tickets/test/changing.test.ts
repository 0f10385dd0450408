import { describe, expect, test } from 'vitest';
import { createWorld, refusal, type World } from './world.ts';

const yes = { can: { ask: true, sample: false, roots: false } };

/** The same call again with the answer to its question. */
async function answered(world: World, args: object, answer: boolean) {
  const { requests } = await world.call('ticket_update', args, yes);
  const [key] = Object.keys(requests);
  const answers = { [String(key)]: { yes: answer } };
  return world.call('ticket_update', args, { ...yes, answers });
}

describe('a change', () => {
  test('is written down with what was before', async () => {
    await using world = await createWorld();
    const id = await world.create('one', { labels: ['a', 'b'] });
    const changes = { title: 'two', priority: 1, labels: ['-a', 'c'], assignee: 'anna' };
    expect(await world.call('ticket_update', { id, ...changes })).toMatchObject({ version: 2 });
    const { ticket, history } = await world.call('ticket_find', { id, history: true });
    expect(ticket).toMatchObject({ title: 'two', priority: 1, labels: ['b', 'c'] });
    expect(history[1]).toContain('title one → two, priority 3 → 1, assignee none → anna');
    expect(history[1]).toContain('labels ["a","b"] → ["b","c"]');
    await world.call('ticket_update', { id, assignee: '' });
    expect((await world.call('ticket_find', { id })).ticket.assignee).toBeUndefined();
  });

  test('that changes nothing is none', async () => {
    await using world = await createWorld();
    const id = await world.create('one', { labels: ['a'] });
    const same = { id, title: 'one', labels: ['a', '-z'] };
    expect(await world.call('ticket_update', same)).toMatchObject({ version: 1 });
  });

  test('of an older version is refused, and says what has changed since', async () => {
    await using world = await createWorld();
    const id = await world.create('one');
    await world.call('ticket_update', { id, version: 1, priority: 1, agent: 'anna' });
    const late = await refusal(world.call('ticket_update', { id, version: 1, title: 'x' }));
    expect(late.code).toBe('version_conflict');
    expect(late.message).toContain('has version 2, not 1');
    expect(late.message).toContain('priority 3 → 1 by anna');
    expect(late.next).toContain('version 2');
    await world.call('ticket_update', { id, version: 1, note: 'a note does no harm' });
    expect((await world.call('ticket_find', { id })).ticket).toMatchObject({ title: 'one' });
  });

  test('is found by its new words, and by the words of notes', async () => {
    await using world = await createWorld();
    const id = await world.create('apple', { body: 'pear' });
    await world.call('ticket_update', { id, title: 'cherry', note: 'banana split' });
    const find = async (text: string) =>
      (await world.call('ticket_find', { text })).tickets.map((found: { id: string }) => found.id);
    expect(await find('apple')).toEqual([]);
    expect(await find('cherry pear')).toEqual([id]);
    expect(await find('bananas')).toEqual([]);
    expect(await find('BANANA')).toEqual([id]);
  });

  test('by somebody who does not have the ticket cannot move it', async () => {
    await using world = await createWorld();
    await world.create('one');
    const claim = await world.take({ agent: 'a' });
    for (const state of ['ready', 'cancelled', 'blocked']) {
      const moved = world.call('ticket_update', { id: 'T-1', state, waitsFor: 'x' });
      expect((await refusal(moved)).code).toBe('ticket_claimed');
    }
    await world.call('ticket_update', { id: 'T-1', priority: 1, note: 'hurry' });
    expect(await world.call('ticket_update', { ...claim, state: 'ready' })).toMatchObject({
      state: 'ready',
    });
  });

  test('with a token that is over is refused as a whole', async () => {
    await using world = await createWorld();
    await world.create('one');
    const claim = await world.take({ leaseSeconds: 5 });
    world.pass(5);
    await world.take();
    const late = world.call('ticket_update', { ...claim, priority: 1 });
    expect((await refusal(late)).code).toBe('claim_lost');
    expect((await world.call('ticket_find', { id: 'T-1' })).ticket.priority).toBe(3);
  });
});

describe('states by hand', () => {
  test('open again what was closed, with all its chances', async () => {
    await using world = await createWorld();
    await world.create('one', { maxAttempts: 1 });
    await world.report(await world.take(), 'failed');
    expect(await world.state('T-1')).toBe('failed');
    await world.call('ticket_update', { id: 'T-1', state: 'ready' });
    await world.report(await world.take(), 'done');
    await world.call('ticket_update', { id: 'T-1', state: 'ready' });
    expect((await world.call('ticket_find', { id: 'T-1' })).ticket).toMatchObject({
      state: 'ready',
      attempts: '0/1',
    });
  });

  test('block with whom it waits for, and nothing that is over', async () => {
    await using world = await createWorld();
    const id = await world.create('one');
    const blocked = { id, state: 'blocked' };
    expect((await refusal(world.call('ticket_update', blocked))).code).toBe('waits_for_whom');
    await world.call('ticket_update', { ...blocked, waitsFor: 'the release' });
    expect((await world.take()).id).toBeUndefined();
    await world.call('ticket_update', { id, state: 'cancelled' });
    const late = world.call('ticket_update', { ...blocked, waitsFor: 'x' });
    expect((await refusal(late)).code).toBe('ticket_state');
  });

  test('answer a question', async () => {
    await using world = await createWorld();
    const id = await world.create('Which?', { kind: 'question' });
    expect((await world.call('ticket_find', { inbox: 'here' })).tickets).toMatchObject([
      { id, why: 'asks a question' },
    ]);
    const waiting = world.call('ticket_find', { id, waitSeconds: 50 });
    await world.call('ticket_update', { id, state: 'done', resolution: 'The second.' });
    expect((await waiting).ticket).toMatchObject({ state: 'done', resolution: 'The second.' });
  });

  test('do not let work for agents count as done, unless a person says so', async () => {
    await using world = await createWorld();
    const id = await world.create('one', { checks: ['false'] });
    const done = { id, state: 'done', resolution: 'Good enough.' };
    const alone = await refusal(world.call('ticket_update', done));
    expect(alone.code).toBe('person_needed');
    expect(alone.next).toContain('baton inbox decide');
    expect((await refusal(answered(world, done, false))).code).toBe('declined');
    expect(await world.state(id)).toBe('ready');
    expect(await answered(world, done, true)).toMatchObject({ state: 'done' });
  });

  test('take a ticket from an agent, if a person says so', async () => {
    await using world = await createWorld();
    await world.create('one', { checks: ['true'] });
    const claim = await world.take({ agent: 'a' });
    await world.report(claim, 'done', { waitSeconds: 0 });
    const take = { id: 'T-1', take: true, assignee: 'anna', agent: 'anna' };
    expect((await refusal(world.call('ticket_update', take))).code).toBe('person_needed');
    expect(await answered(world, take, true)).toMatchObject({ state: 'ready' });
    expect([...world.runs.values()]).toMatchObject([{ isCancelled: true }]);
    const late = await refusal(world.report(claim, 'failed'));
    expect(late.code).toBe('claim_lost');
    expect(late.message).toContain('taken from a by anna');
    expect((await world.take({ agent: 'a' })).id).toBeUndefined();
  });
});

describe('deleting', () => {
  test('needs a person, and leaves parts and dependents to go on', async () => {
    await using world = await createWorld();
    const parent = await world.create('parent');
    const part = await world.create('part', { parent });
    const after = await world.create('after', { needs: [parent] });
    expect(await world.state(parent)).toBe('waiting');
    const gone = { id: parent, state: 'deleted' };
    expect((await refusal(world.call('ticket_update', gone))).code).toBe('person_needed');
    expect(await answered(world, gone, true)).toMatchObject({ state: 'deleted' });
    expect((await world.call('ticket_find', { id: part })).ticket.parent).toBeUndefined();
    expect(await world.state(after)).toBe('ready');
    const unknown = await refusal(world.call('ticket_find', { id: parent }));
    expect(unknown.message).toBe(`${parent} was deleted.`);
    expect(await world.create('the next')).toBe('T-4');
    expect((await world.call('ticket_find', { text: 'parent' })).tickets).toEqual([]);
    expect(world.ended.map(({ state }) => state)).toEqual(['cancelled']);
  });

  test('of a part lets its parent go on', async () => {
    await using world = await createWorld();
    const parent = await world.create('parent');
    const part = await world.create('part', { parent });
    await answered(world, { id: part, state: 'deleted' }, true);
    expect(await world.state(parent)).toBe('ready');
  });
});
