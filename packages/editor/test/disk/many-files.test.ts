import { monitorEventLoopDelay } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { change, TestDisk, write } from './test-disk.ts';

const FILES = 500;
/** Far more than it takes: other tests run beside it. */
const LONGEST_MS = 5000;
const LONGEST_STALL_MS = 100;

test(`${FILES} files are changed soon, and others get their turns meanwhile`, async () => {
  const names = Array.from({ length: FILES }, (_, index) => `src/${index % 20}/file-${index}.ts`);
  const before = 'const total = 1;\n'.repeat(300);
  const after = before.replaceAll('total', 'sum');
  using disk = new TestDisk(Object.fromEntries(names.map((name) => [name, before])));
  const clock = { now: () => Date.now(), monotonic: () => performance.now() };
  const changes = disk.changes({ clock });
  const asked = change(names.map((name) => write(name, before, after)));
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const started = performance.now();
  const id = await changes.apply(asked);
  const took = performance.now() - started;
  delay.disable();
  expect(disk.read('src/0/file-0.ts')).toBe(after);
  expect(new Set(Object.values(disk.tree()))).toEqual(new Set([null, after]));
  await changes.undo(id);
  expect(new Set(Object.values(disk.tree()))).toEqual(new Set([null, before]));
  expect(took).toBeLessThan(LONGEST_MS);
  expect(delay.max / 1e6).toBeLessThan(LONGEST_STALL_MS);
});
