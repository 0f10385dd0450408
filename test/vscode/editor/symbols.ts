import { cites } from '@baton/e2e/requirements';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type EditorBench, undoIn } from './bench.ts';

const identifier = fc.stringMatching(/^[a-z][a-zA-Z0-9]{1,8}$/);
const renaming = fc
  .record({
    oldName: identifier.map((name) => `${name}Old`),
    newName: identifier.map((name) => `${name}New`),
    states: fc.array(fc.constantFrom('closed', 'open', 'dirty'), { minLength: 1, maxLength: 4 }),
  })
  .filter(({ oldName, newName }) => oldName !== newName);

export function testSymbols(bench: () => EditorBench): void {
  let runs = 0;

  test(`${cites('002-P10')} any symbol: renamed wherever it is used, in files that are closed, open or not saved`, async () => {
    await fc.assert(
      fc.asyncProperty(renaming, async ({ oldName, newName, states }) => {
        const one = bench();
        runs += 1;
        const project = `symbols-${runs}`;
        const use = (name: string, index: number) =>
          `import { ${name} } from './a';\nexport const use${index} = [${name}, { ${oldName}: 0 }];\n`;
        one.project(project, {
          'src/a.ts': `export function ${oldName}() {}\n`,
          ...Object.fromEntries(
            states.map((_, index) => [`src/use${index}.ts`, use(oldName, index)]),
          ),
        });
        const inState = (wanted: string) =>
          [...states.keys()].filter((index) => states[index] === wanted);
        const fileOf = (index: number) => `${project}/src/use${index}.ts`;
        for (const index of inState('open')) await one.type(fileOf(index), '');
        for (const index of inState('dirty')) await one.type(fileOf(index), '// mine\n');
        const file = `${project}/src/a.ts`;
        const result = await one.call('rename_symbol', { file, name: oldName, newName });
        expect(result).toContain(`Renamed function ${oldName} (${file}:1) to ${newName}`);
        expect(one.read(file)).toBe(`export function ${newName}() {}\n`);
        const unsaved = inState('dirty').map((index) => [
          fileOf(index),
          `// mine\n${use(newName, index)}`,
        ]);
        expect(await one.unsaved()).toEqual(Object.fromEntries(unsaved));
        for (const index of inState('dirty')) {
          expect(one.read(fileOf(index))).toBe(use(oldName, index));
          expect(result).toContain(fileOf(index));
        }
        for (const index of [...inState('open'), ...inState('closed')])
          expect(one.read(fileOf(index))).toBe(use(newName, index));
        await one.call('rename_symbol', { undo: undoIn(result) });
        expect(one.read(file)).toBe(`export function ${oldName}() {}\n`);
        await one.closeAll();
      }),
      {
        numRuns: 2,
        examples: [[{ oldName: 'sumOld', newName: 'addNew', states: ['closed', 'open', 'dirty'] }]],
      },
    );
  });

  test('a name that would mean something else is refused, and the documents are left alone', async () => {
    const one = bench();
    one.project('collision', {
      'src/a.ts':
        'export function area(width: number) {\n  const other = 2;\n  return width * other;\n}\n',
    });
    const file = 'collision/src/a.ts';
    const refused = await one.call('rename_symbol', { file, name: 'width', newName: 'other' });
    expect(refused).toContain('other means something else already at collision/src/a.ts:');
    expect(await one.unsaved()).toEqual({});
    const rename = { file, name: 'width', newName: 'across', container: 'area' };
    expect(await one.call('rename_symbol', rename)).toContain('Renamed parameter width');
    expect(one.read(file)).toContain('across * other');
  });

  test('imports are organised, saved, and put back', async () => {
    const one = bench();
    const before =
      "import { z } from './z';\nimport { a, b } from './a';\nexport const c = b + z;\n";
    one.project('imports', {
      'src/a.ts': 'export const a = 1;\nexport const b = 1;\n',
      'src/z.ts': 'export const z = 1;\n',
      'src/main.ts': before,
    });
    const files = ['imports/src/main.ts'];
    expect(await one.call('organize_imports', { files, dryRun: true })).toContain('Would organise');
    expect(one.read('imports/src/main.ts')).toBe(before);
    const result = await one.call('organize_imports', { files });
    expect(one.read('imports/src/main.ts')).toBe(
      "import { b } from './a';\nimport { z } from './z';\nexport const c = b + z;\n",
    );
    expect(await one.call('organize_imports', { files })).toContain('in order already');
    await one.call('organize_imports', { undo: undoIn(result) });
    expect(one.read('imports/src/main.ts')).toBe(before);
    expect(await one.unsaved()).toEqual({});
  });
}
