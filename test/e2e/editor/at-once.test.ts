import { expect, test } from 'vitest';
import { type FileWorkspace, fileWorkspace } from '../file-workspace.ts';
import { cites } from '../requirements.ts';
import { diagnosticsOf } from './compiler.ts';
import { contentsOf } from './contents.ts';
import { type EditorServer, editorServer } from './editor-server.ts';
import { lines, tsconfig } from './projects.ts';

const NAMES = ['alpha', 'beta', 'gamma', 'delta'] as const;

/** Every file is changed by the renaming of each of the names. */
function crossed(): FileWorkspace {
  const all = NAMES.map((name) => `import { ${name} } from './${name}';`);
  return fileWorkspace({
    'tsconfig.json': tsconfig(),
    ...Object.fromEntries(NAMES.map((name) => [`${name}.ts`, lines(`export const ${name} = 1;`)])),
    ...Object.fromEntries(
      NAMES.map((name) => [
        `use-${name}.ts`,
        lines(...all, `export default ${NAMES.join(' + ')};`),
      ]),
    ),
  });
}

async function expectAllRenamed(workspace: FileWorkspace): Promise<void> {
  for (const [file, text] of Object.entries(contentsOf(workspace.path)))
    if (file.startsWith('use-'))
      expect(text).toContain(`default ${NAMES.map((name) => `${name}2`).join(' + ')};`);
  expect(await diagnosticsOf(workspace.path)).toEqual([]);
}

test(`${cites('T9')} renames at once in one process lose nothing`, async () => {
  await using workspace = crossed();
  const server = editorServer(workspace);
  const before = contentsOf(workspace.path);
  const done = await Promise.all(
    NAMES.map((name) => server.renameSymbol(`${name}.ts`, name, `${name}2`)),
  );
  for (const [index, { symbol, fileCount }] of done.entries()) {
    expect(symbol.name).toBe(NAMES[index]);
    expect(fileCount).toBe(NAMES.length + 1);
  }
  await expectAllRenamed(workspace);
  await takeBack(server, done);
  expect(contentsOf(workspace.path)).toEqual(before);
});

/** In whichever order they were done: each has changed what the one before has left. */
async function takeBack(server: EditorServer, done: readonly { readonly undo: string }[]) {
  let left = done;
  for (const _ of done) {
    const later: { readonly undo: string }[] = [];
    for (const one of left)
      if ((await server.result('rename_symbol', { undo: one.undo })).isError) later.push(one);
    left = later;
  }
  expect(left).toEqual([]);
}

test(`${cites('T17')} renames at once in several processes lose nothing`, async () => {
  await using workspace = crossed();
  const servers = NAMES.map(() => editorServer(workspace));
  const before = contentsOf(workspace.path);
  const done = await Promise.all(
    NAMES.map((name, index) => servers[index]?.renameSymbol(`${name}.ts`, name, `${name}2`)),
  );
  await expectAllRenamed(workspace);
  const [first] = servers as [EditorServer, ...EditorServer[]];
  await takeBack(first, done);
  expect(contentsOf(workspace.path)).toEqual(before);
});

test('a symbol and its file are renamed at once', async () => {
  await using workspace = crossed();
  const server = editorServer(workspace);
  await Promise.all([
    server.renameSymbol('use-beta.ts', 'alpha', 'alpha2'),
    server.call('rename_file', { from: 'alpha.ts', to: 'letters/first.ts' }),
    server.renameSymbol('use-beta.ts', 'beta', 'beta2'),
    server.call('rename_file', { from: 'use-alpha.ts', to: 'uses/all.ts' }),
  ]);
  const files = contentsOf(workspace.path);
  expect(files['uses/all.ts']).toContain("import { alpha2 } from '../letters/first';");
  expect(files['uses/all.ts']).toContain('alpha2 + beta2 + gamma');
  expect(await diagnosticsOf(workspace.path)).toEqual([]);
});
