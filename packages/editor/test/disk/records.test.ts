import { readdirSync, statSync, truncateSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { patiently } from '../disk-under-test.ts';
import { change, refusalOf, TestDisk, write } from './test-disk.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Changes a file so often, a minute after another. Returns the ids. */
async function applyOften(disk: TestDisk, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    disk.clock.advance(60_000);
    const [before, after] = [disk.read('a.ts'), `${index}`.padEnd(4)];
    ids.push(await disk.changes().apply(change([write('a.ts', before, after)])));
  }
  return ids;
}

const kept = (disk: TestDisk) => readdirSync(disk.folder).map((name) => path.parse(name).name);

test('records are kept of the last 100 changes', async () => {
  using disk = new TestDisk({ 'a.ts': 'a' });
  const ids = await applyOften(disk, 103);
  expect(kept(disk).sort()).toEqual(ids.slice(3).sort());
  expect(await refusalOf(disk.changes().undo(ids[2] ?? ''))).toMatchObject({
    code: 'undo_unknown',
  });
  await disk.changes().undo(ids.at(-1) ?? '');
  expect(disk.read('a.ts')).toBe('101 ');
});

test('records are kept for 30 days', async () => {
  using disk = new TestDisk({ 'a.ts': 'a' });
  const ids = await applyOften(disk, 2);
  disk.clock.advance(30 * DAY_MS - 90_000);
  const [newest = ''] = await applyOften(disk, 1);
  expect(kept(disk).sort()).toEqual([ids[1], newest].sort());
});

test('records take 256 MiB at most, the newest first', async () => {
  using disk = new TestDisk({ 'a.ts': 'a' });
  const ids = await applyOften(disk, 4);
  // They need not hold anything: only how large they are is looked at.
  for (const id of ids.slice(0, 3)) {
    const record = path.join(disk.folder, `${id}.done`);
    const { atime, mtime } = statSync(record);
    truncateSync(record, 100 * 1024 * 1024);
    utimesSync(record, atime, mtime);
  }
  const [newest = ''] = await applyOften(disk, 1);
  expect(kept(disk).sort()).toEqual([...ids.slice(1), newest].sort());
});

test('what somebody has opened is waited for where that is needed', async () => {
  const busy = Object.assign(new Error('busy'), { code: 'EBUSY' });
  const failing = (times: number) => {
    let count = 0;
    return () => {
      count += 1;
      if (count <= times) throw busy;
      return count;
    };
  };
  expect(await patiently(failing(2), [0, 0])).toBe(3);
  await expect(patiently(failing(1), [])).rejects.toBe(busy);
  await expect(patiently(failing(3), [0, 0])).rejects.toBe(busy);
});
