import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { cites } from '../requirements.ts';
import { lines, useWorld } from './projects.ts';

const world = useWorld();

function project(name: string) {
  return world.project(name, {
    'a b#c.ts': lines('export const one = 1;'),
    'user.ts': lines("import { one } from './a b#c';", 'export default one;'),
  });
}

/** A file of the workspace in every way that agents write it. */
const ways: Readonly<Record<string, (file: string) => string>> = {
  'a path in the workspace': (file) => file,
  'a path with dots': (file) => `./${file.replace('/', '/./')}`,
  'an absolute path': (file) => world.workspace.file(file),
  'a file: URI': (file) => pathToFileURL(world.workspace.file(file)).href,
  'a file: URI in capitals': (file) =>
    pathToFileURL(world.workspace.file(file)).href.replace('file:', 'FILE:'),
  'a file: URI with a host': (file) =>
    pathToFileURL(world.workspace.file(file)).href.replace('file:///', 'file://localhost/'),
};

test.each(Object.entries(ways))(
  `${cites('002-P10')} document 002 names files by fileUri, oldUri and newUri: %s`,
  async (title, way) => {
    const { server } = world;
    const at = project(title);
    const before = at.contents();
    const named = await server.call('rename_symbol', {
      fileUri: way(`${title}/a b#c.ts`),
      originalName: 'one',
      newName: 'first',
    });
    expect(named).toMatchObject({
      isApplied: true,
      edits: 3,
      files: [{ file: `${title}/a b#c.ts` }, { file: `${title}/user.ts` }],
    });
    const moved = await server.call('rename_file', {
      oldUri: way(`${title}/a b#c.ts`),
      newUri: way(`${title}/d/é.ts`),
    });
    expect(moved).toMatchObject({
      from: `${title}/a b#c.ts`,
      to: `${title}/d/é.ts`,
      importsUpdated: 1,
      isApplied: true,
    });
    expect(at.contents()['user.ts']).toBe(
      Buffer.from(lines("import { first } from './d/é';", 'export default first;')).toString(
        'latin1',
      ),
    );
    const { undone } = await server.call('rename_file', { undo: moved.undo });
    expect(undone).toContain('rename_file');
    await server.call('rename_symbol', { undo: named.undo });
    expect(at.contents()).toEqual(before);
  },
);

test(`${cites('002-P10')} the same under the names of today`, async () => {
  const { server } = world;
  project('today');
  const args = { dryRun: true, name: 'one', newName: 'first' };
  const today = await server.call('rename_symbol', { ...args, file: 'today/a b#c.ts' });
  const { name: originalName, ...rest } = args;
  const older = { ...rest, originalName, fileUri: ways['a file: URI']?.('today/a b#c.ts') };
  expect(await server.call('rename_symbol', older)).toEqual(today);
  expect(today.isApplied).toBe(false);
  expect(today.diff).toContain('first');
});

test('imports are organised, and that is taken back', async () => {
  const { server } = world;
  const at = world.project('organise', {
    'a.ts': lines('export const a = 1;', 'export const b = 2;', 'export type C = 1;'),
    'user.ts': '\ufeff'.concat(
      [
        "import { b, type C, a } from './a';",
        "import fs from './a';",
        'export default a + b;',
        '',
      ].join('\r\n'),
    ),
    'tidy.ts': lines("import { a } from './a';", 'export default a;'),
  });
  const before = at.contents();
  const files = ['organise/user.ts', 'organise/tidy.ts', world.workspace.file('organise/user.ts')];
  const planned = await server.call('organize_imports', { files, dryRun: true });
  expect(at.contents()).toEqual(before);
  expect(planned).toMatchObject({ isApplied: false, fileCount: 1 });
  const done = await server.call('organize_imports', { files });
  expect(done).toMatchObject({ isApplied: true, files: [{ file: 'organise/user.ts' }] });
  expect(Buffer.from(at.contents()['user.ts'] ?? '', 'latin1').toString()).toBe(
    ["\ufeffimport { a, b } from './a';", 'export default a + b;', ''].join('\r\n'),
  );
  await server.call('organize_imports', { undo: done.undo });
  expect(at.contents()).toEqual(before);
});
