import { mkdirSync, rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { change, refusalOf, TestDisk, write } from './test-disk.ts';

describe('an undo', () => {
  const files = { 'a.ts': 'a', 'b.ts': 'b' };
  const applied = async (disk: TestDisk) =>
    disk.changes().apply(change([write('a.ts', 'a', 'A')], [{ from: 'b.ts', to: 'made/c.ts' }]));

  test.each<[string, (disk: TestDisk) => void, string]>([
    ['a file was changed', (disk) => disk.write({ 'a.ts': 'mine' }), 'a.ts'],
    ['a file is gone', (disk) => rmSync(disk.at('a.ts')), 'a.ts'],
    ['what was moved is gone', (disk) => rmSync(disk.at('made/c.ts')), 'made/c.ts'],
    ['its old place is taken', (disk) => disk.write({ 'b.ts': 'mine' }), 'b.ts'],
  ])('is refused if %s', async (_, meddle, file) => {
    using disk = new TestDisk(files);
    const id = await applied(disk);
    meddle(disk);
    const before = disk.tree();
    const refusal = await refusalOf(disk.changes().undo(id));
    expect(refusal).toMatchObject({
      code: 'files_changed',
      next: expect.stringContaining('later'),
    });
    expect(refusal.message).toContain(file);
    expect(disk.tree()).toEqual(before);
  });

  test('is possible when what was in the way is gone', async () => {
    using disk = new TestDisk(files);
    const id = await applied(disk);
    disk.write({ 'b.ts': 'mine' });
    await refusalOf(disk.changes().undo(id));
    rmSync(disk.at('b.ts'));
    disk.write({ 'made/mine.ts': 'mine' });
    await disk.changes().undo(id);
    expect(disk.tree()).toEqual({ ...files, made: null, 'made/mine.ts': 'mine' });
  });

  test('of an older change waits for the newer ones', async () => {
    using disk = new TestDisk(files);
    const changes = disk.changes();
    const first = await changes.apply(change([write('a.ts', 'a', '1')]));
    const second = await changes.apply(change([write('a.ts', '1', '2')]));
    expect(await refusalOf(changes.undo(first))).toMatchObject({ code: 'files_changed' });
    await changes.undo(second);
    await changes.undo(first);
    expect(disk.tree()).toEqual(files);
  });
});

test('a folder that others need stays when a change is taken back', async () => {
  using disk = new TestDisk({ 'a.ts': 'a' });
  mkdirSync(disk.at('was-there'));
  const changes = disk.changes();
  const id = await changes.apply(change([], [{ from: 'a.ts', to: 'was-there/a.ts' }]));
  await changes.undo(id);
  expect(disk.tree()).toEqual({ 'a.ts': 'a', 'was-there': null });
});
