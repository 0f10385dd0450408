import { statSync } from 'node:fs';
import { keepUp } from '@baton/store';
import type { Options, Results } from './protocol.ts';
import { openBenchStore } from './store-subject.ts';
import { WORKSPACE } from './subject.ts';

const EVENTS_AT_ONCE = 10;
const HOUR_MS = 60 * 60 * 1000;
/** Upkeep is due once an hour, so that this is the number of events in an hour. */
const UPKEEP_EVERY = 5_000;

/** Writes events, with upkeep or without, and tells the size after a fifth of them and of all. */
export async function grow({
  name,
  file,
  count,
}: Options): Promise<() => Promise<Results['grow']>> {
  let hours = 0;
  const store = await openBenchStore(file, () => Date.now() + hours * HOUR_MS);
  return async () => {
    let early = 0;
    for (let written = 0; written < count; ) {
      await store.write('relaxed', async ({ emit }) => {
        for (let next = 0; next < EVENTS_AT_ONCE; next += 1)
          emit(WORKSPACE, `plan/${written + next}`);
      });
      written += EVENTS_AT_ONCE;
      if (name === 'baton' && written % UPKEEP_EVERY === 0) {
        hours += 1;
        await keepUp(store);
      }
      if (written === count / 5) early = sizeOf(file);
    }
    const late = sizeOf(file);
    await store.close();
    return { early, late };
  };
}

function sizeOf(file: string): number {
  return statSync(file).size + (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0);
}
