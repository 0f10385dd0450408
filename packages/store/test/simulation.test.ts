import { cites } from '@baton/e2e/requirements';
import { runSeeds } from '@baton/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Machine } from './simulation/machine.ts';
import { simulate } from './simulation/simulate.ts';
import { World } from './simulation/world.ts';

const FIRST = Number(process.env.SIMULATION_SEED ?? 1);
const SEEDS = Number(process.env.SIMULATION_SEEDS ?? 1500);
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

const title = `${SEEDS} seeds of faults and races, from ${FIRST}: the queue does what its model says`;
test(`${cites('T40')} ${title}`, async () => {
  const counts = new Map<string, number>();
  const ran = await runSeeds({
    of: 'store',
    first: FIRST,
    count: SEEDS,
    run: (seed) => run(seed, counts),
  });
  expect(ran).toBe(SEEDS);
  expect(counts.get('done')).toBeGreaterThan(0);
  if (SEEDS < MANY) return;
  expect([...counts.keys()]).toEqual(
    expect.arrayContaining([
      'claimed',
      'parked',
      'lease_lost',
      'work_state',
      'crashed',
      'stalled',
      'died',
      'vanished',
      'lost by death',
      'lost by silence',
      'spared',
    ]),
  );
}, 600_000);

test(`${cites('T40')} a seed replays exactly, and one that fails says how`, async () => {
  const first = await run(FIRST);
  await run(FIRST + 1);
  expect(await run(FIRST)).toEqual(first);
  const failing = async (seed: number) => ({ ...(await run(seed)), error: new Error('a race') });
  const failed = runSeeds({ of: 'store', first: FIRST, count: 2, run: failing });
  const variable = 'SIMULATION';
  await expect(failed).rejects.toThrow(
    `seed ${FIRST}: a race\n\nreplay: ${variable}_SEED=${FIRST} ${variable}_SEEDS=1 npx vitest run packages/store/test/simulation.test.ts\n\n${first.trace[0]}`,
  );
});
