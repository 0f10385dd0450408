import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type FileWorkspace, fileWorkspace } from '../file-workspace.ts';
import type { Result } from '../plans/plan-server.ts';
import { diagnosticsOf } from './compiler.ts';
import { contentsOf } from './contents.ts';
import { editorServer } from './editor-server.ts';
import { lines, tsconfig } from './projects.ts';
import { Writer } from './writer.ts';

const ROUNDS = 12;

function shop(more: Readonly<Record<string, string>> = {}): FileWorkspace {
  return fileWorkspace({
    'tsconfig.json': tsconfig(),
    'total.ts': lines('export const total = 1;'),
    'shop.ts': lines("import { total } from './total';", 'export const shop = total;'),
    ...more,
  });
}

const read = (workspace: FileWorkspace, file: string) => readFileSync(workspace.file(file), 'utf8');

test('an importer that somebody writes to all the time keeps both: no edit is lost', async () => {
  await using workspace = shop({
    'busy.ts': lines("import { total } from './total';", 'export const busy = total;'),
  });
  const server = editorServer(workspace);
  await using writer = new Writer(workspace.file('busy.ts'), 20);
  await writer.started();
  let name = 'total';
  const codes: string[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const newName = `total${round}`;
    const result: Result = await server.result('rename_symbol', {
      file: 'total.ts',
      name,
      newName,
    });
    codes.push(result.isError ? result.structuredContent.code : 'renamed');
    if (!result.isError) name = newName;
    // Whatever has happened, it has happened in all files.
    for (const file of ['total.ts', 'shop.ts', 'busy.ts'])
      expect(read(workspace, file)).toMatch(new RegExp(`\\b${name}\\b`));
    expect(await diagnosticsOf(workspace.path)).toEqual([]);
  }
  expect(codes.filter((code) => !['renamed', 'files_changed'].includes(code))).toEqual([]);
  expect(codes).toContain('renamed');
  expect(writer.writes).toBeGreaterThan(ROUNDS);
});

test('files that were made, changed or removed right before a call', async () => {
  await using workspace = shop();
  const server = editorServer(workspace);
  await server.renameSymbol('total.ts', 'total', 'sum');
  for (let round = 0; round < ROUNDS; round++) {
    const [from, to] = round % 2 === 0 ? ['sum', 'total'] : ['total', 'sum'];
    workspace.write(
      `new${round}.ts`,
      lines(`import { ${from} } from './total';`, `export default ${from};`),
    );
    workspace.write(
      'shop.ts',
      lines(
        '// moved on',
        `import { ${from} } from './total';`,
        `export const shop = ${from} + ${round};`,
      ),
    );
    if (round > 0) rmSync(workspace.file(`new${round - 1}.ts`));
    const { files } = await server.renameSymbol('total.ts', from as string, to as string);
    expect(files.map(({ file }: { file: string }) => file)).toEqual([
      `new${round}.ts`,
      'shop.ts',
      'total.ts',
    ]);
    expect(read(workspace, 'shop.ts')).toContain(`shop = ${to} + ${round};`);
    expect(read(workspace, `new${round}.ts`)).toContain(`default ${to};`);
  }
  expect(await diagnosticsOf(workspace.path)).toEqual([]);
});

test('another branch between two calls', async () => {
  await using workspace = shop();
  const git = (...args: string[]) => {
    const who = ['-c', 'user.name=a', '-c', 'user.email=a@b.c', '-c', 'commit.gpgsign=false'];
    const { status, stderr } = spawnSync('git', [...who, ...args], {
      cwd: workspace.path,
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' },
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(0);
  };
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-qm', 'one');
  git('checkout', '-qb', 'other');
  workspace.remove('shop.ts');
  workspace.write(
    'store/store.ts',
    lines("import { total } from '../total';", 'export const store = total;'),
  );
  git('add', '-A');
  git('commit', '-qm', 'two');
  git('checkout', '-q', 'main');
  const server = editorServer(workspace);
  const filesOf = ({ files }: Result) => files.map(({ file }: { file: string }) => file);
  for (let round = 0; round < 4; round++) {
    const there = round % 2 === 0 ? 'shop.ts' : 'store/store.ts';
    const first = await server.renameSymbol('total.ts', 'total', 'sum');
    expect(filesOf(first)).toEqual([there, 'total.ts']);
    await server.call('rename_symbol', { undo: first.undo });
    const moved = await server.call('rename_file', { from: 'total.ts', to: 'sums/total.ts' });
    expect(filesOf(moved)).toEqual([there]);
    await server.call('rename_file', { undo: moved.undo });
    git('checkout', '-q', round % 2 === 0 ? 'other' : 'main');
  }
});

test('what was undone by others since is not undone', async () => {
  await using workspace = shop();
  const server = editorServer(workspace);
  const { undo } = await server.renameSymbol('total.ts', 'total', 'sum');
  workspace.write('shop.ts', lines('export {};'));
  const before = contentsOf(workspace.path);
  expect(await server.refusal('rename_symbol', { undo })).toMatchObject({ code: 'files_changed' });
  expect(contentsOf(workspace.path)).toEqual(before);
});

test('packages that are installed between two calls', async () => {
  await using workspace = shop({
    'shop.ts': lines(
      "import type { Money } from 'money';",
      "import { total } from './total';",
      'export const shop = (money: Money) => money.amount + total;',
    ),
  });
  const server = editorServer(workspace);
  const args = { file: 'shop.ts', name: 'amount', newName: 'value' };
  expect(await server.refusal('rename_symbol', args)).toMatchObject({ code: 'symbol_not_found' });
  workspace.write('node_modules/money/package.json', '{ "name": "money", "types": "money.d.ts" }');
  workspace.write(
    'node_modules/money/money.d.ts',
    lines('export interface Money { amount: number }'),
  );
  workspace.write('node_modules/.package-lock.json', '{}');
  // Now it is known, and belongs to somebody else.
  expect((await server.refusal('rename_symbol', args)).code).toMatch(
    /cannot_rename|outside_workspace/,
  );
  const { files } = await server.renameSymbol('total.ts', 'total', 'sum');
  expect(files).toHaveLength(2);
});
