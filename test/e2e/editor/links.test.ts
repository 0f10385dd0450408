import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type FileWorkspace, fileWorkspace } from '../file-workspace.ts';
import { cites } from '../requirements.ts';
import { contentsOf } from './contents.ts';
import { editorServer } from './editor-server.ts';
import { lines, tsconfig } from './projects.ts';

const SECRET = 'platypus';

/** A workspace, and a folder beside it that is nobody's business. */
function linked(): FileWorkspace {
  const workspace = fileWorkspace({
    'tsconfig.json': tsconfig(),
    'total.ts': lines('export const total = 1;'),
    'user.ts': lines("import { total } from './total';", 'export default total;'),
    'real/one.ts': lines('export const one = 1;'),
  });
  const outside = (name: string) => path.join(workspace.home, 'outside', name);
  workspace.write(
    outside('secret.ts'),
    lines(`export const secret = '${SECRET}';`, "import './x';"),
  );
  workspace.write(
    outside('user.ts'),
    lines("import { total } from '../acme/total';", `export const ${SECRET} = total;`),
  );
  workspace.write(outside('settings.json'), `{ "editor.tabSize": 8, "x": "${SECRET}" }\n`);
  workspace.link('file.ts', 'outside/secret.ts');
  workspace.link('folder', 'outside');
  workspace.link('twice', './folder');
  workspace.link('lost.ts', 'outside/missing.ts');
  workspace.link('loop.ts', './loop.ts');
  workspace.link('real/inner', 'outside');
  return workspace;
}

const outsideOf = ({ home }: FileWorkspace) => contentsOf(path.join(home, 'outside'));

const ASKED = [
  ['rename_file', { from: 'file.ts', to: 'moved.ts' }],
  ['rename_file', { from: 'folder', to: 'moved' }],
  ['rename_file', { from: 'folder/secret.ts', to: 'moved.ts' }],
  ['rename_file', { from: 'twice/secret.ts', to: 'moved.ts' }],
  ['rename_file', { from: 'lost.ts', to: 'moved.ts' }],
  ['rename_file', { from: 'total.ts', to: 'folder/total.ts' }],
  ['rename_file', { from: 'total.ts', to: 'folder/new/total.ts' }],
  ['rename_file', { from: 'total.ts', to: 'twice/total.ts' }],
  ['rename_file', { from: 'total.ts', to: 'real/inner/total.ts' }],
  ['rename_file', { from: 'real', to: 'folder/real' }],
  ['rename_symbol', { file: 'file.ts', name: 'secret', newName: 'known' }],
  ['rename_symbol', { file: 'folder/secret.ts', name: 'secret', newName: 'known' }],
  ['rename_symbol', { file: 'twice/secret.ts', name: 'secret', newName: 'known' }],
  ['rename_symbol', { file: 'real/inner/secret.ts', name: 'secret', newName: 'known' }],
  ['organize_imports', { files: ['file.ts'] }],
  ['organize_imports', { files: ['user.ts', 'folder/secret.ts'] }],
] as const;

test.each(ASKED)(`${cites('T10')} %s %j leads to nothing`, async (tool, args) => {
  await using workspace = linked();
  const server = editorServer(workspace);
  const before = contentsOf(workspace.path);
  const outside = outsideOf(workspace);
  expect(await server.refusal(tool, args)).toMatchObject({ code: 'outside_workspace' });
  expect(contentsOf(workspace.path)).toEqual(before);
  expect(outsideOf(workspace)).toEqual(outside);
});

test(`${cites('T10')} what is outside is not edited because something in the workspace is`, async () => {
  await using workspace = linked();
  const server = editorServer(workspace);
  const before = contentsOf(workspace.path);
  const outside = outsideOf(workspace);
  for (const [tool, args] of [
    ['rename_symbol', { file: 'total.ts', name: 'total', newName: 'sum' }],
    ['rename_file', { from: 'total.ts', to: 'sum.ts' }],
    ['rename_file', { from: 'real', to: 'unreal' }],
    ['rename_file', { from: 'loop.ts', to: 'other.ts' }],
  ] as const) {
    const result = await server.result(tool, args);
    expect(JSON.stringify(result)).not.toContain(SECRET);
    expect(outsideOf(workspace)).toEqual(outside);
    if (!result.isError) await server.call(tool, { undo: result.structuredContent.undo });
    expect(contentsOf(workspace.path)).toEqual(before);
  }
});

test.each([
  ['.vscode', 'outside'],
  ['.vscode/settings.json', 'outside/settings.json'],
  ['.vscode/settings.json', 'outside/missing.json'],
])(
  `${cites('T10')} settings with %s as a link to %s are neither read nor written`,
  async (name, target) => {
    await using workspace = linked();
    mkdirSync(path.dirname(workspace.file(name)), { recursive: true });
    workspace.link(name, target);
    const server = editorServer(workspace);
    const outside = outsideOf(workspace);
    const args = { key: 'editor.tabSize', value: 2, scope: 'workspace' };
    const set = await server.result('setting_set', args);
    const got = await server.result('setting_get', { key: 'editor.tabSize', scope: 'workspace' });
    expect(set.isError).toBe(true);
    expect(JSON.stringify([set, got])).not.toContain(SECRET);
    expect(got.structuredContent.value).not.toBe(8);
    expect(outsideOf(workspace)).toEqual(outside);
  },
);
