import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { cites } from '@baton/e2e/requirements';
import { expect, test } from 'vitest';
import { buildSegment, Collection } from '../search-under-test.ts';

test(`${cites('T44')} words that are nowhere are not remembered`, () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const part = () => ({ segment: buildSegment([]), hidden: new Uint8Array(0) });
  const collection = new Collection([part(), part()]);
  const ask = (count: number) => {
    for (let word = 0; word < count; word += 1) collection.frequency(`${count} word ${word}`);
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = ask(30_000);
  expect(ask(300_000) - before).toBeLessThan(5_000_000);
});
