import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type FolderSource, FollowedFolder, scanFolder, Turns } from '../src/index.ts';
import { folderWith, type TestFolder } from './files-in.ts';

const monotonic = () => performance.now();

function follow(source: FolderSource, clock = { monotonic }) {
  let notices = 0;
  const folder = new FollowedFolder(source, clock, () => {
    notices += 1;
  });
  return {
    folder,
    notices: () => notices,
    /** Names of the files, or why there are none. */
    read: () =>
      folder.refresh<readonly string[] | string | undefined>({
        async read({ root, entering }) {
          const { files, folders } = await scanFolder(root, {
            now: () => Date.now(),
            turns: new Turns(monotonic),
            isWanted: () => true,
            maxBytes: 1000,
            entering,
          });
          return { folders, result: [...files.keys()].sort() };
        },
        clear: (problem) => problem,
      }),
  };
}

const sourceIn = (folder: TestFolder, more: Partial<FolderSource> = {}): FolderSource => ({
  name: 'data',
  path: folder.at('data'),
  ...more,
});

describe('what was read is stale', () => {
  test('at first, and when something in it has changed, also in a new folder', async () => {
    using folder = folderWith({ 'data/a.csv': 'x' });
    const followed = follow(sourceIn(folder));
    expect(followed.folder.isStale).toBe(true);
    expect(await followed.read()).toEqual(['a.csv']);
    expect(followed.folder.isStale).toBe(false);
    expect(followed.notices()).toBe(0);
    folder.write({ 'data/b/c.csv': 'x' });
    await expect.poll(() => followed.folder.isStale).toBe(true);
    expect(followed.notices()).toBeGreaterThan(0);
    expect(await followed.read()).toEqual(['a.csv', 'b/c.csv']);
    await expect.poll(async () => (await followed.read()) && followed.folder.isStale).toBe(false);
    folder.write({ 'data/b/c.csv': 'y' });
    await expect.poll(() => followed.folder.isStale).toBe(true);
  });

  test('when something changes while it is read', async () => {
    using folder = folderWith({ 'data/a.csv': 'x' });
    const { folder: followed } = follow(sourceIn(folder));
    await followed.refresh({
      async read({ entering }) {
        entering('');
        folder.write({ 'data/b.csv': 'x' });
        return { folders: [''], result: undefined };
      },
      clear: () => undefined,
    });
    await expect.poll(() => followed.isStale).toBe(true);
  });

  test('at once when another folder stands in its place', async () => {
    using folder = folderWith({ 'data/a.csv': 'x', 'other/b.csv': 'x' });
    const { folder: followed, read } = follow(sourceIn(folder));
    await read();
    renameSync(folder.at('data'), folder.at('before'));
    renameSync(folder.at('other'), folder.at('data'));
    expect(followed.isStale).toBe(true);
    expect(await read()).toEqual(['b.csv']);
  });

  test('when the folder was made that was not there', async () => {
    using folder = folderWith();
    const followed = follow(sourceIn(folder));
    expect(await followed.read()).toBeUndefined();
    expect(followed.folder.isStale).toBe(false);
    expect(followed.folder.root).toBeUndefined();
    folder.write({ 'data/a.csv': 'x' });
    await expect.poll(() => followed.notices()).toBeGreaterThan(0);
    expect(await followed.read()).toEqual(['a.csv']);
    expect(followed.folder.root).toBe(folder.at('data'));
  });

  test('if reading has failed', async () => {
    using folder = folderWith({ 'data/a.csv': 'x' });
    const { folder: followed } = follow(sourceIn(folder));
    const failing = followed.refresh({
      read: () => Promise.reject(new Error('broken')),
      clear: () => undefined,
    });
    await expect(failing).rejects.toThrow('broken');
    expect(followed.isStale).toBe(true);
  });

  test('after a while, where a watch was lost', async () => {
    using folder = folderWith({ 'data/a.csv': 'x' });
    let now = 0;
    const { folder: followed } = follow(sourceIn(folder), { monotonic: () => now });
    await followed.refresh({
      // What is not there cannot be watched.
      read: async () => ({ folders: ['', 'gone'], result: undefined }),
      clear: () => undefined,
    });
    expect(followed.isStale).toBe(false);
    now = 501;
    expect(followed.isStale).toBe(process.platform === 'linux');
  });
});

describe('nothing is read, and a problem told, if the folder', () => {
  test('is missing, and somebody has named it', async () => {
    using folder = folderWith();
    expect(await follow(sourceIn(folder, { isNamed: true })).read()).toBe(
      'There is no such folder.',
    );
  });

  test('is a file', async () => {
    using folder = folderWith({ data: 'x' });
    expect(await follow(sourceIn(folder)).read()).toBe('This is not a folder.');
  });

  test('leads out of where it belongs, until it does not', async () => {
    using outside = folderWith({ 'secret.csv': 'x' });
    using folder = folderWith({ 'in/a.csv': 'x' });
    symlinkSync(outside.path, folder.at('data'));
    const { folder: followed, read } = follow(sourceIn(folder, { within: folder.path }));
    expect(await read()).toBe('This leads out of the workspace.');
    expect(followed.root).toBeUndefined();
    rmSync(folder.at('data'));
    symlinkSync(folder.at('in'), folder.at('data'));
    expect(followed.isStale).toBe(true);
    expect(await read()).toEqual(['a.csv']);
    expect(followed.root).toBe(folder.at('in'));
  });

  test('has gone after it was read', async () => {
    using folder = folderWith({ 'data/a.csv': 'x' });
    const { folder: followed, read } = follow(sourceIn(folder, { isNamed: true }));
    await read();
    rmSync(folder.at('data'), { recursive: true });
    expect(followed.isStale).toBe(true);
    expect(await read()).toBe('There is no such folder.');
    expect(followed.root).toBeUndefined();
    mkdirSync(folder.at('data'));
    writeFileSync(folder.at('data/b.csv'), 'x');
    expect(followed.isStale).toBe(true);
    expect(await read()).toEqual(['b.csv']);
  });
});
