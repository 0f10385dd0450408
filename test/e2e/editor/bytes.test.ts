import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { useWorld } from './projects.ts';

const world = useWorld();

/** A file around a name, and what must stay just as it is. */
const shapes: Readonly<Record<string, (name: string, path: string) => string>> = {
  'CRLF at the ends of lines': (name, from) =>
    `import { ${name} } from '${from}';\r\nexport const a = ${name};\r\n`,
  'all ends of lines at once': (name, from) =>
    `import { ${name} } from '${from}';\r\n\r\rexport const a = ${name};\nexport const b = ${name};\r`,
  'a mark of the order of bytes': (name, from) =>
    `\ufeffimport { ${name} } from '${from}';\nexport const a = ${name};\n`,
  'tabs and blanks at the ends of lines': (name, from) =>
    `import {\t${name}  } from '${from}';  \t\n\texport const a\t=  ${name} ;\t \n \n`,
  'no end of the last line': (name, from) =>
    `import { ${name} } from '${from}';\nexport const a = ${name}`,
  'line separators in a string': (name, from) =>
    `import { ${name} } from '${from}';\nexport const a = 'x\u2028y\u2029z' + ${name}; export const b = ${name};\n`,
  'line separators between statements': (name, from) =>
    `import { ${name} } from '${from}';\u2028export const a = ${name};\u2029export const b = ${name};\n`,
  'emoji before the name': (name, from) =>
    `import { ${name} } from '${from}';\nexport const a = '👩‍👩‍👧‍👦🇩🇪é' + ${name}; /* 𝒳 */ export const b = ${name}; // ☃\n`,
  'characters that look like blanks': (name, from) =>
    `import {\u00a0${name} } from\u3000'${from}';\nexport const a\u2003=\u00a0${name};\u00a0\n`,
  'a shebang, form feeds and a null in a string': (name, from) =>
    `#!/usr/bin/env node\nimport { ${name} } from '${from}';\f\nexport const a = '\\0' + ${name};\v\n`,
  'a line of 200,000 characters': (name, from) =>
    `import { ${name} } from '${from}';\nexport const a = '${'x'.repeat(200_000)}' + ${name};\n`,
};

test.each(Object.entries(shapes))('%s', async (name, text) => {
  const project = world.project(
    name,
    {
      'one.ts': 'export const one = 1;\n',
      'user.ts': text('one', './one'),
    },
    { tests: '' },
  );
  const { server, workspace } = world;
  const now = () => readFileSync(workspace.file(`${name}/user.ts`), 'utf8');
  const named = await server.renameSymbol(`${name}/one.ts`, 'one', 'another');
  expect(now()).toBe(text('another', './one'));
  const moved = await server.call('rename_file', {
    from: `${name}/one.ts`,
    to: `${name}/first/一.ts`,
  });
  expect(now()).toBe(text('another', './first/一'));
  await server.call('rename_file', { undo: moved.undo });
  await server.call('rename_symbol', { undo: named.undo });
  expect(now()).toBe(text('one', './one'));
  await project.symbol('one.ts', 'one', 'another');
});

test('a reference that the language server overlooks is told, and nothing is changed', async () => {
  const project = world.project('overlooked', {
    'one.ts': 'export const one = 1;\n',
    'user.ts': "import { one } from './one';\nexport const a = 1 + one\u00a0+ 1; // one…\n",
    'other.ts': 'export const b = (one: number) => one\u3000+ 1;\n',
  });
  const before = project.contents();
  const args = { file: 'overlooked/one.ts', name: 'one', newName: 'another' };
  expect(await world.server.refusal('rename_symbol', args)).toMatchObject({
    code: 'cannot_rename',
    message: expect.stringContaining('overlooked/user.ts:2'),
  });
  expect(project.contents()).toEqual(before);
});

test('a file that is not in UTF-8 is not edited, and nothing else is', async () => {
  const project = world.project('latin', { 'one.ts': 'export const one = 1;\n' });
  project.write('user.ts', Buffer.from("import { one } from './one';\n// f\xfcr\n", 'latin1'));
  const before = project.contents();
  for (const [tool, args] of [
    ['rename_symbol', { file: 'latin/one.ts', name: 'one', newName: 'another' }],
    ['rename_file', { from: 'latin/one.ts', to: 'latin/another.ts' }],
  ] as const) {
    expect(await world.server.refusal(tool, args)).toMatchObject({
      code: 'file_unusable',
      message: expect.stringContaining('latin/user.ts is not a text in UTF-8'),
    });
    expect(project.contents()).toEqual(before);
  }
});
