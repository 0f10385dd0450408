import http from 'node:http';
import { serveProgram } from '@baton/testkit';
import { expect, test } from 'vitest';
import { call } from '../http.ts';
import { PlanWorld } from '../plans/plan-world.ts';
import { until } from '../plans/until.ts';
import { program } from '../programs.ts';
import { cites } from '../requirements.ts';
import { type TicketServer, ticketServer } from './ticket-server.ts';

const TICKET = { title: 'Mend the fence', key: 'fence', labels: ['garden'] };

async function isMade(witness: TicketServer): Promise<boolean> {
  return (await witness.list({ state: 'all' })).length > 0;
}

test(`${cites('T31')} a ticket whose answer was lost with its server is not made twice`, async () => {
  await using world = new PlanWorld();
  const [doomed, witness, other] = [ticketServer(world), ticketServer(world), ticketServer(world)];
  // Its answer is not read any more, and then nobody is there to send it.
  doomed.program.child.stdout.pause();
  doomed.program.send(call(1, 'ticket_create', TICKET));
  await until('the ticket', () => isMade(witness));
  doomed.program.child.kill('SIGKILL');
  const repeated = await Promise.all(
    [witness, other, other].map((server) => server.call('ticket_create', TICKET)),
  );
  expect(repeated.map(({ id }) => id)).toEqual(['T-1', 'T-1', 'T-1']);
  expect(new Set(repeated.map(({ uuid }) => uuid)).size).toBe(1);
  await expect(other.call('ticket_create', { ...TICKET, title: 'Paint it' })).rejects.toMatchObject(
    { code: 'key_conflict' },
  );
  expect(await witness.list({ state: 'all' })).toHaveLength(1);
  // The first answer, although the ticket has gone on since.
  await witness.report('T-1', (await witness.next()).token);
  expect(await other.call('ticket_create', TICKET)).toMatchObject({ id: 'T-1', state: 'done' });
});

test(`${cites('T31')} a ticket whose HTTP answer was cut off is not made twice`, async () => {
  await using world = new PlanWorld();
  const witness = ticketServer(world);
  await using served = await serveProgram(program, { cwd: world.workspace, env: world.env });
  const request = http.request(new URL('/mcp', served.address), {
    method: 'POST',
    headers: served.headers,
  });
  request.on('error', () => {}); // That is us.
  request.end(JSON.stringify(call(1, 'ticket_create', TICKET)));
  await until('the ticket', () => isMade(witness));
  request.destroy();
  expect(await witness.ticket(TICKET.title, TICKET)).toBe('T-1');
  expect(await witness.list({ state: 'all' })).toHaveLength(1);
});

test(`${cites('T31')} the same key at once on several servers makes one ticket`, async () => {
  await using world = new PlanWorld();
  const servers = Array.from({ length: 4 }, () => ticketServer(world));
  const ids = await Promise.all(
    Array.from({ length: 16 }, (_, index) =>
      (servers[index % 4] as TicketServer).ticket(TICKET.title, TICKET),
    ),
  );
  expect(new Set(ids)).toEqual(new Set(['T-1']));
  expect(await (servers[0] as TicketServer).list({ state: 'all' })).toHaveLength(1);
});

test.each([
  ['done', { state: 'done' }],
  ['failed', { state: 'ready' }],
  ['partial', { state: 'ready' }],
  ['blocked', { state: 'blocked' }],
])(
  `${cites('T31')} a report of "%s" that is repeated after a lost answer says the same and counts once`,
  async (outcome, end) => {
    await using world = new PlanWorld();
    const [doomed, other] = [ticketServer(world), ticketServer(world)];
    const ref = await doomed.ticket('Mend the fence');
    const { token } = await doomed.next({ agent: 'ann' });
    const report = { id: ref, token, outcome, summary: 'It was so.', waitsFor: 'bob' };
    doomed.program.child.stdout.pause();
    doomed.program.send(call('report', 'ticket_report', report));
    await until('the report', async () => (await other.find(ref)).state !== 'claimed');
    doomed.program.child.kill('SIGKILL');
    const before = await other.find(ref);
    for (const server of [other, ticketServer(world)]) {
      expect(await server.call('ticket_report', report)).toMatchObject({ id: ref, ...end });
    }
    expect(await other.find(ref)).toEqual(before);
    const reports = (await other.history(ref)).filter((line) => line.startsWith('reported'));
    expect(reports).toHaveLength(1);
    // Another report with the old token is none that was lost.
    const changed = { ...report, outcome: outcome === 'done' ? 'failed' : 'done' };
    await expect(other.call('ticket_report', changed)).rejects.toMatchObject({
      code: 'claim_lost',
    });
  },
);
