import { setTimeout as pause } from 'node:timers/promises';

/** Long enough for a busy machine, shorter than the limit of a test, so that it says what. */
const PATIENCE_MS = 45_000;
const PAUSE_MS = 25;

/** Looks again and again until there is something to be found. */
export async function until<Found>(
  what: string,
  find: () => Promise<Found | undefined | false> | Found | undefined | false,
  patienceMs = PATIENCE_MS,
): Promise<Found> {
  const end = performance.now() + patienceMs;
  while (performance.now() < end) {
    const found = await find();
    if (found) return found;
    await pause(PAUSE_MS);
  }
  throw new Error(`${what} did not happen`);
}
