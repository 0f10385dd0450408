import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '@baton/testkit';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

const forbidden: readonly [folder: string, text: string, message: string][] = [
  ['packages/core', "import 'node:fs';", 'core is pure'],
  ['packages/core', "import '@baton/mcp';", 'core is pure'],
  ['packages/mcp', "import '@baton/runtime';", 'mcp knows core only'],
  ['packages/mcp', "import '../../core/src/tool.ts';", 'by its name'],
  ['packages/store', "import '@baton/runtime';", 'store knows core only'],
  ['packages/documents', "import 'node:fs';", 'documents is pure'],
  ['packages/documents', "import '@baton/store';", 'documents is pure'],
  ['packages/documents', "import '@baton/folders';", 'documents is pure'],
  ['packages/folders', "import '@baton/documents';", 'folders knows core only'],
  ['packages/folders', "import '@baton/store';", 'folders knows core only'],
  ['packages/folders', "import '@baton/mcp';", 'folders knows core only'],
  ['packages/git', "import '@baton/store';", 'git knows core and folders only'],
  ['packages/git', "import '@baton/plans';", 'git knows core and folders only'],
  ['packages/plans', "import '@baton/git';", 'plans is pure'],
  ['packages/plans', "import 'node:fs';", 'plans is pure'],
  ['packages/plans', "import '@baton/tickets';", 'plans is pure'],
  ['packages/plans', "import '@baton/runner';", 'plans is pure'],
  ['packages/plans', "import '@baton/folders';", 'plans is pure'],
  ['packages/tickets', "import 'node:fs';", 'tickets is pure'],
  ['packages/tickets', "import '@baton/plans';", 'tickets is pure'],
  ['packages/tickets', "import '@baton/data';", 'tickets is pure'],
  ['packages/knowledge', "import '@baton/store';", 'knowledge knows core'],
  ['packages/knowledge', "import '@baton/runtime';", 'knowledge knows core'],
  ['packages/knowledge', "import '@baton/data';", 'knowledge knows core'],
  ['packages/data', "import '@baton/store';", 'data knows core'],
  ['packages/data', "import '@baton/knowledge';", 'data knows core'],
  ['packages/data', "import '@duckdb/node-api';", 'Only packages/data/src/engine'],
  ['packages/data/src/engine', "import '@baton/store';", 'data knows core'],
  ['packages/runner', "import '@baton/runtime';", 'runner knows plans'],
  ['packages/runtime', "import '@modelcontextprotocol/server';", 'Only packages/mcp'],
  ['packages/runtime', "import '@baton/cli';", 'Nothing points back'],
  ['packages/testkit', "import '@baton/runtime';", 'knows core only'],
  ['apps/cli', "import '@baton/testkit';", 'for tests'],
  ['apps/cli', "import 'vscode';", 'Only apps/vscode'],
  ['apps/vscode', "import '@baton/store';", 'opens no database'],
  ['apps/vscode', "import '@modelcontextprotocol/client';", 'Only packages/mcp'],
  ['packages/runtime', "import 'left-pad';", "isn't specified"],
  ['apps/cli', "console.log('x');", 'stdout belongs to the protocol'],
  ['apps/cli', "process.stdout.write('x');", 'stdout belongs to the protocol'],
  ['packages/runtime', "exec('ls');", 'never go through a shell'],
  ['packages/runtime', "execSync('ls');", 'never go through a shell'],
  ['packages/runtime', "childProcess.exec('ls');", 'never go through a shell'],
  ['packages/runtime', "childProcess.execSync('ls');", 'never go through a shell'],
  ['packages/runtime', "spawn('ls', [], { shell: true });", 'never go through a shell'],
  ['packages/core', 'export default 1;', 'default export'],
  [
    'packages/core',
    'export async function f() {}\nfloat();\nasync function float() {}',
    'floating',
  ],
];

/** What is an exception of a rule above. */
const allowed: readonly [folder: string, text: string][] = [
  ['packages/folders', "import 'node:fs';\nimport '@baton/core';"],
  ['packages/knowledge', "import '@baton/folders';"],
  ['packages/data', "import '@baton/documents';\nimport '@baton/folders';"],
  ['packages/data/src/engine', "import '@duckdb/node-api';"],
  ['packages/runtime', "import '@baton/folders/files';"],
];

/** Puts each text where it is forbidden or allowed, in a copy, and lints that. */
function lintAll(): string[] {
  using folder = temporaryFolder();
  const config = JSON.parse(readFileSync(path.join(root, 'biome.json'), 'utf8'));
  writeFileSync(path.join(folder.path, 'biome.json'), JSON.stringify({ ...config, vcs: {} }));
  cpSync(path.join(root, 'scripts/lint'), path.join(folder.path, 'scripts/lint'), {
    recursive: true,
  });
  for (const [index, [place, text]] of [...forbidden, ...allowed].entries()) {
    const owner = place.split('/').slice(0, 2).join('/');
    const sources = path.join(folder.path, place === owner ? `${place}/src` : place);
    mkdirSync(sources, { recursive: true });
    cpSync(path.join(root, owner, 'package.json'), path.join(folder.path, owner, 'package.json'));
    writeFileSync(path.join(sources, `probe-${index}.ts`), `${text}\n`);
  }
  const biome = path.join(root, 'node_modules/@biomejs/biome/bin/biome');
  const args = [biome, 'lint', '--reporter=github', '--max-diagnostics=none'];
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder.path, encoding: 'utf8' });
  return stdout.split('\n');
}

test('every rule about imports, stdout and shells fires, and none where it should not', () => {
  const lines = lintAll();
  const silent = forbidden.filter(
    ([, , message], index) =>
      !lines.some((line) => line.includes(`probe-${index}.ts`) && line.includes(message)),
  );
  expect(silent).toEqual([]);
  const refused = allowed.flatMap((_, index) =>
    lines.filter((line) => line.includes(`probe-${forbidden.length + index}.ts`)),
  );
  expect(refused).toEqual([]);
});
