import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cites } from '@baton/e2e/requirements';
import { createMemoryLog, temporaryFolder } from '@baton/testkit';
import { expect, test } from 'vitest';
import { buildSegment, SegmentCache } from '../search-under-test.ts';

const clock = { now: () => Date.now(), monotonic: () => performance.now() };
const segment = buildSegment([]);
const HOUR_MS = 60 * 60 * 1000;

function cacheIn(folder: string, version = 'one', log = createMemoryLog()) {
  return new SegmentCache(folder, version, clock, log);
}

function age(file: string, hours: number): void {
  const then = (Date.now() - hours * HOUR_MS) / 1000;
  utimesSync(file, then, then);
}

test(`${cites('KNOWLEDGE-INDEX')} an index is kept for its folder and its version`, () => {
  using folder = temporaryFolder();
  cacheIn(folder.path).save('/a', segment);
  expect(cacheIn(folder.path).load('/a')?.count).toBe(0);
  expect(cacheIn(folder.path).load('/b')).toBeUndefined();
  expect(cacheIn(folder.path, 'two').load('/a')).toBeUndefined();
});

test(`${cites('KNOWLEDGE-INDEX')} what nobody has used for a month goes, and what was not finished`, () => {
  using folder = temporaryFolder();
  const cache = cacheIn(folder.path);
  cache.save('/old', segment);
  const [old = ''] = readdirSync(folder.path);
  cache.save('/used', segment);
  const used = readdirSync(folder.path).find((name) => name !== old) ?? '';
  const unfinished = `${used}.5d1c`;
  const beingWritten = `${used}.77aa`;
  for (const name of [unfinished, beingWritten]) writeFileSync(path.join(folder.path, name), '');
  for (const name of [old, used]) age(path.join(folder.path, name), 24 * 40);
  age(path.join(folder.path, unfinished), 2);
  expect(cache.load('/used')?.count).toBe(0);
  cache.save('/new', segment);
  const left = readdirSync(folder.path);
  expect(left).toEqual(expect.arrayContaining([used, beingWritten]));
  expect(left).not.toContain(old);
  expect(left).not.toContain(unfinished);
});

test(`${cites('KNOWLEDGE-INDEX')} where nothing can be written, that is told and nothing else happens`, () => {
  using folder = temporaryFolder();
  const place = path.join(folder.path, 'file');
  writeFileSync(place, 'in the way');
  const log = createMemoryLog();
  const cache = cacheIn(place, 'one', log);
  cache.save('/a', segment);
  expect(cache.load('/a')).toBeUndefined();
  expect(log.entries.map(({ message }) => message).join()).toMatch(/could not be written/);
});

test('a folder in the place of an index is no index', () => {
  using folder = temporaryFolder();
  const cache = cacheIn(folder.path);
  cache.save('/a', segment);
  const [name = ''] = readdirSync(folder.path);
  using other = temporaryFolder();
  mkdirSync(path.join(other.path, name));
  const inTheWay = cacheIn(other.path);
  inTheWay.save('/a', segment);
  expect(inTheWay.load('/a')).toBeUndefined();
  expect(existsSync(path.join(other.path, name))).toBe(true);
  expect(readdirSync(other.path)).toEqual([name]);
});
