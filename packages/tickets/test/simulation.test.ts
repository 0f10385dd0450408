import { expect, test } from 'vitest';
import { simulate } from './simulation/simulate.ts';

const first = Number(process.env.TICKETS_SIMULATION_SEED ?? 1);
const seeds = Number(process.env.TICKETS_SIMULATION_SEEDS ?? 30);
const STEPS = 80;

/** Each must happen somewhere, or the simulation shows less than it seems. */
const WANTED = [
  ...['create', 'next', 'report', 'update'],
  ...['waiting', 'ready', 'claimed', 'verifying', 'blocked', 'done', 'failed', 'cancelled'],
  ...['claim_lost', 'needs_circle', 'needs_open', 'still_verifying', 'ticket_unknown'],
];

test(`agents, a person and time do no harm (seeds ${first} to ${first + seeds - 1})`, async () => {
  const counts = new Map<string, number>();
  for (let seed = first; seed < first + seeds; seed += 1) {
    for (const [what, count] of await simulate(seed, STEPS)) {
      counts.set(what, (counts.get(what) ?? 0) + count);
    }
  }
  const missing = WANTED.filter((what) => !counts.has(what));
  expect(seeds < 30 ? [] : missing).toEqual([]);
}, 600_000);
