import { setTimeout as pause } from 'node:timers/promises';
import { createRandom } from '@baton/testkit';
import { expect, test } from 'vitest';
import { PlanWorld } from '../plans/plan-world.ts';
import { until } from '../plans/until.ts';
import { cites } from '../requirements.ts';
import { MortalServer } from './mortal-server.ts';
import { ticketServer } from './ticket-server.ts';

const KILLS = Number(process.env['BATON_TEST_KILLS'] ?? 15);
const SEED = Number(process.env['BATON_TEST_SEED'] ?? 20260728);
const TICKETS = 1000;
const SERVERS = 4;
const CLIENTS = 8;
const LEASE_SECONDS = 2;
const LONGEST_PAUSE_MS = 10;
const PATIENCE_MS = 120_000;

interface Records {
  /** Who was handed which token. */
  readonly holders: Map<string, Set<string>>;
  /** What was acknowledged as done: the summary, by ticket. */
  readonly acknowledged: Map<string, string[]>;
}

function noRecords(): Records {
  return { holders: new Map(), acknowledged: new Map() };
}

/** Takes tickets and reports them until none is open. Some say who they are, and others do not. */
async function work(server: MortalServer, name: string, isNamed: boolean, records: Records) {
  const wanted = { leaseSeconds: LEASE_SECONDS, ...(isNamed && { agent: name }) };
  for (let count = 0; ; count += 1) {
    const claimed = await server.insist((each) => each.next({ ...wanted, waitSeconds: 1 }));
    if (!claimed.ticket) {
      const open = await server.insist((each) => each.list({ limit: 1 }));
      if (open.length === 0) return;
      continue;
    }
    const { ticket, token } = claimed;
    const holders = records.holders.get(token) ?? new Set();
    records.holders.set(token, holders.add(name));
    const summary = `report ${count} of ${name}`;
    const isLost = await server
      .insist((each) => each.report(ticket.id, token, { summary }))
      .then(
        () => false,
        (error) => {
          expect(error).toMatchObject({ code: 'claim_lost' });
          return true;
        },
      );
    if (isLost) continue;
    const before = records.acknowledged.get(ticket.id) ?? [];
    records.acknowledged.set(ticket.id, [...before, summary]);
  }
}

test(`${cites('T18', 'T8', 'T31')} ${CLIENTS} clients do ${TICKETS} tickets once each while ${KILLS} servers are killed (seed ${SEED})`, {
  timeout: PATIENCE_MS + KILLS * 4000,
}, async () => {
  const random = createRandom(SEED);
  await using world = new PlanWorld();
  const witness = ticketServer(world);
  await Promise.all(
    Array.from({ length: TICKETS }, (_, index) =>
      witness.ticket(`ticket ${index}`, { maxAttempts: 100 }),
    ),
  );
  const servers = Array.from({ length: SERVERS }, () => new MortalServer(world));
  const records = noRecords();
  const working = Promise.all(
    Array.from({ length: CLIENTS }, (_, index) => {
      const server = servers[index % SERVERS] as MortalServer;
      return work(server, `client-${index}`, index < CLIENTS / 2, records);
    }),
  );
  // By what is done and not by time: then there is work to be killed on every machine.
  const moments = Array.from({ length: KILLS }, () => random.integer(TICKETS - CLIENTS));
  for (const moment of moments.sort((a, b) => a - b)) {
    const isReached = () => records.acknowledged.size >= moment;
    await Promise.race([until(`${moment} reports`, isReached, PATIENCE_MS), working]);
    await pause(random.integer(LONGEST_PAUSE_MS));
    await random.pick(servers).kill();
  }
  await working;

  expect([...records.holders.values()].filter((names) => names.size > 1)).toEqual([]);
  const stories = await Promise.all(
    Array.from({ length: TICKETS }, (_, index) => witness.history(`T-${index + 1}`)),
  );
  const wrong = stories.filter((story) => !isOnceEach(story));
  expect(wrong).toEqual([]);
  for (const [index, story] of stories.entries()) {
    const summary = story.at(-1)?.replace(/^reported done by [^:]*: /, '');
    // Once, however often the answer got lost before.
    expect(records.acknowledged.get(`T-${index + 1}`)).toEqual([summary]);
  }
  expect(await witness.list({ state: 'open' })).toEqual([]);
  expect(await world.baton('store', 'check')).toMatchObject({ stdout: 'No damage found.\n' });
});

/** Made, had by one after the other, and done at the end. */
function isOnceEach(story: readonly string[]): boolean {
  const words = story.map((line) => line.split(' ', 1)[0]).join(' ');
  return /^created (claimed taken )*claimed reported$/.test(words);
}
