import { cites } from '@baton/e2e/requirements';
import { runSeeds } from '@baton/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ACTIONS } from '../src/actions.ts';
import { Machine } from './simulation/machine.ts';
import { allMoves } from './simulation/moves.ts';
import { simulate } from './simulation/simulate.ts';
import { World } from './simulation/world.ts';

const FIRST = Number(process.env.PLANS_SIMULATION_SEED ?? 1);
const SEEDS = Number(process.env.PLANS_SIMULATION_SEEDS ?? 300);
/** With so many seeds, everything that can happen does. */
const MANY = 500;

let machine: Machine;
beforeAll(async () => {
  machine = await Machine.start();
});
afterAll(() => machine.store.close());

async function run(seed: number, counts = new Map<string, number>()) {
  await machine.reset();
  const world = new World(machine, seed, counts);
  try {
    await simulate(world);
    return { trace: world.trace };
  } catch (error) {
    return { trace: world.trace, error };
  }
}

const title = `${SEEDS} seeds of crashes and people's doings, from ${FIRST}: plans do what their model says`;
/** Plans here work without git: landing is tested with real repositories. */
const OF_GIT = ['land', 'plan succeeded → running'];

test(`${cites('T40')} ${title}`, async () => {
  const counts = new Map<string, number>();
  const ran = await runSeeds({
    of: 'plans',
    first: FIRST,
    count: SEEDS,
    run: (seed) => run(seed, counts),
  });
  expect(ran).toBe(SEEDS);
  expect(counts.get('done')).toBeGreaterThan(0);
  if (SEEDS < MANY) return;
  const things = ['claimed', 'late', 'lost', 'lost while it is stopped', 'stopped', 'reaped'];
  const tickets = ['parked', 'ticket succeeded', 'ticket failed', 'ticket in vain'];
  const faults = ['crashed', 'stalled', 'died', 'vanished'];
  const wanted = [...ACTIONS, ...allMoves(), ...things, ...tickets, ...faults];
  const missing = wanted.filter((what) => !counts.has(what) && !OF_GIT.includes(what));
  expect(missing).toEqual([]);
}, 1_800_000);

test(`${cites('T40')} a seed replays exactly, and one that fails says how`, async () => {
  const first = await run(FIRST);
  await run(FIRST + 1);
  expect(await run(FIRST)).toEqual(first);
  const failing = async (seed: number) => ({ ...(await run(seed)), error: new Error('a race') });
  const failed = runSeeds({ of: 'plans', first: FIRST, count: 2, run: failing });
  const variable = 'PLANS_SIMULATION';
  await expect(failed).rejects.toThrow(
    `seed ${FIRST}: a race\n\nreplay: ${variable}_SEED=${FIRST} ${variable}_SEEDS=1 npx vitest run packages/plans/test/simulation.test.ts\n\n${first.trace[0]}`,
  );
});
