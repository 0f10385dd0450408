import { expect, test } from 'vitest';
import { PlanWorld } from '../plans/plan-world.ts';
import { cites } from '../requirements.ts';
import { ticketServer } from './ticket-server.ts';

test(`${cites('TICKET-NEEDS')} a ticket waits for its needs, and again when one is opened again`, async () => {
  await using world = new PlanWorld();
  const [server, other] = [ticketServer(world), ticketServer(world)];
  const wall = await server.ticket('Build the wall');
  const paint = await server.ticket('Paint it', { needs: [wall], priority: 1 });
  const waiting = { state: 'waiting', open: ['T-1 (ready)'], needs: [wall] };
  expect(await server.find(paint)).toMatchObject(waiting);
  const first = await server.next();
  expect(first.ticket).toMatchObject({ id: wall, blocks: [paint] });
  expect(await other.next()).not.toHaveProperty('ticket');
  const soon = other.nextSoon();
  await server.report(wall, first.token);
  const { token } = await soon;
  expect(await server.find(paint)).toMatchObject({ state: 'claimed' });

  await server.update(wall, { state: 'ready' });
  const before = await server.find(paint);
  expect(before).toMatchObject({ state: 'claimed', open: ['T-1 (ready)'] });
  await expect(other.report(paint, token)).rejects.toMatchObject({
    code: 'needs_open',
    message: 'T-2 cannot be done before T-1 (ready). Nothing was changed.',
  });
  expect(await server.find(paint)).toMatchObject({ version: before.version });
  expect(await other.report(paint, token, { outcome: 'partial' })).toMatchObject({
    state: 'waiting',
  });
  await server.report(wall, (await server.next()).token);
  expect(await other.find(paint)).toMatchObject({ state: 'ready' });
  await server.update(wall, { state: 'ready' });
  expect(await other.find(paint)).toMatchObject(waiting);
});

test(`${cites('TICKET-NEEDS')} a whole waits for its parts, done or not wanted any more`, async () => {
  await using world = new PlanWorld();
  const server = ticketServer(world);
  const whole = await server.ticket('House');
  await server.ticket('Wall', { parent: whole });
  await server.ticket('Roof', { parent: whole });
  expect(await server.find(whole)).toMatchObject({ state: 'waiting', subtasks: ['T-2', 'T-3'] });
  await server.report('T-2', (await server.next()).token);
  expect(await server.find(whole)).toMatchObject({ state: 'waiting', open: ['T-3 (ready)'] });
  await server.update('T-3', { state: 'cancelled', resolution: 'It never rains.' });
  expect((await server.next()).ticket.id).toBe(whole);
});

test(`${cites('TICKET-NEEDS')} circles are refused with their path, whoever closes them`, async () => {
  await using world = new PlanWorld();
  const [server, other] = [ticketServer(world), ticketServer(world)];
  for (const needs of [[], ['T-1'], ['T-2']]) await server.ticket('One of many', { needs });
  const needs = (ticket: string) => ({ links: [{ type: 'needs', ticket }] });
  await expect(server.update('T-1', { title: 'Changed', ...needs('T-3') })).rejects.toMatchObject({
    code: 'needs_circle',
    message: expect.stringContaining('T-1 → T-3 → T-2 → T-1. Nothing was changed.'),
  });
  expect(await server.find('T-1')).toMatchObject({ title: 'One of many', version: 1 });
  const refused = { code: 'needs_circle' };
  await expect(server.update('T-2', needs('T-2'))).rejects.toMatchObject(refused);
  const parts = { links: [{ type: 'subtask', ticket: 'T-3' }] };
  await expect(server.update('T-1', parts)).rejects.toMatchObject(refused);

  await Promise.all([server.ticket('Hen'), server.ticket('Egg')]);
  const ends = await Promise.allSettled([
    server.update('T-4', needs('T-5')),
    other.update('T-5', needs('T-4')),
  ]);
  expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const reasons = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
  expect(reasons).toMatchObject([refused]);
});

test(`${cites('TICKET-NEEDS', 'TICKET-INBOX')} a need that was given up is told to a person`, async () => {
  await using world = new PlanWorld();
  const server = ticketServer(world);
  const need = await server.ticket('Buy paint');
  const ref = await server.ticket('Paint it', { needs: [need] });
  expect(await server.inbox()).toEqual([]);
  await server.update(need, { state: 'cancelled' });
  expect(await server.inbox()).toMatchObject([
    { id: ref, state: 'waiting', why: 'needs T-1, which will not be done' },
  ]);
  await server.update(ref, { links: [{ type: 'needs', ticket: need, remove: true }] });
  expect(await server.inbox()).toEqual([]);
  expect((await server.next()).ticket.id).toBe(ref);
});

test(`${cites('TICKET-NEEDS', 'TICKET-INBOX')} what is blocked says for whom; what waits for a ticket goes on by itself`, async () => {
  await using world = new PlanWorld();
  const server = ticketServer(world);
  const ref = await server.ticket('Paint it');
  const { token } = await server.next();
  const blocked = { outcome: 'blocked' };
  for (const waitsFor of [{}, { waitsFor: '' }, { waitsFor: '  ' }]) {
    const report = server.report(ref, token, { ...blocked, ...waitsFor });
    await expect(report).rejects.toMatchObject({
      code: expect.stringMatching(/^(waits_for_whom|invalid_input)$/),
    });
  }
  await expect(server.report(ref, token, { ...blocked, waitsFor: 'T-99' })).rejects.toMatchObject({
    code: 'ticket_unknown',
  });
  expect(await server.find(ref)).toMatchObject({ state: 'claimed', version: 2 });
  await server.report(ref, token, { ...blocked, waitsFor: 'anna' });
  expect(await server.inbox()).toMatchObject([{ id: ref, why: 'waits for anna' }]);
  expect(await server.next()).not.toHaveProperty('ticket');

  await server.update(ref, { state: 'ready' });
  const again = await server.next();
  const wall = await server.ticket('Build the wall');
  const end = await server.report(ref, again.token, { ...blocked, waitsFor: wall });
  expect(end).toMatchObject({ state: 'waiting' });
  expect(await server.inbox()).toEqual([]);
  await server.report(wall, (await server.next()).token);
  expect((await server.next()).ticket.id).toBe(ref);
});
