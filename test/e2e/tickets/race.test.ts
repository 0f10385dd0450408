import { expect, test } from 'vitest';
import { PlanWorld } from '../plans/plan-world.ts';
import { cites } from '../requirements.ts';
import { type TicketServer, ticketServer } from './ticket-server.ts';

const SERVERS = 4;
const CALLS = 48;

/** Calls at once, spread over all servers. */
function atOnce<Result>(
  servers: readonly TicketServer[],
  count: number,
  call: (server: TicketServer, index: number) => Promise<Result>,
): Promise<Result[]> {
  return Promise.all(
    Array.from({ length: count }, (_, index) =>
      call(servers[index % servers.length] as TicketServer, index),
    ),
  );
}

function manyServers(world: PlanWorld): TicketServer[] {
  return Array.from({ length: SERVERS }, () => ticketServer(world));
}

test(`${cites('T18', 'TICKET-RACE')} ${CALLS} tickets made at once by ${SERVERS} servers are all there, each with a number of its own`, async () => {
  await using world = new PlanWorld();
  const servers = manyServers(world);
  const made = await atOnce(servers, CALLS, (server, index) => server.ticket(`ticket ${index}`));
  const numbers = made.map((ref) => Number(ref.replace('T-', ''))).sort((a, b) => a - b);
  expect(numbers).toEqual(Array.from({ length: CALLS }, (_, index) => index + 1));
  for (const server of servers) {
    const found = await server.list({ limit: 100 });
    const titles = new Map(found.map(({ id, title }) => [id, title]));
    expect(made.map((ref) => titles.get(ref))).toEqual(made.map((_, index) => `ticket ${index}`));
  }
});

test(`${cites('T18', 'TICKET-RACE')} ${CALLS} updates at once of a few tickets are all kept`, async () => {
  await using world = new PlanWorld();
  const servers = manyServers(world);
  const refs = await atOnce(servers, 3, (server, index) => server.ticket(`ticket ${index}`));
  // Not in step with the servers: each ticket is changed by all of them.
  const refOf = (index: number) => refs[index % refs.length] as string;
  await atOnce(servers, CALLS, (server, index) =>
    server.update(refOf(index), { note: `note ${index}.`, labels: [`label-${index}`] }),
  );
  for (const ref of refs) {
    const mine = Array.from({ length: CALLS }, (_, index) => index).filter(
      (index) => refOf(index) === ref,
    );
    const { labels, version } = await (servers[0] as TicketServer).find(ref);
    expect([...labels].sort()).toEqual(mine.map((index) => `label-${index}`).sort());
    const notes = (await (servers[1] as TicketServer).history(ref)).filter((line) =>
      line.startsWith('note'),
    );
    expect(notes.sort()).toEqual(mine.map((index) => `note of somebody: note ${index}.`).sort());
    expect(version).toBe(1 + 2 * mine.length);
  }
});

test(`${cites('T18', 'TICKET-VERSION')} of several edits of one version exactly one wins, and the others hear of it`, async () => {
  await using world = new PlanWorld();
  const servers = manyServers(world);
  const refs = await atOnce(servers, 8, (server, index) => server.ticket(`ticket ${index}`));
  for (const ref of refs) {
    const ends = await Promise.allSettled(
      servers.map((server, index) => server.update(ref, { version: 1, title: `by ${index}` })),
    );
    const winner = ends.findIndex(({ status }) => status === 'fulfilled');
    expect(ends.filter(({ status }) => status === 'fulfilled')).toMatchObject([
      { value: { id: ref, version: 2 } },
    ]);
    for (const end of ends.filter(({ status }) => status === 'rejected')) {
      expect(end).toMatchObject({
        reason: {
          code: 'version_conflict',
          message: expect.stringContaining(`→ by ${winner} by somebody`),
        },
      });
    }
    expect(await (servers[0] as TicketServer).find(ref)).toMatchObject({ title: `by ${winner}` });
  }
});
