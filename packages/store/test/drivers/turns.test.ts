import { openStore, type Store } from '@baton/store';
import { createFakeIds, createMemoryLog } from '@baton/testkit';
import { expect, test } from 'vitest';

const TIMES = 100;

/** Each look at the clock takes a millisecond. */
function createSlowClock() {
  let looks = 0;
  return {
    now: () => 0,
    monotonic: () => {
      looks += 1;
      return looks;
    },
  };
}

const write = (store: Store) => store.write('durable', async () => {});
const read = (store: Store) => store.read(async () => {});

test.each([
  ['writes', write],
  ['reads', read],
])('%s in a loop let the event loop turn every few milliseconds', async (_, use) => {
  await using store = Object.assign(
    await openStore({
      file: ':memory:',
      log: createMemoryLog(),
      clock: createSlowClock(),
      ids: createFakeIds(),
    }),
    { [Symbol.asyncDispose]: () => store.close() },
  );
  let turns = 0;
  const count = () => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);

  for (let time = 0; time < TIMES; time += 1) await use(store);

  clearImmediate(next);
  expect(turns).toBeGreaterThan(5);
});
