import { chmodSync, chownSync, linkSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { change, refusalOf, TestDisk, write } from './test-disk.ts';

const isRoot = process.getuid?.() === 0;

describe('a change', () => {
  test('writes, makes, removes and moves files, and is taken back once', async () => {
    using disk = new TestDisk({ 'a.ts': 'a', 'b.ts': 'b', 'src/c.ts': 'c', 'src/d.ts': 'd' });
    const before = disk.tree();
    const changes = disk.changes();
    const id = await changes.apply(
      change(
        [
          write('a.ts', 'a', 'A'),
          write('b.ts', 'b'),
          write('new/deep/e.ts', undefined, 'E'),
          write('src/c.ts', 'c', 'C'),
        ],
        [
          { from: 'src/d.ts', to: 'other/place/D.ts' },
          { from: 'src', to: 'lib' },
        ],
      ),
    );
    const after = {
      'a.ts': 'A',
      lib: null,
      'lib/c.ts': 'C',
      new: null,
      'new/deep': null,
      'new/deep/e.ts': 'E',
      other: null,
      'other/place': null,
      'other/place/D.ts': 'd',
    };
    expect(disk.tree()).toEqual(after);
    expect(disk.stages()).toEqual(['.done']);

    expect(await changes.undo(id)).toEqual({
      title: 'undo rename_symbol total → sum',
      writes: [
        write('a.ts', 'A', 'a'),
        write('b.ts', undefined, 'b'),
        write('new/deep/e.ts', 'E'),
        write('lib/c.ts', 'C', 'c'),
      ],
      moves: [
        { from: 'lib', to: 'src' },
        { from: 'other/place/D.ts', to: 'src/d.ts' },
      ],
    });
    expect(disk.tree()).toEqual(before);
    expect(await refusalOf(changes.undo(id))).toMatchObject({
      code: 'undo_unknown',
      message: `The change ${id} was taken back already.`,
    });
    expect(disk.tree()).toEqual(before);
  });

  test('keeps every byte of every file', async () => {
    const bytes = Buffer.from([...Array(256).keys()]);
    const before = Buffer.concat([Buffer.from('\ufeffa\r\nb\n'), bytes]);
    const after = Buffer.concat([Buffer.from('\ufeffx\r\ny\n'), bytes.reverse()]);
    using disk = new TestDisk({ 'a.bin': before, 'empty.txt': '' });
    const changes = disk.changes();
    const id = await changes.apply(
      change([{ file: 'a.bin', before, after }, write('empty.txt', '', 'x')]),
    );
    expect(readFileSync(disk.at('a.bin')).equals(after)).toBe(true);
    await changes.undo(id);
    expect(readFileSync(disk.at('a.bin')).equals(before)).toBe(true);
    expect(disk.read('empty.txt')).toBe('');
  });

  test.skipIf(process.platform === 'win32')(
    'keeps rights, also of a file that comes back',
    async () => {
      using disk = new TestDisk({ 'run.sh': 'a', 'secret.txt': 'b', 'gone.sh': 'c' });
      chmodSync(disk.at('run.sh'), 0o755);
      chmodSync(disk.at('secret.txt'), 0o600);
      chmodSync(disk.at('gone.sh'), 0o750);
      if (isRoot) chownSync(disk.at('run.sh'), 65534, 65534);
      const modes = () =>
        ['run.sh', 'secret.txt', 'gone.sh'].map((file) => statSync(disk.at(file)).mode & 0o7777);
      const changes = disk.changes();
      const id = await changes.apply(
        change([
          write('run.sh', 'a', 'A'),
          write('secret.txt', 'b', 'B'),
          write('gone.sh', 'c'),
          write('new.txt', undefined, 'n'),
        ]),
      );
      writeFileSync(disk.at('usual.txt'), '');
      expect(statSync(disk.at('new.txt')).mode).toBe(statSync(disk.at('usual.txt')).mode);
      expect(statSync(disk.at('run.sh')).mode & 0o7777).toBe(0o755);
      if (isRoot) expect(statSync(disk.at('run.sh'))).toMatchObject({ uid: 65534, gid: 65534 });
      await changes.undo(id);
      expect(modes()).toEqual([0o755, 0o600, 0o750]);
      if (isRoot) expect(statSync(disk.at('run.sh'))).toMatchObject({ uid: 65534, gid: 65534 });
      expect(statSync(disk.folder).mode & 0o7777).toBe(0o700);
      expect(statSync(`${disk.folder}/${id}.done`).mode & 0o7777).toBe(0o600);
    },
  );

  test('that changes nothing in a file leaves that file as it is', async () => {
    using disk = new TestDisk({ 'a.ts': 'a', 'b.ts': 'b' });
    const { ino, mtimeMs } = statSync(disk.at('a.ts'));
    await disk.changes().apply(change([write('a.ts', 'a', 'a'), write('b.ts', 'b', 'B')]));
    expect(statSync(disk.at('a.ts'))).toMatchObject({ ino, mtimeMs });
    expect(await refusalOf(disk.changes().apply(change([write('a.ts', 'x', 'x')])))).toMatchObject({
      code: 'files_changed',
    });
  });

  test('may exchange two files, and change the case of a name', async () => {
    using disk = new TestDisk({ a: '1', b: '2', 'x.ts': '3', 'Folder/y': '4' });
    const before = disk.tree();
    const changes = disk.changes();
    const id = await changes.apply(
      change(
        [write('a', '1', 'one')],
        [
          { from: 'a', to: 'aside' },
          { from: 'b', to: 'a' },
          { from: 'aside', to: 'b' },
          { from: 'x.ts', to: 'X.ts' },
          { from: 'Folder', to: 'folder' },
        ],
      ),
    );
    expect(disk.tree()).toEqual({ a: '2', b: 'one', 'X.ts': '3', folder: null, 'folder/y': '4' });
    await changes.undo(id);
    expect(disk.tree()).toEqual(before);
  });
});

test('a hard link is a file of its own, and no reason to refuse', async () => {
  using disk = new TestDisk({ 'a.ts': 'a' });
  linkSync(disk.at('a.ts'), disk.at('b.ts'));
  linkSync(disk.at('a.ts'), disk.at('A.ts'));
  await disk.changes().apply(change([write('a.ts', 'a', 'A')]));
  expect(disk.tree()).toEqual({ 'A.ts': 'a', 'a.ts': 'A', 'b.ts': 'a' });
  linkSync(disk.at('b.ts'), disk.at('B.ts'));
  const refusal = refusalOf(disk.changes().apply(change([], [{ from: 'b.ts', to: 'B.ts' }])));
  expect(await refusal).toMatchObject({ code: 'target_exists' });
});
