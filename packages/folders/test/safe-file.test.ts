import { execFileSync, spawn } from 'node:child_process';
import { closeSync, linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  type FileProblem,
  isPassing,
  openWithin,
  readBytesWithin,
  readFileWithin,
  sentenceOf,
} from '../src/index.ts';
import { folderWith } from './files-in.ts';

const MIB = 1024 * 1024;
const later = () => Date.now() + 1000;
const read = (folder: string, file: string, maxBytes = MIB) =>
  readFileWithin(folder, file, { maxBytes, now: later });

describe('a text is read', () => {
  test('with the stamp of its file, and without a byte order mark', () => {
    using folder = folderWith({ 'a/b.txt': '\ufeffgrün\n', 'empty.txt': '' });
    expect(read(folder.path, 'a/b.txt')).toEqual({
      text: 'grün\n',
      stamp: { size: 9, changed: expect.any(Number) },
    });
    expect(read(folder.path, 'empty.txt')).toMatchObject({ text: '' });
  });

  test('up to exactly the size that is allowed', () => {
    using folder = folderWith({ 'a.txt': 'x'.repeat(100) });
    expect(read(folder.path, 'a.txt', 100)).toMatchObject({ text: 'x'.repeat(100) });
    expect(read(folder.path, 'a.txt', 99)).toEqual({ problem: 'large' });
  });

  test('through links that stay in the folder', () => {
    using folder = folderWith({ 'real/a.txt': 'here' });
    symlinkSync('real', folder.at('linked'));
    symlinkSync('real/a.txt', folder.at('b.txt'));
    expect(read(folder.path, 'linked/a.txt')).toMatchObject({ text: 'here' });
    expect(read(folder.path, 'b.txt')).toMatchObject({ text: 'here' });
  });

  test.runIf(process.platform === 'linux')('whose size is not known before', () => {
    // The kernel says that it is empty.
    const status = readBytesWithin('/proc', 'self/status', { maxBytes: MIB });
    expect(status).toMatchObject({ stat: { size: 0 } });
    expect('bytes' in status && status.bytes.toString()).toContain(`Pid:\t${process.pid}`);
    const few = readBytesWithin('/proc', 'self/status', { maxBytes: 100 });
    expect(few).toEqual({ problem: 'large' });
  });
});

describe('a text is not read', () => {
  test.each<[string, string | Uint8Array, FileProblem]>([
    ['with a NUL byte, whose line is told', 'a\nb\nc\0d\n', { problem: 'binary', line: 3 }],
    ['in another encoding', Buffer.from([0x61, 0xe9]), { problem: 'not-utf8' }],
  ])('%s', (_what, content, problem) => {
    using folder = folderWith({ 'a.txt': content });
    expect(read(folder.path, 'a.txt')).toEqual(problem);
    expect(readBytesWithin(folder.path, 'a.txt', { maxBytes: MIB })).toMatchObject({
      bytes: Buffer.from(content),
    });
  });

  test('that is missing, also because what should be a folder is a file', () => {
    using folder = folderWith({ 'a.txt': 'x' });
    expect(read(folder.path, 'b.txt')).toEqual({ problem: 'missing' });
    expect(read(folder.path, 'a.txt/b.txt')).toEqual({ problem: 'missing' });
  });

  test('whose name the system refuses', () => {
    using folder = folderWith();
    const problem = { problem: 'unreadable', code: 'ENAMETOOLONG' };
    expect(read(folder.path, 'x'.repeat(300))).toEqual(problem);
  });

  test.skipIf(process.platform === 'win32')('that is a folder or a pipe: nothing waits', () => {
    using folder = folderWith();
    mkdirSync(folder.at('a.txt'));
    execFileSync('mkfifo', [folder.at('b.txt')]);
    expect(read(folder.path, 'a.txt')).toEqual({ problem: 'irregular' });
    expect(read(folder.path, 'b.txt')).toEqual({ problem: 'irregular' });
  });

  test('that a link or a path leads to, out of the folder', () => {
    using outside = folderWith({ 'secret.txt': 'secret' });
    using folder = folderWith({ 'in/a.txt': 'x', 'in-too/secret.txt': 'secret' });
    symlinkSync(outside.at('secret.txt'), folder.at('in/file.txt'));
    symlinkSync(outside.path, folder.at('in/folder'));
    for (const file of ['file.txt', 'folder/secret.txt', '../in-too/secret.txt']) {
      expect(read(folder.at('in'), file)).toEqual({ problem: 'outside' });
    }
  });
});

test.skipIf(process.platform === 'win32')('a path that was real is not followed by a link', () => {
  using folder = folderWith({ 'a.txt': 'x' });
  symlinkSync('a.txt', folder.at('b.txt'));
  linkSync(folder.at('a.txt'), folder.at('c.txt'));
  const real = { maxBytes: MIB, isReal: true } as const;
  expect(readBytesWithin(folder.path, 'b.txt', real)).toEqual({
    problem: 'unreadable',
    code: 'ELOOP',
  });
  expect(readBytesWithin(folder.path, 'c.txt', real)).toMatchObject({ bytes: Buffer.from('x') });
});

test('what was opened can be read, and what was refused is closed', () => {
  using outside = folderWith({ 'secret.txt': 'secret' });
  using folder = folderWith({ 'a.txt': 'x'.repeat(10) });
  symlinkSync(outside.at('secret.txt'), folder.at('b.txt'));
  const found = openWithin(folder.path, 'a.txt');
  if ('problem' in found) throw new Error(found.problem);
  expect(found.stat.size).toBe(10);
  expect(readFileSync(found.opened, 'utf8')).toBe('x'.repeat(10));
  closeSync(found.opened);
  for (let count = 0; count < 50; count++) {
    expect(openWithin(folder.path, 'b.txt')).toEqual({ problem: 'outside' });
    expect(read(folder.path, 'a.txt', 5)).toEqual({ problem: 'large' });
  }
  const again = openWithin(folder.path, 'a.txt');
  if ('problem' in again) throw new Error(again.problem);
  closeSync(again.opened);
  // Numbers of open files are the lowest that are free.
  expect(again.opened).toBeLessThan(found.opened + 50);
});

test('a file that is swapped for a link all the time never shows what is outside', async () => {
  using outside = folderWith({ 'secret.txt': 'secret' });
  using folder = folderWith({ 'in/a.txt': 'public', 'in/started': '' });
  const script = `const fs = require('fs');
    fs.rmSync('started');
    for (;;) {
      fs.writeFileSync('own', 'public'); fs.renameSync('own', 'a.txt');
      fs.symlinkSync(process.argv[1], 'link'); fs.renameSync('link', 'a.txt');
    }`;
  const args = ['-e', script, outside.at('secret.txt')];
  const swapper = spawn(process.execPath, args, { cwd: folder.at('in') });
  try {
    await expect.poll(() => readdirSync(folder.at('in'))).not.toContain('started');
    const seen = new Set<string>();
    for (let count = 0; count < 20_000 || seen.size < 2; count++) {
      const found = read(folder.at('in'), 'a.txt');
      seen.add('text' in found ? found.text : found.problem);
    }
    expect(seen).toContain('public');
    expect(seen).toContain('outside');
    expect(seen).not.toContain('secret');
  } finally {
    swapper.kill('SIGKILL');
  }
});

test('problems have words, and some of them pass', () => {
  const words = (found: FileProblem, maxBytes = MIB) => sentenceOf(found, maxBytes);
  expect(words({ problem: 'large' })).toBe('This is larger than 1 MiB: split it.');
  expect(words({ problem: 'large' }, 4 * 1024 * MIB)).toContain('than 4 GiB:');
  expect(words({ problem: 'large' }, 1500)).toContain('than 1500 bytes:');
  expect(words({ problem: 'unreadable', code: 'EACCES' })).toBe('This cannot be read (EACCES).');
  expect(isPassing({ problem: 'unreadable', code: 'EACCES' })).toBe(true);
  expect(isPassing({ problem: 'missing' })).toBe(true);
  expect(isPassing({ problem: 'outside' })).toBe(false);
});
