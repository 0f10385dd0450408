import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import cliPackage from '@baton/cli/package.json' with { type: 'json' };
import { temporaryFolder } from '@baton/testkit';
import { expect, test } from 'vitest';
import { licencesOf } from '../../scripts/bundle/licences.mjs';
import { licencesIn } from './licences-in.ts';
import { program } from './programs.ts';
import { cites } from './requirements.ts';

const root = path.resolve(path.dirname(program), '../../..');

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, Locked>>;
};

function named(place: string, given: Locked['dependencies'], isOptional: boolean) {
  return Object.entries(given ?? {}).map(([name, range]) => ({ place, name, range, isOptional }));
}

/** Whether the lock file has a package where Node.js looks for it: there, or further up. */
function isLocked(place: string, name: string): boolean {
  const at = path.posix.join(place, 'node_modules', name);
  return at in lock.packages || (place !== '' && isLocked(upFrom(place), name));
}

function upFrom(place: string): string {
  const [, above = ''] = /^(.*?)\/?node_modules\/[^/]+(?:\/[^/]+)?$/.exec(place) ?? [];
  return above;
}

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
    'dist/baton.LICENSES.txt',
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
  expect(Object.keys(cliPackage.optionalDependencies)).toEqual(['@duckdb/node-api', 'typescript']);
});

test(`${cites('T45')} every package of the lock file is named by version and digest, and by no host`, () => {
  const foreign = Object.entries(lock.packages).filter(
    ([place, { link }]) => place.includes('node_modules/') && !link,
  );
  expect(foreign.length).toBeGreaterThan(300);
  expect(foreign.length).toBeLessThan(420);
  const loose = foreign.filter(
    ([, { version, integrity, resolved }]) =>
      !/^\d+\.\d+\.\d+/.test(version ?? '') ||
      !/^sha512-[\w+/]{86}==$/.test(integrity ?? '') ||
      resolved !== undefined,
  );
  expect(loose).toEqual([]);
});

test(`${cites('T45')} what the lock file lacks is binaries for other platforms, of versions that it names`, () => {
  const wanted = Object.entries(lock.packages).flatMap(
    ([place, { optionalDependencies, ...one }]) => [
      ...named(place, one.dependencies, false),
      ...named(place, one.devDependencies, false),
      ...named(place, optionalDependencies, true),
    ],
  );
  const missing = wanted.filter(({ place, name }) => !isLocked(place, name));
  const odd = missing.filter(
    ({ name, range, isOptional }) =>
      !isOptional ||
      !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(range) ||
      !/^@(biomejs\/cli|duckdb\/node-bindings|oxc-parser\/binding|rolldown\/binding)-/.test(name),
  );
  expect(odd).toEqual([]);
  expect(missing.length).toBeLessThan(30);
});

test(`${cites('T45')} our own packages name others by exact versions`, () => {
  const own = Object.entries(lock.packages).filter(([place]) => !place.includes('node_modules/'));
  expect(own.length).toBeGreaterThan(15);
  for (const [place] of own) {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
      readFileSync(path.join(root, place, 'package.json'), 'utf8'),
    );
    const all = { ...dependencies, ...devDependencies, ...optionalDependencies };
    const ranges = Object.entries(all).filter(
      ([name, range]) =>
        !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(range)) && !name.startsWith('@baton/'),
    );
    expect(ranges, place).toEqual([]);
  }
});

test(`${cites('T45')} nothing runs at install`, () => {
  const scripts = Object.entries(lock.packages).filter(
    ([, { hasInstallScript }]) => hasInstallScript,
  );
  expect(scripts.map(([place]) => place)).toEqual([
    'node_modules/@photostructure/sqlite',
    'node_modules/esbuild',
  ]);
  using home = temporaryFolder();
  const asked = ['ignore-scripts', 'omit-lockfile-registry-resolved', 'save-exact'];
  const told = execFileSync('npm', ['config', 'get', ...asked], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: home.path },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  expect(told.trim().split('\n')).toEqual(asked.map((name) => `${name}=true`));
});

test(`${cites('T45')} few packages are in the program, and their licences are beside it`, () => {
  const licences = readFileSync(path.join(path.dirname(program), 'baton.LICENSES.txt'), 'utf8');
  expect(licencesIn(licences)).toEqual([
    '@modelcontextprotocol/core Apache-2.0',
    '@modelcontextprotocol/server Apache-2.0',
    'jsonc-parser MIT',
    'kysely MIT',
    'yaml ISC',
    'zod MIT',
  ]);
});

test(`${cites('T45')} a package without a licence that allows it is not bundled`, () => {
  expect(licencesOf(new Set(['node_modules/zod']))).toContain('Permission is hereby granted');
  for (const place of ['node_modules/argparse', 'node_modules/lightningcss'])
    expect(() => licencesOf(new Set([place]))).toThrow(/has the licence (Python|MPL)-2\.0/);
  expect(() => licencesOf(new Set(['packages/core']))).toThrow('has the licence undefined');
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
    'node:worker_threads', // To watch the engine for data, which may hold up its main thread.
    'node:zlib', // Checksums of indexes.
  ]);
  // Not a method of that name, as query builders have one.
  const calls = /(?<![.\w])fetch\s*\((?![^(){}]*\)\s*\{)|\bhttps?\.(request|get)\(/.exec(
    bundle,
  )?.[0];
  const sockets = /new WebSocket|XMLHttpRequest|EventSource\(/.exec(bundle)?.[0];
  expect({ calls, sockets }).toEqual({ calls: undefined, sockets: undefined });
});
