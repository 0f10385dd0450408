import { expect, test } from 'vitest';
import { fileWorkspace } from '../file-workspace.ts';
import { cites } from '../requirements.ts';
import { contentsOf } from './contents.ts';
import { editorServer } from './editor-server.ts';
import { lines, tsconfig } from './projects.ts';

const FILES = {
  'tsconfig.json': tsconfig(),
  'shop/__init__.py': '',
  'shop/totals.py': lines('def order_total(prices):', '    return sum(prices)'),
  'shop/invoice.py': lines('from .totals import order_total', 'print(order_total([1]))'),
  'main.py': lines('import shop.totals as t', "PATCHED = 'shop.totals.order_total'"),
  'pyproject.toml': lines('[project.scripts]', 'total = "shop.totals:order_total"'),
  'alone.go': lines('package main'),
  'deep/er/Thing.java': lines('class Thing {}'),
  'deep/er/notes.txt': 'Thing\n',
  'docs/guide.md': 'See shop/totals.py.\n',
  'docs/index.md': lines('[guide](guide.md)'),
  'data/prices.csv': 'a,b\n',
  'src/money.ts': lines('export const money = 1;'),
  'src/use.ts': lines("import { money } from './money';", 'export default money;'),
  'src/App.vue': lines('<script setup>', "import { money } from './money';", '</script>'),
  'src/quiet.ts': lines('export const quiet = 1;'),
  'views/page.pug': lines('include header'),
  'views/header.pug': lines('h1'),
};

const UNKNOWN = [
  ['shop/totals.py', 'shop/sums.py', ['shop/invoice.py:1', 'main.py:1', 'pyproject.toml:2']],
  ['shop/totals.py', 'lib/totals.py', ['shop/invoice.py:1']],
  ['shop', 'store', ['main.py:1', 'main.py:2', 'pyproject.toml:2']],
  ['alone.go', 'other.go', ['No text mentions it.']],
  ['deep', 'deeper', ['Nobody can say what refers to deep/er/Thing.java.']],
  ['src/money.ts', 'src/cash.ts', ['src/App.vue:2']],
  ['src/App.vue', 'src/Main.vue', ['src/App.vue']],
  ['views/header.pug', 'views/top.pug', ['views/page.pug:1']],
  ['src/quiet.ts', 'src/quiet.txt', ['src/quiet.ts']],
] as const;

test(`${cites('002-P7', '002-P8')} what nobody knows imports of is not moved, and what mentions it is named`, async () => {
  await using workspace = fileWorkspace(FILES);
  const server = editorServer(workspace);
  const before = contentsOf(workspace.path);
  for (const [from, to, said] of UNKNOWN)
    for (const more of [{}, { dryRun: true }]) {
      const { code, message, next } = await server.refusal('rename_file', { from, to, ...more });
      expect([from, code]).toEqual([from, 'imports_unknown']);
      for (const words of said) expect(message).toContain(words);
      expect(message).toContain('Nothing was changed.');
      expect(next).toContain('force');
    }
  expect(contentsOf(workspace.path)).toEqual(before);
});

test(`${cites('002-P7')} forced, it is moved, every mention is listed, no import is claimed, and it can be taken back`, async () => {
  await using workspace = fileWorkspace(FILES);
  const server = editorServer(workspace);
  const before = contentsOf(workspace.path);
  const args = { from: 'shop/totals.py', to: 'shop/sums.py', force: true };
  const planned = await server.result('rename_file', { ...args, dryRun: true });
  expect(contentsOf(workspace.path)).toEqual(before);
  const { content, structuredContent } = await server.result('rename_file', args);
  expect(structuredContent).toMatchObject({
    isApplied: true,
    importsUpdated: 0,
    importsUnknown: ['shop/totals.py'],
    leftAlone: { count: 5 },
  });
  const places = structuredContent.leftAlone.places.map(
    ({ file, line }: { file: string; line: number }) => `${file}:${line}`,
  );
  expect(places.sort()).toEqual([
    'docs/guide.md:1',
    'main.py:1',
    'main.py:2',
    'pyproject.toml:2',
    'shop/invoice.py:1',
  ]);
  expect(planned.structuredContent.leftAlone).toEqual(structuredContent.leftAlone);
  expect(content[0].text).toContain(
    'Renamed shop/totals.py to shop/sums.py. What else refers to it is unknown (shop/totals.py): see to the mentions below.',
  );
  expect(content[0].text).not.toMatch(/updated 0|0 imports/);
  await server.call('rename_file', { undo: structuredContent.undo });
  expect(contentsOf(workspace.path)).toEqual(before);
});

test(`${cites('002-P7')} a file full of mentions hides none of another, and what was not looked at is counted`, async () => {
  const notes = Array.from({ length: 320 }, (_, index) => [`notes/${index}.txt`, 'alone money\n']);
  await using workspace = fileWorkspace({
    ...FILES,
    ...Object.fromEntries(notes),
    'a/full.txt': 'alone money\n'.repeat(500),
  });
  const server = editorServer(workspace);
  const filesOf = ({ places }: { places: { file: string }[] }) =>
    new Set(places.map(({ file }) => file)).size;
  const dryRun = true;
  const forced = { from: 'alone.go', to: 'other.go', force: true, dryRun };
  const { structuredContent: unknown } = await server.result('rename_file', forced);
  expect(unknown.leftAlone).toMatchObject({ count: 820 });
  expect(unknown.leftAlone).not.toHaveProperty('moreFiles');
  expect(filesOf(unknown.leftAlone)).toBe(200);
  const symbol = { file: 'src/money.ts', name: 'money', newName: 'cash', dryRun };
  const { content, structuredContent: known } = await server.result('rename_symbol', symbol);
  const { moreFiles } = known.leftAlone;
  expect(moreFiles).toBeGreaterThanOrEqual(20);
  expect(filesOf(known.leftAlone)).toBe(20);
  expect(content[0].text).toContain(`${moreFiles} further files with the name: not looked at`);
});

test(`${cites('002-P7')} what nothing imports is moved, with what mentions it; known imports follow even if others are unknown`, async () => {
  await using workspace = fileWorkspace(FILES);
  const server = editorServer(workspace);
  const moved = async (from: string, to: string, more: object = {}) => {
    const { content, structuredContent } = await server.result('rename_file', {
      from,
      to,
      ...more,
    });
    expect(structuredContent).toMatchObject({ isApplied: true });
    await server.call('rename_file', { undo: structuredContent.undo });
    return content[0].text.replace(/\n\nundo: .*$/, '');
  };
  expect(await moved('docs/guide.md', 'docs/manual.md')).toMatchInlineSnapshot(`
    "Renamed docs/guide.md to docs/manual.md.

    Mentioned in 1 line that was left alone:
    docs/index.md:1 (text) [guide](guide.md)"
  `);
  expect(await moved('data/prices.csv', 'data/costs.csv')).toMatchInlineSnapshot(
    `"Renamed data/prices.csv to data/costs.csv."`,
  );
  expect(await moved('src/quiet.ts', 'src/still.ts')).toMatchInlineSnapshot(
    `"Renamed src/quiet.ts to src/still.ts."`,
  );
  expect(await moved('src/money.ts', 'src/cash.ts', { force: true })).toMatchInlineSnapshot(`
    "Renamed src/money.ts to src/cash.ts and updated 1 import in 1 file. What else refers to it is unknown (src/App.vue): see to the mentions below.
    Files: src/use.ts (1)

    Mentioned in 1 line that was left alone:
    src/App.vue:2 (text) import { money } from './money';"
  `);
  const { status, stdout } = await workspace.baton('rename-file', 'alone.go', 'x.go', '--force');
  expect([status, stdout]).toEqual([0, expect.stringContaining('no text mentions it')]);
});

test(`${cites('002-P7')} what stands in hidden files is known, too, but not what is secret or kept by tools`, async () => {
  await using workspace = fileWorkspace({
    'tsconfig.json': tsconfig(),
    'build.sh': 'echo built\n',
    '.github/workflows/ci.yml': 'run: ./build.sh\n',
    '.gitlab-ci.yml': 'script: ./build.sh\n',
    '.vscode/tasks.json': '{ "command": "./build.sh" }\n',
    '.env': 'BUILD=./build.sh\n',
    '.cache/log.txt': './build.sh\n',
    'src/quiet.ts': lines('export const quiet = 1;'),
    '.storybook/preview.ts': lines(
      "import { quiet } from '../src/quiet';",
      'export default quiet;',
    ),
  });
  const server = editorServer(workspace);
  const moved = await server.call('rename_file', { from: 'build.sh', to: 'make.sh' });
  expect(moved.leftAlone.places.map(({ file }: { file: string }) => file).sort()).toEqual([
    '.github/workflows/ci.yml',
    '.gitlab-ci.yml',
    '.vscode/tasks.json',
  ]);
  // Once it has been looked at, what changes there is noticed, and what tools keep is not.
  workspace.write('.ci/run', './make.sh\n');
  workspace.write('.gitlab-ci.yml', 'script: ./make.sh\n');
  workspace.write('.cache/log.txt', './make.sh\n');
  const again = await server.call('rename_file', { from: 'make.sh', to: 'build.sh' });
  expect(again.leftAlone.places.map(({ file }: { file: string }) => file).sort()).toEqual([
    '.ci/run',
    '.gitlab-ci.yml',
  ]);
  await server.call('rename_file', { from: 'src/quiet.ts', to: 'src/still.ts' });
  expect(contentsOf(workspace.path)['.storybook/preview.ts']).toContain("'../src/still'");
});
