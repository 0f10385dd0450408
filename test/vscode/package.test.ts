import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { licencesIn } from '@baton/e2e/licences-in';
import { cites } from '@baton/e2e/requirements';
import { temporaryFolder } from '@baton/testkit';
import { expect, test } from 'vitest';
import { packageExtension } from '../../scripts/package-vscode.mjs';
import { stageExtension, targets } from '../../scripts/stage-vscode.mjs';
import { readZip } from './zip.ts';

/** Of what runs in the extension host. */
const LICENCES = [
  '@modelcontextprotocol/client Apache-2.0',
  '@modelcontextprotocol/core Apache-2.0',
  'cross-spawn MIT',
  'isexe ISC',
  'jsonc-parser MIT',
  'path-key MIT',
  'pkce-challenge MIT',
  'shebang-command MIT',
  'shebang-regex MIT',
  'which ISC',
  'zod MIT',
];
const MAX_BYTES = 4 * 1024 * 1024;

test.each(Object.entries(targets))(
  `${cites('T45', 'VSCODE-PACKAGE')} for %s: packaged without a warning, holds only what is needed`,
  async (target, sqlite) => {
    using place = temporaryFolder();
    const folder = path.join(place.path, 'staged');
    const file = path.join(place.path, 'baton.vsix');
    await stageExtension(folder, { target: target as keyof typeof targets });
    packageExtension(folder, target as keyof typeof targets, file);
    const files = readZip(file);
    expect([...files.keys()].sort()).toEqual(
      [
        '[Content_Types].xml',
        'extension.vsixmanifest',
        'extension/LICENSE.txt',
        'extension/dist/baton.LICENSES.txt',
        'extension/dist/baton.mjs',
        'extension/dist/extension.LICENSES.txt',
        'extension/dist/extension.cjs',
        'extension/dist/mcp-client.cjs',
        'extension/dist/sqlite/LICENSE',
        `extension/dist/sqlite/${sqlite}.node`,
        'extension/dist/knowledge/concepts.index',
        'extension/dist/knowledge/o200k.LICENSE',
        'extension/dist/knowledge/o200k.bin',
        'extension/dist/knowledge/words.json',
        'extension/media/doctor.png',
        'extension/media/http.png',
        'extension/media/icon.png',
        'extension/media/tools.png',
        'extension/node_modules/baton-ts-plugin/index.js',
        'extension/node_modules/baton-ts-plugin/package.json',
        'extension/package.json',
        'extension/readme.md',
      ].sort(),
    );
    expect(statSync(file).size).toBeLessThan(MAX_BYTES);
    expect(licencesIn(String(files.get('extension/dist/extension.LICENSES.txt')))).toEqual(
      LICENCES,
    );
    expect(licencesIn(String(files.get('extension/dist/baton.LICENSES.txt'))).length).toBe(6);
    expect(String(files.get('extension.vsixmanifest'))).toContain(`TargetPlatform="${target}"`);
    const { dependencies, devDependencies, scripts } = JSON.parse(
      String(files.get('extension/package.json')),
    );
    expect({ dependencies, devDependencies, scripts }).toEqual({
      dependencies: { 'baton-ts-plugin': '0.0.1' },
    });
  },
);

test(`${cites('VSCODE-PACKAGE', 'STORE-SELF-CONTAINED')} its program finds the database in the package, whatever runs it`, async () => {
  using place = temporaryFolder();
  const staged = path.join(place.path, 'staged');
  await stageExtension(staged, { target: 'linux-x64' });
  packageExtension(staged, 'linux-x64', path.join(place.path, 'baton.vsix'));
  rmSync(staged, { recursive: true });
  for (const [name, bytes] of readZip(path.join(place.path, 'baton.vsix'))) {
    const file = path.join(place.path, 'installed', name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }
  const program = path.join(place.path, 'installed/extension/dist/baton.mjs');
  const status = execFileSync(process.execPath, [program, 'status', '--json'], {
    cwd: place.path,
    env: { PATH: process.env.PATH, HOME: place.path },
    encoding: 'utf8',
  });
  expect(JSON.parse(status).store).toMatchObject({ isReady: true });
});

test(`${cites('T42', 'T45', 'VSCODE-NO-DATABASE')} what runs in the extension host reaches no network and no database`, async () => {
  using place = temporaryFolder();
  await stageExtension(place.path, { target: 'linux-x64' });
  const text = readFileSync(path.join(place.path, 'dist/extension.cjs'), 'utf8');
  const loaded = [...text.matchAll(/require\("([^"]+)"\)/g)].map(([, name]) => name);
  expect([...new Set(loaded)].sort()).toEqual([
    './mcp-client.cjs',
    'node:child_process',
    'node:crypto',
    'node:fs',
    'node:fs/promises',
    'node:net',
    'node:os',
    'node:path',
    'node:readline',
    'node:timers/promises',
    'vscode',
  ]);
  expect(text).not.toMatch(/\bfetch\(|https?:\/\/(?!localhost|127\.0\.0\.1|\()|telemetry/i);
});
