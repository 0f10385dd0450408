import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { change, refusalOf, TestDisk, write } from './test-disk.ts';

describe('nothing is changed', () => {
  const files = { 'a.ts': 'a', 'b.ts': 'b', 'folder/c.ts': 'c', 'folder/d.ts': 'd' };

  test.each([
    [
      'if a file is another one',
      [write('a.ts', 'a', 'A'), write('b.ts', 'x', 'B')],
      [],
      'files_changed',
      'b.ts',
    ],
    [
      'if a file is gone',
      [write('a.ts', 'a', 'A'), write('gone.ts', 'x', 'B')],
      [],
      'files_changed',
      'gone.ts',
    ],
    [
      'if there is a file already',
      [write('a.ts', 'a', 'A'), write('b.ts', undefined, 'B')],
      [],
      'files_changed',
      'b.ts',
    ],
    [
      'if what is moved is gone',
      [write('a.ts', 'a', 'A')],
      [{ from: 'gone', to: 'x' }],
      'files_changed',
      'gone',
    ],
    [
      'if what is moved was moved before',
      [],
      [
        { from: 'folder', to: 'x' },
        { from: 'folder/c.ts', to: 'y' },
      ],
      'files_changed',
      'folder/c.ts',
    ],
    [
      'if a target exists',
      [write('a.ts', 'a', 'A')],
      [{ from: 'b.ts', to: 'folder/c.ts' }],
      'target_exists',
      'folder/c.ts',
    ],
    [
      'if two go to one place',
      [],
      [
        { from: 'a.ts', to: 'x' },
        { from: 'b.ts', to: 'x' },
      ],
      'target_exists',
      'x',
    ],
    [
      'if a target was removed just before',
      [write('b.ts', 'b')],
      [{ from: 'a.ts', to: 'b.ts' }],
      'target_exists',
      'b.ts',
    ],
    [
      'if a folder would go into itself',
      [write('a.ts', 'a', 'A')],
      [{ from: 'folder', to: 'folder/x' }],
      'change_failed',
      'folder',
    ],
    [
      'if a file is in the place of a folder',
      [write('a.ts', 'a', 'A'), write('b.ts/x', undefined, 'X')],
      [],
      'change_failed',
      'b.ts',
    ],
    [
      'if a folder is in the place of a file',
      [write('a.ts', 'a', 'A'), write('folder', 'x', 'X')],
      [],
      'change_failed',
      'folder',
    ],
    [
      'if the same file is written twice',
      [write('a.ts', 'a', 'A'), write('a.ts', 'a', 'Z')],
      [],
      'files_changed',
      'a.ts',
    ],
  ] as const)('%s', async (_, writes, moves, code, file) => {
    using disk = new TestDisk(files);
    const before = disk.tree();
    const refusal = await refusalOf(disk.changes().apply(change(writes, moves)));
    expect(refusal).toMatchObject({ code, next: expect.stringMatching(/\w/) });
    expect(refusal.message).toContain(`${file}`);
    expect(refusal.message).toContain('nothing was changed');
    expect(disk.tree()).toEqual(before);
    expect(disk.stages()).toEqual([]);
  });

  test('if a file is changed between the check and the act: the rest is taken back', async () => {
    using disk = new TestDisk(files);
    let replaced = 0;
    const changes = disk.changes({
      onPoint: (point) => {
        if (point === 'replaced' && ++replaced === 2) disk.write({ 'folder/c.ts': 'mine' });
      },
    });
    const writes = [
      write('a.ts', 'a', 'A'),
      write('n/e.ts', undefined, 'E'),
      write('folder/c.ts', 'c', 'C'),
    ];
    expect(await refusalOf(changes.apply(change(writes)))).toMatchObject({
      code: 'files_changed',
      message: 'Not as expected any more: folder/c.ts; nothing was changed.',
    });
    expect(replaced).toBeGreaterThan(2);
    expect(disk.tree()).toEqual({
      ...{ 'a.ts': 'a', 'b.ts': 'b', folder: null, 'folder/c.ts': 'mine', 'folder/d.ts': 'd' },
    });
    expect(disk.stages()).toEqual([]);
  });

  test.each([
    ['a file', 'file'],
    ['a folder', 'folder'],
  ])('if %s appears at the target of a move meanwhile', async (_, what) => {
    using disk = new TestDisk(files);
    const changes = disk.changes({
      onPoint: (point) => {
        if (point !== 'writes noted') return;
        if (what === 'file') disk.write({ x: 'mine' });
        else disk.write({ 'x/y': 'mine' });
      },
    });
    const moves = [{ from: what === 'file' ? 'b.ts' : 'folder', to: 'x' }];
    const refusal = await refusalOf(changes.apply(change([write('a.ts', 'a', 'A')], moves)));
    expect(refusal.code).toBe('files_changed');
    expect(disk.read('a.ts')).toBe('a');
    expect(disk.read(what === 'file' ? 'x' : 'x/y')).toBe('mine');
    expect(disk.read('folder/c.ts')).toBe('c');
  });

  test('if it is too much for one change', async () => {
    const before = Buffer.alloc(65 * 1024 * 1024);
    using disk = new TestDisk();
    writeFileSync(disk.at('a.bin'), before);
    const after = Buffer.alloc(before.length, 1);
    const refusal = await refusalOf(
      disk.changes().apply(change([{ file: 'a.bin', before, after }])),
    );
    expect(refusal).toMatchObject({ code: 'change_failed', next: 'Change fewer files at once.' });
  });
});
