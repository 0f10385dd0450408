import path from 'node:path';
import { cites } from '@baton/e2e/requirements';
import { expect, test } from 'vitest';
import { Changer } from './changer.ts';
import { TestDisk } from './test-disk.ts';

const PROCESSES = 3;
const LINES = 12;

test(`${cites('T8')} of processes that change the same files at once, no edit is lost or halved`, async () => {
  using changer = new Changer();
  using disk = new TestDisk({ 'a.txt': '', 'src/b.txt': '' });
  const lock = path.join(disk.ground, 'lock');
  const files = ['a.txt', 'src/b.txt'];
  const linesOf = (writer: number) =>
    Array.from({ length: LINES }, (_, index) => `line ${index} of ${writer}`);
  const answers = await Promise.all(
    Array.from({ length: PROCESSES }, (_, writer) =>
      changer.run(
        disk,
        linesOf(writer).map((line) => ({ do: 'add', files, line })),
        { lock },
      ),
    ),
  );
  expect(answers.flat().filter(({ ok }) => ok === undefined)).toHaveLength(PROCESSES);
  const all = Array.from({ length: PROCESSES }, (_, writer) => linesOf(writer)).flat();
  expect(disk.read('a.txt').trimEnd().split('\n').sort()).toEqual(all.sort());
  expect(disk.read('src/b.txt')).toBe(disk.read('a.txt'));
});
