import { mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { cites } from '@baton/e2e/requirements';
import { describe, expect, test } from 'vitest';
import type { Point } from '../disk-under-test.ts';
import { change, refusalOf, TestDisk, write } from './test-disk.ts';

const FILES = {
  'a.ts': 'a',
  '.vscode/settings.json': '{}',
  '.claude/x.json': '{}',
  'src/b.ts': 'b',
};
const SETTING = write('.vscode/settings.json', '{}', '{ }');

describe(`${cites('T53')} whoever asks, the disk refuses`, () => {
  test.each([
    ['a file of a protected name', change([], [{ from: 'a.ts', to: '.mcp.json' }])],
    ['a file in a protected folder', change([write('.husky/x', undefined, 'x')])],
    ['to move something away', change([], [{ from: '.vscode/settings.json', to: 'b' }])],
    ['settings that nobody has judged', change([SETTING])],
    [
      'another file than the settings',
      { ...change([write('.claude/x.json', '{}', '')]), permits: '.vscode/settings.json' },
    ],
    ['a link to a protected folder', change([write('link/tasks.json', undefined, '{}')])],
    [
      'what a link of a protected name leads to',
      change([], [{ from: 'a.ts', to: 'src/mcp.json' }]),
    ],
    ['a new folder behind such a link', change([], [{ from: 'a.ts', to: 'link/new/a.ts' }])],
  ])('%s', async (_, wanted) => {
    using disk = new TestDisk(FILES);
    symlinkSync('.vscode', disk.at('link'));
    symlinkSync('src', disk.at('.cursor'));
    const before = disk.tree();
    const refusal = await refusalOf(disk.changes().apply(wanted));
    expect(refusal.code).toBe('protected_place');
    expect(refusal.message).toMatch(/\(rule [\w-]+\); nothing was changed\.$/);
    expect(disk.tree()).toEqual(before);
  });

  test('but settings, if they are what is meant', async () => {
    using disk = new TestDisk(FILES);
    const id = await disk
      .changes()
      .apply({ ...change([SETTING]), permits: '.vscode/settings.json' });
    expect(disk.read('.vscode/settings.json')).toBe('{ }');
    expect(await refusalOf(disk.changes().undo(id))).toMatchObject({ code: 'protected_place' });
  });
});

test(`${cites('T53', 'T11')} a folder that becomes a link to a protected one, at any point of a change, leads to nothing`, async () => {
  const wanted = change([write('src/b.ts', 'b', 'B')], [{ from: 'a.ts', to: 'src/a.ts' }]);
  using whole = new TestDisk(FILES);
  const points: Point[] = [];
  await whole.changes({ onPoint: (point) => void points.push(point) }).apply(wanted);
  for (const index of points.keys()) {
    using disk = new TestDisk(FILES);
    mkdirSync(disk.at('.git/hooks'), { recursive: true });
    let count = 0;
    const onPoint = () => {
      if (count++ !== index) return;
      renameSync(disk.at('src'), disk.at('kept'));
      symlinkSync('.git/hooks', disk.at('src'));
    };
    await disk
      .changes({ onPoint })
      .apply(wanted)
      .catch(() => {});
    await disk.changes().recover();
    const inside = Object.keys(disk.tree()).filter((name) => name.startsWith('.git/hooks/'));
    expect(inside, `swapped when ${points[index]}`).toEqual([]);
  }
});
