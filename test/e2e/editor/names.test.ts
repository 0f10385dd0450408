import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type FileWorkspace, fileWorkspace } from '../file-workspace.ts';
import { type Ask, answersTo, namesOf, PLACES } from '../knowledge/outside-names.ts';
import { cites } from '../requirements.ts';
import { contentsOf } from './contents.ts';
import { type EditorServer, editorServer } from './editor-server.ts';
import { lines, tsconfig } from './projects.ts';

const LIMIT_MS = 2000;
const SECRET = 'platypus';
const CANARY = 'canary-4711';
const TOLD = [SECRET, 'root:', CANARY, 'inside Baton', '"stack"'];

const call = (name: string, args: object): Ask => ['tools/call', { name, arguments: args }];
const symbol = (args: object) =>
  call('rename_symbol', { file: 'total.ts', name: 'total', newName: 'sum', dryRun: true, ...args });

/** What must be the path of something that is there. */
const PATHS: Readonly<Record<string, (name: string) => Ask>> = {
  'a file to move': (from) => call('rename_file', { from, to: 'moved.ts' }),
  'a file to move, as a URI': (oldUri) => call('rename_file', { oldUri, newUri: 'moved.ts' }),
  'a file with a symbol': (file) => symbol({ file, dryRun: false }),
  'a file with a symbol, as a URI': (fileUri) =>
    call('rename_symbol', { fileUri, originalName: 'total', newName: 'sum' }),
  'a file to organise': (file) => call('organize_imports', { files: [file] }),
  'one of several files': (file) => call('organize_imports', { files: ['user.ts', file] }),
};

/** What is no path, whatever it looks like. */
const WORDS: Readonly<Record<string, (name: string) => Ask>> = {
  'a name': (name) => symbol({ name }),
  'a new name': (newName) => symbol({ newName }),
  'a kind': (kind) => symbol({ kind }),
  'a container': (container) => symbol({ container }),
  'an undo id': (undo) => call('rename_file', { undo }),
  'an undo id of a symbol': (undo) => call('rename_symbol', { undo }),
  'an undo id of imports': (undo) => call('organize_imports', { undo }),
  'a key to set': (key) => call('setting_set', { key, value: 1, scope: 'workspace' }),
};

function surrounded(): FileWorkspace {
  const workspace = fileWorkspace({
    'tsconfig.json': tsconfig(),
    'total.ts': lines('export const total = 1;'),
    'user.ts': lines("import { total } from './total';", 'export default total;'),
  });
  for (const place of ['secret.ts', 'acme-evil/secret.ts', 'outside/total.ts']) {
    const text = lines(`export const total = '${SECRET}';`, "import { x } from './x';");
    workspace.write(path.join(workspace.home, place), text);
  }
  workspace.link('link-out', 'outside');
  workspace.link('link.ts', 'outside/total.ts');
  expect(spawnSync('mkfifo', [workspace.file('pipe')]).status).toBe(0);
  return workspace;
}

function names({ home }: FileWorkspace): string[] {
  return [
    ...namesOf(path.join(home, 'secret.ts'), '../secret.ts'),
    ...namesOf(path.join(home, 'acme-evil/secret.ts'), '../acme-evil/secret.ts'),
    ...PLACES,
    ...['link-out', 'link-out/total.ts', 'link-out/new.ts', 'link-out/a/b.ts', 'link.ts'],
    ...['.git/config', 'node_modules/x/y.ts', '.GIT/config', 'a/.git/../b.ts', 'x'.repeat(5000)],
    ...['../'.repeat(1000), 'a/'.repeat(2000), '\u202etotal.ts', '~/.ssh/id_rsa', ' '],
  ];
}

/** What was answered, in time and without anything that nobody should learn. */
async function answer(server: EditorServer, what: string, [method, params]: Ask) {
  const start = performance.now();
  const { result, error } = await server.request(method, params);
  const said = JSON.stringify(result ?? error);
  expect(performance.now() - start, what).toBeLessThan(LIMIT_MS);
  for (const words of TOLD) expect(said, what).not.toContain(words);
  return { isRefused: error !== undefined || result.isError === true, result, said };
}

test(`${cites('T12')} hostile names lead nowhere, in every parameter of the editor’s tools`, async () => {
  await using workspace = surrounded();
  const server = editorServer(workspace);
  await server.call('rename_symbol', {
    file: 'total.ts',
    name: 'total',
    newName: 'x',
    dryRun: true,
  });
  const before = contentsOf(workspace.home);
  const all = names(workspace);
  expect(all.length).toBeGreaterThanOrEqual(40);
  for (const [what, ask] of Object.entries({ ...PATHS, ...WORDS }))
    for (const name of all) {
      const title = `${what}: ${JSON.stringify(name).slice(0, 100)}`;
      const { isRefused } = await answer(server, title, ask(name));
      expect(isRefused, title).toBe(!isHarmless(what, name));
    }
  const { state, ...rest } = without(contentsOf(workspace.home));
  expect({ state, ...rest }).toEqual(without(before));
  expect(server.program.garbage).toEqual([]);
});

/** Some of them are identifiers like any other. */
function isHarmless(what: string, name: string): boolean {
  return what === 'a new name' && /^[A-Za-z_][\w]*$/.test(name) && name.length <= 200;
}

/** What Baton keeps for itself is its own business. */
function without(contents: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(contents).filter(([file]) => !file.startsWith('state/')),
  );
}

test(`${cites('T12')} what is outside gets one neutral error`, async () => {
  await using workspace = surrounded();
  const server = editorServer(workspace);
  const outside = path.join(workspace.home, 'secret.ts');
  for (const [what, ask] of Object.entries(PATHS))
    for (const name of [outside, `file://${outside}`, '../secret.ts', 'link.ts', '/etc/passwd']) {
      const { result } = await answer(server, what, ask(name));
      const { code, message, next } = result.structuredContent;
      expect([what, code, message.replace(JSON.stringify(name), '…'), next]).toEqual([
        what,
        'outside_workspace',
        '… is no path in the workspace that can be changed.',
        'Name a file of the workspace by its path there, outside of node_modules.',
      ]);
    }
});

test(`${cites('T12')} a new path stays in the workspace, however it is written`, async () => {
  await using workspace = surrounded();
  const server = editorServer(workspace);
  const before = without(contentsOf(workspace.home));
  let moves = 0;
  for (const name of names(workspace)) {
    const title = JSON.stringify(name).slice(0, 100);
    const ask = call('rename_file', { from: 'total.ts', to: name });
    const { isRefused, result } = await answer(server, title, ask);
    if (!isRefused) {
      moves += 1;
      const { to, undo } = result.structuredContent;
      const elsewhere = Object.keys(without(contentsOf(workspace.home))).filter(
        (file) => !(file in before),
      );
      expect(elsewhere, title).toEqual([`acme/${to}`]);
      await server.call('rename_file', { undo });
    }
    expect(without(contentsOf(workspace.home)), title).toEqual(before);
  }
  // `*` and `CON` are names of files here.
  expect(moves).toBeGreaterThan(5);
});

test(`${cites('T12')} no answer tells whether there is something outside`, async () => {
  await using workspace = surrounded();
  const server = editorServer(workspace);
  const outside = path.join(workspace.home, 'acme-evil/secret.ts');
  const all = namesOf(outside, '../acme-evil/secret.ts').concat('link.ts', 'link-out/total.ts');
  const parameters = {
    ...PATHS,
    'a new path': (to: string) => call('rename_file', { from: 'total.ts', to, dryRun: true }),
  };
  const ask = ([method, params]: Ask) => server.request(method, params);
  const there = await answersTo(all, parameters, ask);
  workspace.remove(outside);
  workspace.remove(path.join(workspace.home, 'outside/total.ts'));
  expect(await answersTo(all, parameters, ask)).toEqual(there);
});
