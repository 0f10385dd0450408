import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { cites } from '@baton/e2e/requirements';
import { describe, expect, test } from 'vitest';
import { isPlain, WorkspaceFiles } from '../disk-under-test.ts';
import { change, refusalOf, treeOf, write } from './test-disk.ts';
import { traceOf, twin } from './twin.ts';

describe(`${cites('T10')} a link out of the workspace`, () => {
  test.each([
    ['a file', change([write('link.ts', 'a', 'A')])],
    ['a new file through it', change([write('link.ts', undefined, 'A')])],
    ['a file in it', change([write('link/a.ts', 'a', 'A')])],
    ['a file in it to remove', change([write('link/a.ts', 'a')])],
    ['a new file in it', change([write('link/new.ts', undefined, 'A')])],
    ['a new file in a new folder in it', change([write('link/new/new.ts', undefined, 'A')])],
    ['a move out of it', change([], [{ from: 'link/a.ts', to: 'a.ts' }])],
    ['a move into it', change([], [{ from: 'z.ts', to: 'link/z.ts' }])],
    ['a move of itself', change([], [{ from: 'link', to: 'other' }])],
    ['a move over it', change([], [{ from: 'z.ts', to: 'link.ts' }])],
    ['a link to nothing as a folder', change([write('nowhere/a.ts', undefined, 'A')])],
  ])('is not followed: %s', async (_, asked) => {
    using disk = twin();
    symlinkSync(path.join(disk.outside, 'a.ts'), disk.at('link.ts'));
    symlinkSync(disk.outside, disk.at('link'));
    symlinkSync(path.join(disk.ground, 'nothing'), disk.at('nowhere'));
    const before = [disk.tree(), traceOf(disk.outside)];
    const { code, message } = await refusalOf(disk.changes().apply(asked));
    expect(['outside_workspace', 'change_failed', 'target_exists', 'files_changed']).toContain(
      code,
    );
    expect(message).toContain('nothing was changed');
    expect([disk.tree(), traceOf(disk.outside)]).toEqual(before);
    expect(existsSync(path.join(disk.ground, 'nothing'))).toBe(false);
  });

  test('does not tell what is there', async () => {
    using disk = twin();
    symlinkSync(disk.outside, disk.at('link'));
    mkdirSync(path.join(disk.outside, 'there'));
    const refused = async (file: string) => {
      const { code, message } = await refusalOf(
        disk.changes().apply(change([write(file, 'x', 'y')])),
      );
      return { code, message: message.replace(file, 'it') };
    };
    const there = await refused('link/there/a.ts');
    expect(there.code).toBe('outside_workspace');
    expect(await refused('link/missing/a.ts')).toEqual(there);
    expect(await refused('link/a.ts')).toEqual(there);
    expect(await refused('link/a.ts/b.ts')).toEqual(there);
    expect(await refused('../outside/a.ts')).toEqual(there);
  });

  test('that stays in the workspace is a way like others', async () => {
    using disk = twin();
    symlinkSync('src', disk.at('link'));
    const id = await disk.changes().apply(change([write('link/a.ts', 'a', 'A')]));
    expect(disk.read('src/a.ts')).toBe('A');
    await disk.changes().undo(id);
    expect(disk.read('src/a.ts')).toBe('a');
  });
});

describe(`${cites('T12')} no path leads elsewhere`, () => {
  const paths = [
    ...[
      '',
      '.',
      '..',
      '/',
      './a.ts',
      'a/../z.ts',
      '../outside/a.ts',
      'a/..',
      'src/../../outside/a.ts',
    ],
    ...['/etc/passwd', '//z.ts', 'z.ts/', 'src//a.ts', 'z.ts\0', '\0', '../workspace-evil/a.ts'],
    ...['file:///etc/passwd', '/proc/self/environ', 'src/./a.ts', '../workspace/z.ts'],
  ];

  test.each(paths)('%j is refused in every place', async (file) => {
    using disk = twin();
    const before = [disk.tree(), treeOf(disk.outside)];
    for (const asked of [
      change([write(file, 'z', 'Z')]),
      change([write(file, undefined, 'Z')]),
      change([], [{ from: file, to: 'new.ts' }]),
      change([], [{ from: 'z.ts', to: file }]),
    ]) {
      expect(await refusalOf(disk.changes().apply(asked))).toMatchObject({
        code: 'outside_workspace',
      });
    }
    expect([disk.tree(), treeOf(disk.outside)]).toEqual(before);
  });

  test.each([
    ...['%2e%2e%2foutside%2fa.ts', '..\\outside\\a.ts', 'C:\\z.ts', 'C:z.ts', 'x'.repeat(300)],
  ])('%j is at most a name', async (file) => {
    using disk = twin();
    const { code } = await refusalOf(disk.changes().apply(change([write(file, 'z', 'Z')])));
    expect(['files_changed', 'change_failed']).toContain(code);
  });

  test('and Windows knows more names that are none', () => {
    for (const file of [
      '..\\x',
      'C:x',
      'a/nul',
      'COM1.txt',
      'a.',
      'a ',
      'a:stream',
      '\\\\host\\x',
    ]) {
      expect(isPlain(file, 'win32'), file).toBe(false);
      expect(isPlain('a/console.ts', 'win32')).toBe(true);
    }
  });

  test.each([...paths, 'x'.repeat(65), 'no-such-id', '../changes/ID', 'ID.done', 'workspace', '*'])(
    'the id %j is unknown',
    async (given) => {
      using disk = twin();
      const known = await disk.changes().apply(change([write('z.ts', 'z', 'Z')]));
      const id = given.replace('ID', known);
      expect(await refusalOf(disk.changes().undo(id))).toMatchObject({
        code: 'undo_unknown',
        next: expect.stringContaining('30 days'),
      });
      expect(disk.read('z.ts')).toBe('Z');
    },
  );

  test('the id of another workspace is unknown', async () => {
    using disk = twin();
    const id = await disk.changes().apply(change([write('z.ts', 'z', 'Z')]));
    renameSync(disk.workspace, path.join(disk.ground, 'other'));
    const elsewhere = disk.changes({ workspace: path.join(disk.ground, 'other') });
    expect(await refusalOf(elsewhere.undo(id))).toMatchObject({ code: 'undo_unknown' });
  });

  test.skipIf(process.platform === 'win32')('a pipe and a device are refused at once', async () => {
    using disk = twin();
    execFileSync('mkfifo', [disk.at('pipe')]);
    for (const asked of [
      change([write('pipe', '', 'A')]),
      change([write('pipe', undefined, 'A')]),
      change([write('pipe', '')]),
      change([], [{ from: 'pipe', to: 'moved' }]),
    ]) {
      expect(await refusalOf(disk.changes().apply(asked))).toMatchObject({
        code: 'change_failed',
      });
    }
    const files = new WorkspaceFiles('/dev');
    expect(files.holds('zero', Buffer.alloc(0))).toBe(false);
  });
});
