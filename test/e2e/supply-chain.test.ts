import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import cliPackage from '@baton/cli/package.json' with { type: 'json' };
import { expect, test } from 'vitest';
import { program } from './programs.ts';
import { cites } from './requirements.ts';

const root = path.resolve(path.dirname(program), '../../..');

// SQLite for Node.js versions whose own is missing or too old.
const binaries = [
  'darwin-arm64.glibc',
  'darwin-x64.glibc',
  'linux-arm64.glibc',
  'linux-arm64.musl',
  'linux-x64.glibc',
  'linux-x64.musl',
  'win32-arm64.glibc',
  'win32-x64.glibc',
].map((name) => `dist/sqlite/${name}.node`);

test(`${cites('T45')} the package is one program, SQLite for each platform, what knowledge needs and manifests, without dependencies`, () => {
  const packed = execFileSync('npm', ['pack', '--dry-run', '--json'], {
    cwd: path.join(root, 'apps/cli'),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ files }] = JSON.parse(packed) as [{ files: { path: string }[] }];
  expect(files.map((file) => file.path).sort()).toEqual([
    '.claude-plugin/plugin.json',
    '.mcp.json',
    'LICENSE',
    'README.md',
    'dist/baton.mjs',
    'dist/knowledge/concepts.index',
    'dist/knowledge/o200k.LICENSE',
    'dist/knowledge/o200k.bin',
    'dist/knowledge/words.json',
    'dist/sqlite/LICENSE',
    ...binaries,
    'package.json',
  ]);
  expect(cliPackage).not.toHaveProperty('dependencies');
  expect(cliPackage).not.toHaveProperty('scripts');
});

test(`${cites('T45')} nothing runs at install, and the lock file names no host`, () => {
  expect(readFileSync(path.join(root, '.npmrc'), 'utf8')).toContain('ignore-scripts=true');
  const lock = readFileSync(path.join(root, 'package-lock.json'), 'utf8');
  expect(lock).not.toContain('"resolved": "http');
  expect(Object.keys(JSON.parse(lock).packages).length).toBeLessThan(410);
});

test(`${cites('T42')} the program loads nothing that could reach a network`, () => {
  const bundle = readFileSync(program, 'utf8');
  // With what is required by the texts in it, where quotes may be escaped.
  const names =
    /(?:from|import|require|getBuiltinModule)\s*\(?\\?["'`](node:[\w/]+|[a-z_/]+)\\?["'`]/g;
  const imported = [...bundle.matchAll(names)].map(([, name]) => name);
  const builtIns = [...new Set(imported)].filter((name) => name?.startsWith('node:')).sort();
  expect(builtIns).toEqual([
    'node:buffer',
    'node:child_process', // Jobs.
    'node:crypto',
    'node:events',
    'node:fs',
    'node:fs/promises',
    'node:http', // To listen on 127.0.0.1, which the tests of `baton serve` look at.
    'node:module', // To find the engine for data, and TypeScript.
    'node:net', // To reach the editor that has started it.
    'node:os',
    'node:path',
    'node:sqlite',
    'node:stream',
    'node:timers/promises',
    'node:url',
    'node:util',
    'node:v8', // Both only to close a store that has become writable, on Node 20.
    'node:vm',
    'node:zlib', // Checksums of indexes.
  ]);
  // Not a method of that name, as query builders have one.
  const calls = /(?<![.\w])fetch\s*\((?![^(){}]*\)\s*\{)|\bhttps?\.(request|get)\(/.exec(
    bundle,
  )?.[0];
  const sockets = /new WebSocket|XMLHttpRequest|EventSource\(/.exec(bundle)?.[0];
  expect({ calls, sockets }).toEqual({ calls: undefined, sockets: undefined });
});
