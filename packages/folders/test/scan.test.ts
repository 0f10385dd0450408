import { execFileSync } from 'node:child_process';
import { symlinkSync, truncateSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type ScanOptions, scanFolder, Turns } from '../src/index.ts';
import { folderWith } from './files-in.ts';

const scan = (root: string, more: Partial<ScanOptions> = {}) =>
  scanFolder(root, {
    now: () => Date.now() + 1000,
    turns: new Turns(() => performance.now()),
    isWanted: (name) => name.endsWith('.csv'),
    maxBytes: 1000,
    ...more,
  });

test('finds what is wanted, at any depth, and tells of each folder before it is looked at', async () => {
  using folder = folderWith({
    'a.csv': 'x',
    'a.md': 'x',
    'b/c/d.csv': 'xyz',
    'b/.git/e.csv': 'x',
    '.hidden.csv': 'x',
    'node_modules/f.csv': 'x',
  });
  const entered: string[] = [];
  const found = await scan(folder.path, {
    entering: (name) => {
      if (name === 'b') folder.write({ 'b/late.csv': 'x' });
      entered.push(name);
    },
  });
  expect([...found.files.keys()].sort()).toEqual(['a.csv', 'b/c/d.csv', 'b/late.csv']);
  expect(found.files.get('b/c/d.csv')).toMatchObject({ size: 3 });
  expect(found.folders).toEqual(['', 'b', 'b/c']);
  expect(entered).toEqual(found.folders);
  expect(found.problems).toEqual([]);
});

test('trusts no time that is too fresh', async () => {
  using folder = folderWith({ 'a.csv': 'x' });
  const fresh = await scan(folder.path, { now: () => Date.now() });
  expect(fresh.files.get('a.csv')?.changed).toBe(0);
  const settled = await scan(folder.path);
  expect(settled.files.get('a.csv')?.changed).toBeGreaterThan(0);
});

test('leaves out what is too large, and says how large it may be', async () => {
  using folder = folderWith({ 'a.csv': 'x', 'b.csv': '', 'large.txt': 'x'.repeat(2000) });
  truncateSync(folder.at('b.csv'), 3 * 1024 ** 3);
  const found = await scan(folder.path, { maxBytes: 2 * 1024 ** 3 });
  expect([...found.files.keys()]).toEqual(['a.csv']);
  expect(found.problems).toEqual([
    { file: 'b.csv', message: 'This is larger than 2 GiB: split it.' },
  ]);
  const all = await scan(folder.path, { maxBytes: 4 * 1024 ** 3 });
  expect(all.files.get('b.csv')?.size).toBe(3 * 1024 ** 3);
});

test('follows no link, and reports those that lead out', async () => {
  using outside = folderWith({ 'secret.csv': 'x' });
  using folder = folderWith({ 'a.csv': 'x' });
  symlinkSync('a.csv', folder.at('again.csv'));
  symlinkSync(outside.path, folder.at('out'));
  const message = 'This is a link that leads out of the folder.';
  const plain = await scan(folder.path);
  expect([...plain.files.keys()]).toEqual(['a.csv']);
  expect(plain.problems).toEqual([{ file: 'out', message }]);
  const hinted = await scan(folder.path, { linkHint: 'Name it.' });
  expect(hinted.problems).toEqual([{ file: 'out', message: `${message} Name it.` }]);
});

test.skipIf(process.platform === 'win32')('reports names and things that are no use', async () => {
  using folder = folderWith({ 'line\nbreak.csv': 'x' });
  execFileSync('mkfifo', [folder.at('pipe.csv'), folder.at('pipe.txt')]);
  const { files, problems } = await scan(folder.path);
  expect(files.size).toBe(0);
  expect(problems.toSorted((a, b) => (a.file < b.file ? -1 : 1))).toEqual([
    { file: 'line\nbreak.csv', message: 'Its name holds control characters.' },
    { file: 'pipe.csv', message: 'This is not a regular file.' },
  ]);
});

test('ends in folders that are nested without end', async () => {
  const deep = 'd/'.repeat(40);
  using folder = folderWith({ [`${deep}a.csv`]: 'x', 'd/b.csv': 'x' });
  const { files, folders, problems } = await scan(folder.path);
  expect([...files.keys()]).toEqual(['d/b.csv']);
  expect(folders).toHaveLength(33);
  expect(problems).toMatchObject([{ message: 'This is nested more than 32 folders deep.' }]);
});

test('of a folder that is gone there is nothing', async () => {
  using folder = folderWith();
  const { files, folders, problems } = await scan(folder.at('gone'));
  expect([files.size, folders, problems]).toEqual([0, [], []]);
});
