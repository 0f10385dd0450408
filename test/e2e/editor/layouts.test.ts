import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ensuring, lines, type Project, tsconfig, useWorld } from './projects.ts';

const world = useWorld();
const manifest = (content: object) => JSON.stringify(content);

/** A package of the project, where it can be imported by its name. */
function install(project: Project, name: string, folder: string): void {
  const at = path.join(project.folder, 'node_modules', name);
  mkdirSync(path.dirname(at), { recursive: true });
  symlinkSync(path.relative(path.dirname(at), path.join(project.folder, folder)), at);
}

test('path aliases, and imports of the package', async () => {
  const project = world.project('aliases', {
    'tsconfig.json': tsconfig({ paths: { '@app/*': ['./src/*'], '@one': ['./src/one.ts'] } }),
    'package.json': manifest({ imports: { '#src/*': './src/*.ts' } }),
    'src/one.ts': lines('export const one = 1;'),
    'src/deep/two.ts': lines("import { one } from '@one';", 'export const two = one + 1;'),
    'test.ts': ensuring(
      "import { one } from '#src/one';",
      "import { two } from '@app/deep/two';",
      'one + two === 3',
    ),
  });
  expect(await project.symbol('src/one.ts', 'one', 'first')).toMatchInlineSnapshot(`
    "src/deep/two.ts:1 import { first } from '@one';
    src/deep/two.ts:2 export const two = first + 1;
    src/one.ts:1 export const first = 1;
    test.ts:1 import { first } from '#src/one';
    test.ts:4 ensure(first + two === 3);"
  `);
  expect(await project.move('src/deep/two.ts', 'src/flat/second.ts')).toMatchInlineSnapshot(`
    "src/deep/two.ts → src/flat/second.ts
    test.ts:2 import { two } from '#src/flat/second';"
  `);
  expect(await project.move('src/deep', 'src/shallow')).toMatchInlineSnapshot(`
    "src/deep/two.ts → src/shallow/two.ts
    test.ts:2 import { two } from '#src/shallow/two';"
  `);
});

test('a folder that path aliases and configurations name', async () => {
  const project = world.project('alias-of-folder', {
    'tsconfig.json': tsconfig(
      { paths: { '@app/*': ['./src/*'] } },
      { include: ['src', 'test.ts'] },
    ),
    'package.json': manifest({ imports: { '#src/*': './src/*.ts' } }),
    'src/one.ts': lines('export const one = 1;'),
    'test.ts': ensuring(
      "import { one } from '#src/one';",
      "import { one as same } from '@app/one';",
      'one === same',
    ),
  });
  expect(await project.move('src', 'source')).toMatchInlineSnapshot(`
    "src/one.ts → source/one.ts
    package.json:1 {"imports":{"#src/*":"./source/*.ts"}}
    test.ts:2 import { one as same } from './source/one';
    tsconfig.json:1 {"compilerOptions":{"target":"es2022","module":"esnext","moduleResolution":"bundler","lib":["es2022"],"types":[],"strict":true,"skipLibCheck":true,"noEmit":true,"paths":{"@app/*":["./source/*"]}},"include":["source","test.ts"]}"
  `);
  expect(await project.move('src', 'lib/source')).toMatchInlineSnapshot(`
    "src/one.ts → lib/source/one.ts
    package.json:1 {"imports":{"#src/*":"./lib/source/*.ts"}}
    test.ts:2 import { one as same } from './lib/source/one';
    tsconfig.json:1 {"compilerOptions":{"target":"es2022","module":"esnext","moduleResolution":"bundler","lib":["es2022"],"types":[],"strict":true,"skipLibCheck":true,"noEmit":true,"paths":{"@app/*":["./lib/source/*"]}},"include":["lib/source","test.ts"]}"
  `);
});

test('a file that a path alias names as a whole', async () => {
  const project = world.project('alias-of-file', {
    'tsconfig.json': tsconfig({ paths: { '@one': ['./src/one.ts'] } }),
    'src/one.ts': lines('export const one = 1;'),
    'test.ts': ensuring("import { one } from '@one';", 'one === 1'),
  });
  expect(await project.move('src/one.ts', 'src/first.ts')).toMatchInlineSnapshot(`
    "src/one.ts → src/first.ts
    test.ts:1 import { one } from './src/first';
    tsconfig.json:1 {"compilerOptions":{"target":"es2022","module":"esnext","moduleResolution":"bundler","lib":["es2022"],"types":[],"strict":true,"skipLibCheck":true,"noEmit":true,"paths":{"@one":["./src/first.ts"]}}}"
  `);
});

test('projects that refer to each other', async () => {
  const composite = (name: string, more: object = {}) => {
    const outDir = `../node_modules/out/${name}`;
    return tsconfig({ composite: true, noEmit: false, outDir, rootDir: '.' }, more);
  };
  const project = world.project(
    'references',
    {
      'core/tsconfig.json': composite('core'),
      'core/total.ts': lines('export const total = 1;'),
      'app/tsconfig.json': composite('app', { references: [{ path: '../core' }] }),
      'app/main.ts': lines("import { total } from '../core/total';", 'export const main = total;'),
      'tsconfig.json': tsconfig({}, { files: [], references: [{ path: 'core' }, { path: 'app' }] }),
      'test.ts': ensuring("import { main } from './app/main';", 'main === 1'),
    },
    { configs: ['app'] },
  );
  expect(await project.symbol('core/total.ts', 'total', 'sum')).toMatchInlineSnapshot(`
    "app/main.ts:1 import { sum } from '../core/total';
    app/main.ts:2 export const main = sum;
    core/total.ts:1 export const sum = 1;"
  `);
  expect(await project.symbol('app/main.ts', 'total', 'sum')).toBe(
    await project.symbol('core/total.ts', 'total', 'sum'),
  );
  expect(await project.move('core/total.ts', 'core/sums/total.ts')).toMatchInlineSnapshot(`
    "core/total.ts → core/sums/total.ts
    app/main.ts:1 import { total } from '../core/sums/total';"
  `);
});

const packages = {
  'package.json': manifest({ private: true, workspaces: ['packages/*'] }),
  'packages/money/package.json': manifest({
    name: '@acme/money',
    exports: { '.': './src/index.ts', './round': './src/round.ts' },
  }),
  'packages/money/src/index.ts': lines("export { euro } from './euro';"),
  'packages/money/src/euro.ts': lines('export const euro = 1;'),
  'packages/money/src/round.ts': lines('export const round = (one: number) => Math.round(one);'),
  'packages/shop/package.json': manifest({ name: '@acme/shop' }),
  'packages/shop/src/price.ts': lines(
    "import { euro } from '@acme/money';",
    "import { round } from '@acme/money/round';",
    'export const price = round(euro * 1.2);',
  ),
  'packages/shop/test.ts': ensuring("import { price } from './src/price';", 'price === 1'),
};

test.each([
  ['with a tsconfig.json at the root', { 'tsconfig.json': tsconfig() }, ['tsconfig.json']],
  [
    'with one in each package',
    { 'packages/money/tsconfig.json': tsconfig(), 'packages/shop/tsconfig.json': tsconfig() },
    ['packages/money/tsconfig.json', 'packages/shop/tsconfig.json'],
  ],
  ['without any', {}, []],
])('packages that are linked, %s', async (name, files, configs) => {
  const tests = 'packages/shop/test.ts';
  const project = world.project(`linked ${name}`, { ...packages, ...files }, { configs, tests });
  for (const one of ['money', 'shop']) install(project, `@acme/${one}`, `packages/${one}`);
  expect(await project.symbol('packages/money/src/euro.ts', 'euro', 'cent')).toBe(
    [
      'packages/money/src/euro.ts:1 export const cent = 1;',
      "packages/money/src/index.ts:1 export { cent } from './euro';",
      "packages/shop/src/price.ts:1 import { cent } from '@acme/money';",
      'packages/shop/src/price.ts:3 export const price = round(cent * 1.2);',
    ].join('\n'),
  );
  expect(await project.symbol('packages/shop/src/price.ts', 'round', 'up')).toBe(
    [
      'packages/money/src/round.ts:1 export const up = (one: number) => Math.round(one);',
      "packages/shop/src/price.ts:2 import { up } from '@acme/money/round';",
      'packages/shop/src/price.ts:3 export const price = up(euro * 1.2);',
    ].join('\n'),
  );
  expect(await project.move('packages/money/src/euro.ts', 'packages/money/src/coins/euro.ts')).toBe(
    [
      'packages/money/src/euro.ts → packages/money/src/coins/euro.ts',
      "packages/money/src/index.ts:1 export { euro } from './coins/euro';",
    ].join('\n'),
  );
});

test('files that no tsconfig.json includes, such as tests', async () => {
  const project = world.project('not-included', {
    'tsconfig.json': tsconfig({}, { include: ['src'] }),
    'src/total.ts': lines('export const total = 1;'),
    'test.ts': ensuring("import { total } from './src/total';", 'total === 1'),
    'scripts/print.js': lines("import { total } from '../src/total';", 'export default total;'),
  });
  expect(await project.symbol('src/total.ts', 'total', 'sum')).toMatchInlineSnapshot(`
    "scripts/print.js:1 import { sum } from '../src/total';
    scripts/print.js:2 export default sum;
    src/total.ts:1 export const sum = 1;
    test.ts:1 import { sum } from './src/total';
    test.ts:3 ensure(sum === 1);"
  `);
  expect(await project.move('src/total.ts', 'src/sums/sum.ts')).toMatchInlineSnapshot(`
    "src/total.ts → src/sums/sum.ts
    scripts/print.js:1 import { total } from '../src/sums/sum';
    test.ts:1 import { total } from './src/sums/sum';"
  `);
  expect(await project.move('scripts/print.js', 'print.js')).toMatchInlineSnapshot(`
    "scripts/print.js → print.js
    print.js:1 import { total } from './src/total';"
  `);
});

test('plain JavaScript without any configuration', async () => {
  const project = world.project(
    'plain-js',
    {
      'lib/sum.mjs': lines('export function sum(a, b) { return a + b; }'),
      'lib/twice.js': lines(
        "import { sum } from './sum.mjs';",
        'export const twice = (one) => sum(one, one);',
      ),
      'view.jsx': lines(
        "import { twice } from './lib/twice.js';",
        'export const view = (h) => <b>{twice(2)}</b>;',
      ),
      'test.js': lines("import { twice } from './lib/twice.js';", 'ensure(twice(2) === 4);'),
    },
    { configs: [], tests: 'test.js' },
  );
  expect(await project.symbol('lib/sum.mjs', 'sum', 'add')).toMatchInlineSnapshot(`
    "lib/sum.mjs:1 export function add(a, b) { return a + b; }
    lib/twice.js:1 import { add } from './sum.mjs';
    lib/twice.js:2 export const twice = (one) => add(one, one);"
  `);
  expect(await project.symbol('lib/twice.js', 'twice', 'double')).toMatchInlineSnapshot(`
    "lib/twice.js:2 export const double = (one) => sum(one, one);
    test.js:1 import { double } from './lib/twice.js';
    test.js:2 ensure(double(2) === 4);
    view.jsx:1 import { double } from './lib/twice.js';
    view.jsx:2 export const view = (h) => <b>{double(2)}</b>;"
  `);
  expect(await project.move('lib/twice.js', 'double.js')).toMatchInlineSnapshot(`
    "lib/twice.js → double.js
    double.js:1 import { sum } from './lib/sum.mjs';
    test.js:1 import { twice } from './double.js';
    view.jsx:1 import { twice } from './double.js';"
  `);
  expect(await project.move('lib', 'source')).toMatchInlineSnapshot(`
    "lib/sum.mjs → source/sum.mjs
    lib/twice.js → source/twice.js
    test.js:1 import { twice } from './source/twice.js';
    view.jsx:1 import { twice } from './source/twice.js';"
  `);
});

test('a project with mistakes in it has the same ones afterwards', async () => {
  const project = world.project(
    'mistakes',
    {
      'one.ts': lines(
        'export const one: string = 1;',
        "export { missing } from './gone';",
        'export const two = one + nowhere;',
      ),
      'other.ts': lines("import { one, three } from './one';", 'export const other: number = one;'),
    },
    { tests: '' },
  );
  expect(await project.symbol('one.ts', 'one', 'first')).toMatchInlineSnapshot(`
    "one.ts:1 export const first: string = 1;
    one.ts:3 export const two = first + nowhere;
    other.ts:1 import { first, three } from './one';
    other.ts:2 export const other: number = first;"
  `);
  expect(await project.move('one.ts', 'first.ts')).toMatchInlineSnapshot(`
    "one.ts → first.ts
    other.ts:1 import { one, three } from './first';"
  `);
});
