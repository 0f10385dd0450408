import { type Figures, percentile } from '../figures.ts';
import { inTurns } from '../in-turns.ts';
import { ENGINES, engines } from './engines.ts';
import { collectGarbage, usedMemory } from './garbage.ts';
import type { Document, Request } from './material.ts';
import type { Engine } from './peers.ts';
import type { Name, RowId, Size } from './rows.ts';

const MEGABYTE = 1e6;
/** Requests before each turn: with the garbage V8 throws away the code that was not in use. */
const WARM_UP = 40;

/** How long a search takes in a collection of one size, and what the index for it costs. */
export async function searches(
  figures: Figures<RowId, Name>,
  size: Size,
  documents: readonly Document[],
  requests: readonly Request[],
  rounds: number,
): Promise<void> {
  const built = new Map<Name, Engine>();
  for (const name of ENGINES) {
    const before = usedMemory();
    const begun = performance.now();
    const engine = engines[name](documents);
    figures.add(`${size} build`, name, performance.now() - begun);
    if (name !== 'fts5') figures.add(`${size} memory`, name, (usedMemory() - before) / MEGABYTE);
    figures.add(`${size} bytes`, name, engine.indexBytes() / MEGABYTE);
    built.set(name, engine);
  }
  // The first round compiles what is used, and is not counted.
  for (const engine of built.values()) time(engine, requests);
  await inTurns(rounds, ENGINES, async (name) => {
    const engine = built.get(name);
    if (!engine) return;
    collectGarbage();
    time(engine, requests.slice(0, WARM_UP));
    const times = time(engine, requests);
    figures.add(`${size} p50`, name, percentile(times, 0.5));
    figures.add(`${size} p95`, name, percentile(times, 0.95));
  });
}

function time(engine: Engine, requests: readonly Request[]): number[] {
  return requests.map(({ request }) => {
    const asked = performance.now();
    engine.search(request);
    return performance.now() - asked;
  });
}
