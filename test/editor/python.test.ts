import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { program } from '@baton/e2e/programs';
import { cites } from '@baton/e2e/requirements';
import { startProgram, temporaryFolder } from '@baton/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { installed } from './install.ts';

const FILES = {
  'shop/__init__.py': '',
  'shop/totals.py': 'def order_total(prices):\n    return sum(prices)\n',
  'shop/invoice.py':
    'import os\nfrom shop.totals import order_total\nimport json\n\n\ndef invoice(prices):\n    return json.dumps(order_total(prices)) + os.sep\n',
};

const SERVER = [
  process.execPath,
  path.join(installed('pyright'), 'langserver.index.js'),
  '--stdio',
];
const CONFIG = JSON.stringify({ languageServers: { python: { command: SERVER, files: ['.py'] } } });

let place: ReturnType<typeof temporaryFolder>;
let workspace: string;
let env: Record<string, string>;

function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const read = (file: string) => readFileSync(path.join(workspace, file), 'utf8');

beforeEach(() => {
  place = temporaryFolder();
  workspace = path.join(place.path, 'acme');
  mkdirSync(path.join(workspace, '.baton'), { recursive: true });
  for (const [file, text] of Object.entries(FILES)) write(path.join(workspace, file), text);
  env = {
    PATH: process.env['PATH'] ?? '',
    HOME: place.path,
    BATON_STATE: path.join(place.path, 'state'),
  };
});
afterEach(() => place[Symbol.dispose]());

async function withServer(work: (call: Call) => Promise<void>): Promise<void> {
  await using server = startProgram(program, { cwd: workspace, env });
  let id = 0;
  await work(async (name, args) => {
    id += 1;
    const { result } = await server.request(id, 'tools/call', { name, arguments: args });
    return result.structuredContent;
  });
}

type Call = (name: string, args: object) => Promise<Readonly<Record<string, unknown>>>;

const RENAME = { file: 'shop/totals.py', name: 'order_total', newName: 'total_of' };

describe('a language server that the user has named', () => {
  beforeEach(() => write(path.join(place.path, '.config', 'baton', 'config.yaml'), CONFIG));

  test('renames a function of Python across files, and takes it back', async () => {
    await withServer(async (call) => {
      const done = await call('rename_symbol', RENAME);
      expect(done).toMatchObject({ isApplied: true, edits: 3, fileCount: 2 });
      expect(read('shop/totals.py')).toBe('def total_of(prices):\n    return sum(prices)\n');
      expect(read('shop/invoice.py')).toContain('from shop.totals import total_of\n');
      expect(read('shop/invoice.py')).toContain('json.dumps(total_of(prices))');
      await call('rename_symbol', { undo: done['undo'] });
      for (const [file, text] of Object.entries(FILES)) expect(read(file)).toBe(text);
    });
  });

  // Pyright names this kind of action, and sorts imports only for a command of its own editor.
  test('does not claim imports to be in order that this server cannot organise', async () => {
    await withServer(async (call) => {
      const done = await call('organize_imports', { files: ['shop/invoice.py'] });
      expect(done).toMatchObject({ code: 'cannot_organize_imports' });
      expect(read('shop/invoice.py')).toBe(FILES['shop/invoice.py']);
    });
  });

  const MORE = {
    'shop/__init__.py': "from . import totals\n\n__all__ = ['totals']\n",
    'shop/api.py': 'from shop import (\n    totals,\n)\nfrom .totals import order_total as o\n',
    'tests/use.py':
      'import shop.totals as t  # totals\nfrom shop.api import totals\nimport shop.api as api\n' +
      'from json import dumps as totals_of\n\n' +
      'print(api.totals.order_total([1]), totals.order_total([2]), t.order_total([3]))\n',
    'main.py': 'import shop\n\nprint(shop.totals.order_total([1, 2]))\n',
    'plugins.toml': 'total = "shop.totals:order_total"\n',
  };
  const writeMore = () => {
    for (const [file, text] of Object.entries(MORE)) write(path.join(workspace, file), text);
  };
  const run = (file: string) =>
    spawnSync('python3', [file], { cwd: workspace, env: { ...env, PYTHONPATH: workspace } });

  test.each([
    ['a module', 'shop/totals.py', 'shop/sums.py', { edits: 10, fileCount: 5 }],
    ['a package', 'shop', 'store', { edits: 7, fileCount: 4 }],
  ])(
    'renames %s of Python with all imports and uses, and takes it back',
    async (_, from, to, expected) => {
      writeMore();
      const outputs = () => ['main.py', 'tests/use.py'].map((file) => String(run(file).stdout));
      const before = outputs();
      expect(before).toEqual(['3\n', '1 2 3\n']);
      await withServer(async (call) => {
        const done = await call('rename_file', { from, to });
        const mention = expect.objectContaining({ file: 'plugins.toml', line: 1 });
        const leftAlone = { places: expect.arrayContaining([mention]) };
        expect(done).toMatchObject({ isApplied: true, leftAlone, ...expected });
        expect(done).not.toHaveProperty('importsUnknown');
        expect(outputs()).toEqual(before);
        await call('rename_file', { undo: done['undo'] });
        for (const [file, text] of Object.entries({ ...FILES, ...MORE }))
          expect(read(file)).toBe(text);
      });
    },
  );

  test.each([
    ['it goes to another folder', 'shop/totals.py', 'lib/totals.py', {}],
    ['the new name is taken', 'shop/totals.py', 'shop/o.py', {}],
    ['the new name is no identifier', 'shop/totals.py', 'shop/my-sums.py', {}],
    [
      'an import leads to nothing',
      'shop/totals.py',
      'shop/sums.py',
      { 'x.py': 'from lost import totals\n' },
    ],
    [
      'something else is imported by the new name',
      'shop/totals.py',
      'shop/lost.py',
      { 'x.py': 'import lost\n' },
    ],
    ['it would hide a module of Python', 'main.py', 'random.py', {}],
    [
      '`__all__` names it, and nothing there imports it',
      'shop/totals.py',
      'shop/sums.py',
      {
        'shop/__init__.py': "__all__ = ['totals']\n",
        'main.py': '',
        'tests/use.py': '',
        'shop/api.py': '',
      },
    ],
    ['there is a stub', 'shop/totals.py', 'shop/sums.py', { 'shop/totals.pyi': '' }],
    [
      'a package has no __init__.py',
      'names',
      'others',
      { 'names/a.py': '', 'x.py': 'import names.a\n' },
    ],
    ['Python knows it by its name', 'shop/__init__.py', 'shop/init.py', {}],
  ])('does not move a module where it cannot say all: %s', async (_, from, to, files) => {
    writeMore();
    for (const [file, text] of Object.entries(files)) write(path.join(workspace, file), text);
    await withServer(async (call) => {
      expect(await call('rename_file', { from, to })).toMatchObject({ code: 'imports_unknown' });
      for (const [file, text] of Object.entries({ ...FILES, ...MORE, ...files }))
        expect(read(file)).toBe(text);
      const forced = await call('rename_file', { from, to, force: true });
      expect(forced).toMatchObject({ isApplied: true, importsUpdated: 0 });
      expect(forced['importsUnknown']).toBeDefined();
    });
  });
});

describe('a language server that the workspace names', () => {
  beforeEach(() => write(path.join(workspace, '.baton', 'config.yaml'), CONFIG));

  test(`${cites('T6')} does not run before a person has approved its command`, async () => {
    await withServer(async (call) => {
      expect(await call('rename_symbol', RENAME)).toMatchObject({ code: 'not_trusted' });
      const files = ['shop/invoice.py'];
      expect(await call('organize_imports', { files })).toMatchObject({ code: 'not_trusted' });
      for (const [file, text] of Object.entries(FILES)) expect(read(file)).toBe(text);
      const args = [program, 'trust', 'grant', '.baton/config.yaml', '--yes'];
      const { status, stderr } = spawnSync(process.execPath, args, {
        cwd: workspace,
        env,
        encoding: 'utf8',
      });
      expect(status, stderr).toBe(0);
      expect(await call('rename_symbol', RENAME)).toMatchObject({ isApplied: true, fileCount: 2 });
      expect(read('shop/invoice.py')).toContain('total_of');
    });
  });
});
