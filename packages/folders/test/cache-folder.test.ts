import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '@baton/testkit';
import { expect, test } from 'vitest';
import { CacheFolder } from '../src/index.ts';

const HOUR_MS = 60 * 60 * 1000;
const isKept = (name: string) => name.endsWith('.kept');

function cacheIn(folder: string): CacheFolder {
  return new CacheFolder(folder, { now: Date.now }, { isKept, days: 2 });
}

test('a file is replaced in one step, and what fails leaves nothing behind', () => {
  using folder = temporaryFolder();
  const cache = cacheIn(path.join(folder.path, 'a/b'));
  cache.make();
  const file = path.join(cache.path, 'x.kept');
  cache.write(file, 'one');
  cache.write(file, Buffer.from('two'));
  expect(readFileSync(file, 'utf8')).toBe('two');
  const inTheWay = path.join(cache.path, 'folder.kept');
  mkdirSync(inTheWay);
  expect(() => cache.write(inTheWay, 'three')).toThrow();
  expect(readdirSync(cache.path).sort()).toEqual(['folder.kept', 'x.kept']);
});

test('what is used stays, what is not goes, and so does what nobody will finish', () => {
  using folder = temporaryFolder();
  const cache = cacheIn(folder.path);
  const { pid: dead = 0 } = spawnSync(process.execPath, ['--version']);
  const ages: Readonly<Record<string, number>> = {
    'fresh.kept': 47,
    'used.kept': 100,
    'old.kept': 49,
    'unfinished.tmp': 2,
    'begun.tmp': 0.5,
    [`new-${process.pid}-mine`]: 0.5,
    [`new-${dead}-left`]: 0,
  };
  for (const [name, hours] of Object.entries(ages)) {
    const file = path.join(folder.path, name);
    writeFileSync(file, '');
    const then = (Date.now() - hours * HOUR_MS) / 1000;
    utimesSync(file, then, then);
  }
  cache.markAsUsed(path.join(folder.path, 'used.kept'));
  cache.tidy();
  expect(readdirSync(folder.path).sort()).toEqual(
    ['begun.tmp', 'fresh.kept', 'used.kept', `new-${process.pid}-mine`].sort(),
  );
  expect(existsSync(cache.newFile())).toBe(false);
});
