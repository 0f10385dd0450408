import { appendFileSync } from 'node:fs';

export interface SeededRun {
  /** What is simulated. */
  readonly of: 'store' | 'plans' | 'tickets';
  readonly first: number;
  readonly count: number;
  run(seed: number): Promise<{ readonly trace: readonly string[]; readonly error?: unknown }>;
}

/** So many at a time: others get their turn in between. */
const BATCH = 20;

/**
 * Runs each seed, and fails at the first one that does, with the command that replays it. Returns
 * how many ran; SIMULATION_REPORT names a file that is told, too, for whoever counts them all.
 */
export async function runSeeds({ of, first, count, run }: SeededRun): Promise<number> {
  const begun = performance.now();
  let ran = 0;
  for (let seed = first; seed < first + count; seed += 1) {
    const { trace, error } = await run(seed);
    if (error !== undefined) throw failedSeed(of, seed, trace, error);
    ran += 1;
    if (ran % BATCH === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  const report = process.env.SIMULATION_REPORT;
  if (report) appendFileSync(report, `${of} ${ran} ${Math.round(performance.now() - begun)}\n`);
  return ran;
}

function failedSeed(
  of: SeededRun['of'],
  seed: number,
  trace: readonly string[],
  error: unknown,
): Error {
  const variable = of === 'store' ? 'SIMULATION' : `${of.toUpperCase()}_SIMULATION`;
  const replay = `${variable}_SEED=${seed} ${variable}_SEEDS=1 npx vitest run packages/${of}/test/simulation.test.ts`;
  const reason = error instanceof Error ? error.message : String(error);
  const message = `seed ${seed}: ${reason}\n\nreplay: ${replay}\n\n${trace.join('\n')}`;
  return new Error(message, { cause: error });
}
