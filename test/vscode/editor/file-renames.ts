import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { cites } from '@baton/e2e/requirements';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type EditorBench, undoIn } from './bench.ts';

/** VS Code's own pass over the imports begins within 0.7 s after a move. */
const OWN_PASS_MS = 1000;

const SETTINGS = ['always', 'prompt', 'never'] as const;
const name = fc.stringMatching(/^[a-z][a-zA-Z0-9_-]{0,8}$/);
const move = fc.record({
  from: name.map((stem) => `${stem}1`),
  to: name.map((stem) => `${stem}2`),
  folders: fc.array(name, { maxLength: 2 }),
  isDirty: fc.boolean(),
});

export function testFileRenames(bench: () => EditorBench): void {
  let runs = 0;

  test(`${cites('002-P5', '002-P6', '002-P7')} any file, under any setting: moved, all imports updated and saved, counted, and nobody is asked`, async () => {
    await fc.assert(
      fc.asyncProperty(move, async ({ from, to, folders, isDirty }) => {
        const one = bench();
        const setting = SETTINGS[runs % SETTINGS.length] ?? 'always';
        runs += 1;
        const project = `moves-${runs}`;
        const source = `${project}/src/lib/${from}.ts`;
        const target = `${project}/src/${[...folders, to].join('/')}.ts`;
        one.project(project, {
          'src/base.ts': 'export const base = 1;\n',
          [`src/lib/${from}.ts`]: "import { base } from '../base';\nexport const moved = base;\n",
          'src/main.ts': `import { moved } from './lib/${from}';\nexport const main = moved;\n`,
          'src/other/use.js': `const use = import('../lib/${from}');\nexport { use };\n`,
        });
        await one.setImports(setting);
        if (isDirty) await one.type(`${project}/src/main.ts`, '// not saved\n');
        const settings = one.userSettings();
        const result = await one.call('rename_file', { from: source, to: target });
        expect(result).toContain(`Renamed ${source} to ${target} and updated`);
        expect(Number(/updated (\d+) imports/.exec(result)?.[1])).toBeGreaterThanOrEqual(2);
        await pause(OWN_PASS_MS);
        expect(await one.dialogs()).toEqual([]);
        expect(one.userSettings()).toBe(settings);
        expect(existsSync(one.at(source))).toBe(false);
        const up = folders.map(() => '../').join('') || './';
        expect(one.read(target)).toBe(
          `import { base } from '${up}base';\nexport const moved = base;\n`,
        );
        const path = [...folders, to].join('/');
        const main = `import { moved } from './${path}';\nexport const main = moved;\n`;
        const unsaved = await one.unsaved();
        if (isDirty) {
          expect(result).toMatch(new RegExp(`not saved.*: ${project}/src/main.ts$`, 'm'));
          expect(result).not.toContain('left alone');
          expect(unsaved).toEqual({ [`${project}/src/main.ts`]: `// not saved\n${main}` });
        } else {
          expect(unsaved).toEqual({});
          expect(one.read(`${project}/src/main.ts`)).toBe(main);
        }
        expect(one.read(`${project}/src/other/use.js`)).toContain(`import('../${path}')`);
        await one.closeAll();
      }),
      { numRuns: SETTINGS.length },
    );
  });

  test.each(['always', 'prompt'] as const)(
    `${cites('002-P6')} under "%s", VS Code does not update once more what was right already`,
    async (setting) => {
      const one = bench();
      const project = `trap-${setting}`;
      one.project(project, {
        'src/a.ts': 'export const a = 1;\n',
        'src/lib/a.ts': 'export const a = 2;\n',
        'src/lib/b.ts': "import { a } from '../a';\nexport const b = a;\n",
        'src/main.ts': "export { b } from './lib/b';\n",
      });
      await one.setImports(setting);
      const result = await one.call('rename_file', {
        from: `${project}/src/lib/b.ts`,
        to: `${project}/src/b.ts`,
      });
      await pause(OWN_PASS_MS);
      const texts = () => [one.read(`${project}/src/b.ts`), one.read(`${project}/src/main.ts`)];
      expect(texts()).toEqual([
        "import { a } from './a';\nexport const b = a;\n",
        "export { b } from './b';\n",
      ]);
      // Nor on the way back.
      await one.call('rename_file', { undo: undoIn(result) });
      await pause(OWN_PASS_MS);
      expect(one.read(`${project}/src/lib/b.ts`)).toContain("from '../a'");
      expect(one.read(`${project}/src/main.ts`)).toBe("export { b } from './lib/b';\n");
      expect(await one.unsaved()).toEqual({});
      expect(await one.dialogs()).toEqual([]);
    },
  );

  test('a folder moves with all that is in it; taken back, everything is as it was', async () => {
    const one = bench();
    const files = {
      'src/lib/b.ts': "import { a } from '../a';\nexport const b = a;\n",
      'src/lib/c.ts': "import { b } from './b';\nexport const c = b;\n",
      'src/lib/tsconfig.json': '{ "extends": "../../tsconfig.json", "include": ["."] }\n',
      'src/a.ts': 'export const a = 1;\n',
      'src/main.ts': "import { c } from './lib/c';\nexport const main = c;\n",
    };
    one.project('folders', files);
    await one.setImports('never');
    const result = await one.call('rename_file', {
      from: 'folders/src/lib',
      to: 'folders/src/deep/core',
    });
    expect(one.read('folders/src/deep/core/b.ts')).toContain("from '../../a'");
    expect(one.read('folders/src/deep/core/c.ts')).toContain("from './b'");
    expect(one.read('folders/src/deep/core/tsconfig.json')).toBe(
      '{ "extends": "../../../tsconfig.json", "include": ["."] }\n',
    );
    expect(one.read('folders/src/main.ts')).toContain("from './deep/core/c'");
    const id = undoIn(result);
    expect(await one.call('rename_file', { undo: id })).toContain('Taken back: rename_file');
    for (const [file, text] of Object.entries(files))
      expect(one.read(`folders/${file}`)).toBe(text);
    expect(existsSync(one.at('folders/src/deep'))).toBe(false);
    expect(await one.call('rename_file', { undo: id })).toContain('no such change');
  });

  test('what was written just before is seen, in files that are open as well', async () => {
    const one = bench();
    one.project('fresh', {
      'src/late.ts': 'export const late = 1;\n',
      'src/main.ts': 'export const main = 1;\n',
    });
    await one.window.evaluate(
      (vscode, file) => vscode.window.showTextDocument(vscode.Uri.file(file)),
      one.at('fresh/src/main.ts'),
    );
    one.write({
      'fresh/src/main.ts': "import { late } from './late';\nexport const main = late;\n",
      'fresh/src/new.ts': "export * from './late';\n",
    });
    await one.call('rename_file', { from: 'fresh/src/late.ts', to: 'fresh/src/later.ts' });
    expect(one.read('fresh/src/main.ts')).toContain("from './later'");
    expect(one.read('fresh/src/new.ts')).toContain("from './later'");
  });
}
