import { cites } from '@baton/e2e/requirements';
import { runSeeds } from '@baton/testkit';
import { expect, test } from 'vitest';
import { simulate } from './simulation/simulate.ts';

const FIRST = Number(process.env.TICKETS_SIMULATION_SEED ?? 1);
const SEEDS = Number(process.env.TICKETS_SIMULATION_SEEDS ?? 30);
const STEPS = 80;

/** Each must happen somewhere, or the simulation shows less than it seems. */
const WANTED = [
  ...['create', 'next', 'report', 'update'],
  ...['waiting', 'ready', 'claimed', 'verifying', 'blocked', 'done', 'failed', 'cancelled'],
  ...['claim_lost', 'needs_circle', 'needs_open', 'still_verifying', 'ticket_unknown'],
];

const title = `${SEEDS} seeds, from ${FIRST}: agents, a person and time do no harm to tickets`;
test(`${cites('T40')} ${title}`, async () => {
  const happened = new Set<string>();
  const run = async (seed: number) => {
    const { counts, ...outcome } = await simulate(seed, STEPS);
    for (const what of counts.keys()) happened.add(what);
    return outcome;
  };
  expect(await runSeeds({ of: 'tickets', first: FIRST, count: SEEDS, run })).toBe(SEEDS);
  expect(SEEDS < 30 ? [] : WANTED.filter((what) => !happened.has(what))).toEqual([]);
}, 600_000);

test(`${cites('T40')} a seed replays exactly`, async () => {
  const first = await simulate(FIRST, STEPS);
  expect(first.trace.length).toBeGreaterThan(STEPS);
  expect(await simulate(FIRST, STEPS)).toEqual(first);
});
