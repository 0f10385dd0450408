import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '@baton/testkit';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLog, createLogFile, stateDirectory } from '../src/index.ts';
import { systemIds } from '../src/system-ports.ts';

// The file is opened a moment after the first line.
beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => vi.useRealTimers());

test('a log file is rotated, so that a process keeps at most two', () => {
  using folder = temporaryFolder();
  const file = createLogFile(folder.path, () => {});
  const line = 'x'.repeat(1024 * 1024 - 1);
  for (let written = 0; written < 20; written++) file.write(line);
  vi.runAllTimers();
  const sizes = readdirSync(folder.path).map((name) => statSync(path.join(folder.path, name)).size);
  expect(sizes).toHaveLength(2);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(7 * 1024 * 1024);
});

test('lines before and after the opening stand in order', () => {
  using folder = temporaryFolder();
  const file = createLogFile(folder.path, () => {});
  file.write('first');
  file.write('second');
  expect(readdirSync(folder.path)).toEqual([]);
  vi.runAllTimers();
  file.write('third');
  expect(readFileSync(file.path, 'utf8')).toBe('first\nsecond\nthird\n');
});

test('the oldest files of other processes are removed, and nothing else', () => {
  using folder = temporaryFolder();
  for (let age = 1; age <= 60; age++) {
    const file = path.join(folder.path, `baton-old-${age}.log`);
    writeFileSync(file, '');
    utimesSync(file, new Date(Date.now() - age * 1000), new Date(Date.now() - age * 1000));
  }
  writeFileSync(path.join(folder.path, 'mine.txt'), '');
  createLogFile(folder.path, () => {}).write('hello');
  vi.runAllTimers();
  const names = readdirSync(folder.path);
  expect(names).toHaveLength(41);
  expect(names).toContain('mine.txt');
  expect(names).toContain('baton-old-1.log');
  expect(names).not.toContain('baton-old-60.log');
});

test('a disk that refuses is told once', () => {
  using folder = temporaryFolder();
  const blocked = path.join(folder.path, 'file');
  writeFileSync(blocked, '');
  const reasons: string[] = [];
  const file = createLogFile(path.join(blocked, 'logs'), (reason) => reasons.push(reason));
  file.write('a');
  vi.runAllTimers();
  file.write('b');
  expect(reasons).toHaveLength(1);
});

test('a disk that has room again is written to again', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  using folder = temporaryFolder();
  const blocked = path.join(folder.path, 'file');
  writeFileSync(blocked, '');
  const file = createLogFile(path.join(blocked, 'logs'), () => file.write('told'));
  file.write('lost');
  vi.runAllTimers();
  rmSync(blocked);
  file.write('too early');
  vi.advanceTimersByTime(10_001);
  file.write('kept');
  expect(readFileSync(file.path, 'utf8')).toBe('kept\n');
});

test('levels below the threshold are not written, children share it', () => {
  const lines: string[] = [];
  const log = createLog('warn', [(line) => lines.push(line)]);
  log.write('info', 'no');
  log.child('part').write('error', 'yes\nand more');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^\[.+\] \[ERROR\] \[part\] yes\\nand more$/);
});

test('state is found from the home directory, never from XDG variables', () => {
  const before = process.env.XDG_STATE_HOME;
  process.env.XDG_STATE_HOME = '/elsewhere';
  expect(stateDirectory()).not.toContain('elsewhere');
  expect(stateDirectory('relative')).toBe(path.resolve('relative'));
  if (before === undefined) delete process.env.XDG_STATE_HOME;
  else process.env.XDG_STATE_HOME = before;
});

test('ids have 122 random bits', () => {
  const ids = new Set(Array.from({ length: 1000 }, () => systemIds.next()));
  expect(ids.size).toBe(1000);
  for (const id of ids)
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
});
