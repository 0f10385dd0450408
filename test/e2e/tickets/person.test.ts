import { expect, test } from 'vitest';
import { PlanWorld } from '../plans/plan-world.ts';
import { cites } from '../requirements.ts';
import { DECLINED, NO, ticketServer, YES } from './ticket-server.ts';

const UPDATE = 'ticket_update';
const declined = { isError: true, structuredContent: { code: 'declined' } };

test(`${cites('TICKET-PERSON', 'TICKET-LEASE')} a person takes a ticket from an agent, which is refused afterwards`, async () => {
  await using world = new PlanWorld();
  const agent = ticketServer(world);
  const window = await ticketServer(world).withPerson();
  const ref = await agent.ticket('Mend the fence');
  const { token } = await agent.next({ agent: 'ann' });
  const before = await agent.find(ref);
  for (const answer of [NO, DECLINED]) {
    const { question, result } = await window.asked(UPDATE, { id: ref, take: true }, answer);
    expect(question).toBe(
      'Only a person may decide this: take T-1 away from ann, who works on it? The ticket: "Mend the fence"',
    );
    expect(result).toMatchObject(declined);
  }
  const { leaseSecondsLeft: _, ...same } = await agent.find(ref);
  expect(before).toMatchObject(same);
  const { result } = await window.asked(UPDATE, { id: ref, take: true }, YES);
  expect(result.structuredContent).toMatchObject({ id: ref, state: 'ready' });
  await expect(agent.report(ref, token)).rejects.toMatchObject({
    code: 'claim_lost',
    message: expect.stringMatching(/it is ready\..*taken from ann by window/),
  });
  expect((await agent.next({ agent: 'ann' })).token).not.toBe(token);
});

test(`${cites('TICKET-PERSON')} what only a person may do is refused where nobody can be asked`, async () => {
  await using world = new PlanWorld();
  const server = ticketServer(world);
  const ref = await server.ticket('Mend the fence');
  await ticketServer(world).next({ agent: 'ann' });
  const before = await server.find(ref);
  for (const change of [
    { take: true },
    { state: 'deleted' },
    { state: 'done' },
    { take: true, state: 'done' },
  ]) {
    await expect(server.update(ref, change)).rejects.toMatchObject({ code: 'person_needed' });
  }
  const { leaseSecondsLeft: _, ...same } = await server.find(ref);
  expect(before).toMatchObject(same);
});

test(`${cites('TICKET-PERSON', 'TICKET-NEEDS')} a deleted whole leaves its parts alive`, async () => {
  await using world = new PlanWorld();
  const window = await ticketServer(world).withPerson();
  const whole = await window.ticket('House');
  const part = await window.ticket('Wall', { parent: whole });
  const later = await window.ticket('Party', { needs: [whole] });
  const deletion = { id: whole, state: 'deleted' };
  expect((await window.asked(UPDATE, deletion, NO)).result).toMatchObject(declined);
  expect(await window.find(part)).toMatchObject({ parent: [whole] });
  const { question, result } = await window.asked(UPDATE, deletion, YES);
  expect(question).toContain('delete T-1 with its history for good');
  expect(result.structuredContent).toMatchObject({ id: whole, state: 'deleted' });
  await expect(window.find(whole)).rejects.toMatchObject({
    code: 'ticket_unknown',
    message: 'T-1 was deleted.',
  });
  expect(await window.find(part)).not.toHaveProperty('parent');
  expect((await window.history(part)).at(-1)).toContain('T-1, which was deleted');
  expect(await window.find(later)).toMatchObject({ state: 'ready' });
  // Its number never comes back.
  expect(await window.ticket('Another')).toBe('T-4');
});

test(`${cites('TICKET-PERSON')} a question that was asked about an older version does not count`, async () => {
  await using world = new PlanWorld();
  const agent = ticketServer(world);
  const window = await ticketServer(world).withPerson();
  const ref = await agent.ticket('Mend the fence');
  const reply = window.request('tools/call', {
    name: UPDATE,
    arguments: { id: ref, state: 'deleted' },
  });
  const first = await window.program.until('a question', () =>
    window.program.replies.find(({ method }) => method === 'elicitation/create'),
  );
  await agent.update(ref, { title: 'Mend the fence, and keep this ticket' });
  window.program.send({ id: first.id, result: YES });
  const second = await window.program.until('another question', () =>
    window.program.replies.find(
      ({ method, id }) => method === 'elicitation/create' && id !== first.id,
    ),
  );
  expect(second.params.message).toContain('keep this ticket');
  window.program.send({ id: second.id, result: NO });
  expect((await reply).result).toMatchObject(declined);
  expect(await agent.find(ref)).toMatchObject({ state: 'ready' });
});
