import { expect, test } from 'vitest';
import { createWorld, refusal } from './world.ts';

test('a ticket waits for what it needs, and for its parts', async () => {
  await using world = await createWorld();
  const need = await world.create('need', { priority: 1 });
  const whole = await world.create('whole', { needs: [need] });
  const part = await world.create('part', { parent: whole, priority: 2 });
  expect(await world.state(whole)).toBe('waiting');
  await world.report(await world.take(), 'done');
  expect(await world.state(whole)).toBe('waiting');
  const { ticket } = await world.call('ticket_find', { id: whole });
  expect(ticket).toMatchObject({ needs: [need], subtasks: [part], open: [`${part} (ready)`] });
  await world.report(await world.take(), 'done');
  expect(await world.state(whole)).toBe('ready');
  await world.call('ticket_update', { id: need, state: 'ready' });
  expect(await world.state(whole)).toBe('waiting');
});

test('a part that was cancelled is no longer waited for, a need still is', async () => {
  await using world = await createWorld();
  const need = await world.create('need');
  const after = await world.create('after', { needs: [need] });
  const whole = await world.create('whole');
  const part = await world.create('part', { parent: whole });
  await world.call('ticket_update', { id: part, state: 'cancelled' });
  await world.call('ticket_update', { id: need, state: 'cancelled' });
  expect([await world.state(whole), await world.state(after)]).toEqual(['ready', 'waiting']);
  expect((await world.call('ticket_find', { inbox: 'here' })).tickets).toMatchObject([
    { id: after, why: `needs ${need}, which will not be done` },
  ]);
  const unlink = [{ type: 'needs', ticket: need, remove: true }];
  await world.call('ticket_update', { id: after, links: unlink });
  expect(await world.state(after)).toBe('ready');
});

test('every type is one of two ends of a link', async () => {
  await using world = await createWorld();
  const one = await world.create('one');
  const two = await world.create('two', {
    links: [
      { type: 'blocks', ticket: one },
      { type: 'related', ticket: one },
    ],
  });
  const three = await world.create('three', { links: [{ type: 'subtask', ticket: two }] });
  expect((await world.call('ticket_find', { id: one })).ticket).toMatchObject({
    needs: [two],
    related: [two],
  });
  expect((await world.call('ticket_find', { id: two })).ticket).toMatchObject({
    blocks: [one],
    related: [one],
    parent: [three],
  });
});

test('a duplicate is closed, and says of which', async () => {
  await using world = await createWorld();
  const one = await world.create('one');
  const two = await world.create('two');
  const links = [{ type: 'duplicate', ticket: one }];
  expect(await world.call('ticket_update', { id: two, links })).toMatchObject({
    state: 'cancelled',
  });
  expect((await world.call('ticket_find', { id: one })).ticket.duplicates).toEqual([two]);
});

test.each([
  ['itself', (ids: string[]) => ({ id: ids[0], type: 'needs', ticket: ids[0] }), 'T-1 → T-1'],
  [
    'what needs it',
    (ids: string[]) => ({ id: ids[0], type: 'needs', ticket: ids[2] }),
    'T-1 → T-3 → T-2 → T-1',
  ],
  [
    'the whole that it is a part of',
    (ids: string[]) => ({ id: ids[3], type: 'needs', ticket: ids[0] }),
    'T-4 → T-1 → T-4',
  ],
  [
    'as its parent, what needs it',
    (ids: string[]) => ({ id: ids[2], type: 'parent', ticket: ids[0] }),
    'T-1 → T-3 → T-2 → T-1',
  ],
])('a circle through %s is refused with the whole way', async (_, link, way) => {
  await using world = await createWorld();
  const ids = [await world.create('one')];
  for (const need of ['T-1', 'T-2']) ids.push(await world.create('next', { needs: [need] }));
  ids.push(await world.create('part', { parent: 'T-1' }));
  const { id, ...made } = link(ids);
  const refused = await refusal(world.call('ticket_update', { id, links: [made], title: 'x' }));
  expect(refused).toMatchObject({ code: 'needs_circle' });
  expect(refused.message).toContain(`: ${way}.`);
  expect((await world.call('ticket_find', { id })).ticket.title).not.toBe('x');
});

test('what does not exist cannot be linked, and nothing is made', async () => {
  await using world = await createWorld();
  const made = world.create('one', { needs: ['T-1'] });
  expect((await refusal(made)).code).toBe('ticket_unknown');
  expect((await world.call('ticket_find')).tickets).toEqual([]);
  expect(await world.create('first')).toBe('T-1');
});

test('a need through many ways is looked at once', async () => {
  await using world = await createWorld();
  // Twenty layers of two that need both of the layer before: a million ways.
  let layer = [await world.create('a'), await world.create('b')];
  for (let depth = 0; depth < 20; depth += 1) {
    layer = [await world.create('a', { needs: layer }), await world.create('b', { needs: layer })];
  }
  const links = [{ type: 'needs', ticket: layer[0] }];
  const { message } = await refusal(world.call('ticket_update', { id: 'T-1', links }));
  expect(message).toContain('circle');
});
