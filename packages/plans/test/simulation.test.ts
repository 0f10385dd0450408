import { cites } from '@baton/e2e/requirements';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ACTIONS } from '../src/actions.ts';
import { Machine } from './simulation/machine.ts';
import { allMoves } from './simulation/moves.ts';
import { simulate } from './simulation/simulate.ts';
import { World } from './simulation/world.ts';

// A failing seed is printed with the command that replays it.
const FIRST = Number(process.env.PLANS_SIMULATION_SEED ?? 1);
const SEEDS = Number(process.env.PLANS_SIMULATION_SEEDS ?? 300);
/** With so many seeds, everything that can happen does. */
const MANY = 500;
const BATCH = 20;

let machine: Machine;
beforeAll(async () => {
  machine = await Machine.start();
});
afterAll(() => machine.store.close());

async function run(seed: number, counts = new Map<string, number>()): Promise<readonly string[]> {
  await machine.reset();
  const world = new World(machine, seed, counts);
  try {
    await simulate(world);
  } catch (error) {
    throw explained(error, seed, world.trace);
  }
  return world.trace;
}

function explained(error: unknown, seed: number, trace: readonly string[]): Error {
  const replay = `PLANS_SIMULATION_SEED=${seed} PLANS_SIMULATION_SEEDS=1 npx vitest run packages/plans/test/simulation.test.ts`;
  const reason = error instanceof Error ? error.message : String(error);
  const message = `seed ${seed}: ${reason}\n\nreplay: ${replay}\n\n${trace.join('\n')}`;
  return new Error(message, { cause: error });
}

const title = `${SEEDS} seeds of crashes and people's doings, from ${FIRST}: plans do what their model says`;
/** Plans here work without git: landing is tested with real repositories. */
const OF_GIT = ['land', 'plan succeeded → running'];

test(`${cites('T40')} ${title}`, async () => {
  const counts = new Map<string, number>();
  for (let seed = FIRST; seed < FIRST + SEEDS; seed++) {
    await run(seed, counts);
    if (seed % BATCH === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(counts.get('done')).toBeGreaterThan(0);
  if (SEEDS < MANY) return;
  const things = ['claimed', 'late', 'lost', 'lost while it is stopped', 'stopped', 'reaped'];
  const tickets = ['parked', 'ticket succeeded', 'ticket failed', 'ticket in vain'];
  const faults = ['crashed', 'stalled', 'died', 'vanished'];
  const wanted = [...ACTIONS, ...allMoves(), ...things, ...tickets, ...faults];
  const missing = wanted.filter((what) => !counts.has(what) && !OF_GIT.includes(what));
  expect(missing).toEqual([]);
}, 1_800_000);

test('a seed replays exactly', async () => {
  const first = await run(FIRST);
  await run(FIRST + 1);
  expect(await run(FIRST)).toEqual(first);
});
