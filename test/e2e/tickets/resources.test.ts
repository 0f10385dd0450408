import { expect, test } from 'vitest';
import { PlanWorld } from '../plans/plan-world.ts';
import { cites } from '../requirements.ts';
import { type TicketServer, ticketServer } from './ticket-server.ts';

async function read(server: TicketServer, uri: string): Promise<string> {
  return (await server.request('resources/read', { uri })).result.contents[0].text;
}

async function complete(server: TicketServer, value: string): Promise<string[]> {
  const ref = { type: 'ref/resource', uri: 'baton://ticket/{id}' };
  const argument = { name: 'id', value };
  const { result } = await server.request('completion/complete', { ref, argument });
  return result.completion.values;
}

test(`${cites('TICKET-RESOURCES', 'RESOURCES-READ', 'COMPLETION')} a ticket is read with its whole text and history, and completed`, async () => {
  await using world = new PlanWorld();
  const server = ticketServer(world);
  const lines = ['First line', `${'long '.repeat(15_000)}end`];
  await server.ticket('Mend the fence', { body: lines.join('\n'), labels: ['garden'] });
  await server.update('T-1', { note: 'It is rotten.' });
  expect((await server.find('T-1')).body.length).toBeLessThan(6000);
  const text = await read(server, 'baton://ticket/T-1');
  for (const part of ['Mend the fence', 'garden', ...lines, 'created by', 'It is rotten.']) {
    expect(text).toContain(part);
  }
  for (const other of ['T-1', 't1', '1']) {
    expect(await read(server, `baton://ticket/${other}`)).toBe(text);
  }
  for (let count = 0; count < 10; count += 1) await server.ticket('Another');
  expect(await complete(server, 't-1')).toEqual(['T-11', 'T-10', 'T-1']);
  expect(await complete(server, 'T-2')).toEqual(['T-2']);
  expect(await complete(server, 'x')).toEqual([]);
});

test(`${cites('TICKET-RESOURCES', 'RESOURCES-UNKNOWN', 'T12')} what is no ticket of this workspace is -32602`, async () => {
  await using world = new PlanWorld();
  const server = ticketServer(world);
  await server.ticket('Mend the fence');
  const names = ['T-2', 'T-0', 'T-', 'nothing', '..', '%2e%2e', 'T-1/../T-1', '1e0', '__proto__'];
  for (const name of names) {
    const { error } = await server.request('resources/read', { uri: `baton://ticket/${name}` });
    expect(error, name).toMatchObject({ code: -32602 });
  }
});

test(`${cites('TICKET-RESOURCES', 'RESOURCES-SUBSCRIBE')} whoever subscribes to a ticket hears what others do to it`, async () => {
  await using world = new PlanWorld();
  const [listener, other] = [ticketServer(world), ticketServer(world)];
  const { program } = listener;
  await listener.request('initialize', { protocolVersion: '2025-06-18' });
  program.send({ method: 'notifications/initialized' });
  for (const title of ['Heard', 'Not heard']) await other.ticket(title);
  const uri = 'baton://ticket/T-1';
  expect(await listener.request('resources/subscribe', { uri })).toHaveProperty('result');
  const heard = () =>
    program.replies.filter(({ method }) => method === 'notifications/resources/updated');
  await program.until('the start of the watch', () => heard().length > 0);
  const steps: readonly [string, () => Promise<unknown>][] = [
    ['It is rotten.', () => other.update('T-1', { note: 'It is rotten.' })],
    ['claimed by ann', () => other.next({ agent: 'ann' })],
    ['reported done by ann', () => other.report('T-1', undefined, { agent: 'ann' })],
    ['done → ready', () => other.update('T-1', { state: 'ready' })],
  ];
  for (const [words, step] of steps) {
    const before = heard().length;
    await other.update('T-2', { note: words });
    await step();
    await program.until(`news of: ${words}`, () => heard().length > before);
    expect(await read(listener, uri)).toContain(words);
  }
  expect(heard().filter(({ params }) => params.uri !== uri)).toEqual([]);
});
