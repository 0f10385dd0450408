import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { cites } from '../requirements.ts';
import { ensuring, lines, tsconfig, useWorld } from './projects.ts';

const world = useWorld();

test(`${cites('002-P5', '002-P7')} deeper, upwards, into other names and other endings`, async () => {
  const project = world.project('places', {
    'tsconfig.json': tsconfig({ jsx: 'preserve' }),
    'src/a/one.ts': lines("import { two } from '../b/two';", 'export const one: number = two + 1;'),
    'src/b/two.ts': lines(
      "import type { one } from '../a/one';",
      'export const two: typeof one = 1;',
    ),
    'test.ts': ensuring("import { one } from './src/a/one';", 'one === 2'),
  });
  expect(await project.move('src/a/one.ts', 'src/a/b/c/one.ts')).toMatchInlineSnapshot(`
    "src/a/one.ts → src/a/b/c/one.ts
    src/a/b/c/one.ts:1 import { two } from '../../../b/two';
    src/b/two.ts:1 import type { one } from '../a/b/c/one';
    test.ts:1 import { one } from './src/a/b/c/one';"
  `);
  expect(await project.move('src/a/one.ts', 'one.ts')).toMatchInlineSnapshot(`
    "src/a/one.ts → one.ts
    one.ts:1 import { two } from './src/b/two';
    src/b/two.ts:1 import type { one } from '../../one';
    test.ts:1 import { one } from './one';"
  `);
  expect(await project.move('src/b/two.ts', 'src/b/2.ts')).toMatchInlineSnapshot(`
    "src/b/two.ts → src/b/2.ts
    src/a/one.ts:1 import { two } from '../b/2';"
  `);
  expect(await project.move('src/b/two.ts', 'src/b/Two.ts')).toMatchInlineSnapshot(`
    "src/b/two.ts → src/b/Two.ts
    src/a/one.ts:1 import { two } from '../b/Two';"
  `);
  expect(await project.move('src/b/two.ts', 'src/b/two.tsx')).toMatchInlineSnapshot(
    `"src/b/two.ts → src/b/two.tsx"`,
  );
  expect(await project.move('src', 'lib/source')).toMatchInlineSnapshot(`
    "src/a/one.ts → lib/source/a/one.ts
    src/b/two.ts → lib/source/b/two.ts
    test.ts:1 import { one } from './lib/source/a/one';"
  `);
  expect(await project.move('src/a', 'src/b/a')).toMatchInlineSnapshot(`
    "src/a/one.ts → src/b/a/one.ts
    src/b/a/one.ts:1 import { two } from '../two';
    src/b/two.ts:1 import type { one } from './a/one';
    test.ts:1 import { one } from './src/b/a/one';"
  `);
});

test('imports with endings of JavaScript keep them, also of .mts and .cts', async () => {
  const project = world.project('endings', {
    'tsconfig.json': tsconfig({ module: 'nodenext', moduleResolution: 'nodenext' }),
    'package.json': '{ "type": "module" }',
    'one.ts': lines(
      "export { two } from './two.mjs';",
      "import three from './three.cjs';",
      'export { three };',
    ),
    'two.mts': lines('export const two = 2;'),
    'three.cts': lines('const three = 3;', 'export = three;'),
    'test.ts': ensuring("import { three, two } from './one.js';", 'two + three === 5'),
  });
  expect(await project.move('one.ts', 'lib/first.ts')).toMatchInlineSnapshot(`
    "one.ts → lib/first.ts
    lib/first.ts:1 export { two } from '../two.mjs';
    lib/first.ts:2 import three from '../three.cjs';
    test.ts:1 import { three, two } from './lib/first.js';"
  `);
  expect(await project.move('two.mts', 'second.mts')).toMatchInlineSnapshot(`
    "two.mts → second.mts
    one.ts:1 export { two } from './second.mjs';"
  `);
  expect(await project.move('three.cts', 'lib/third.cts')).toMatchInlineSnapshot(`
    "three.cts → lib/third.cts
    one.ts:2 import three from './lib/third.cjs';"
  `);
  expect(await project.move('two.mts', 'two.ts')).toMatchInlineSnapshot(`
    "two.mts → two.ts
    one.ts:1 export { two } from './two.js';"
  `);
});

test('imports with endings of TypeScript keep them', async () => {
  const project = world.project('ts-endings', {
    'tsconfig.json': tsconfig({ allowImportingTsExtensions: true }),
    'one.ts': lines("export { two } from './inner/two.ts';"),
    'inner/two.ts': lines(
      "import type { One } from '../types.d.ts';",
      'export const two: One = 2;',
    ),
    'types.d.ts': lines('export type One = number;'),
    'test.ts': ensuring("import { two } from './one.ts';", 'two === 2'),
  });
  expect(await project.move('inner/two.ts', 'second.ts')).toMatchInlineSnapshot(`
    "inner/two.ts → second.ts
    one.ts:1 export { two } from './second.ts';
    second.ts:1 import type { One } from './types';"
  `);
  expect(await project.move('types.d.ts', 'inner/kinds.d.ts')).toMatchInlineSnapshot(`
    "types.d.ts → inner/kinds.d.ts
    inner/two.ts:1 import type { One } from './kinds';"
  `);
  expect(await project.move('inner', 'inside')).toMatchInlineSnapshot(`
    "inner/two.ts → inside/two.ts
    inside/two.ts:1 import type { One } from '../types';
    one.ts:1 export { two } from './inside/two.ts';"
  `);
});

test('index files, and folders that are imported by their name', async () => {
  const project = world.project('indexes', {
    'cart/index.ts': lines("export * from './total';"),
    'cart/total.ts': lines('export const total = 1;'),
    'shop.ts': lines("import { total } from './cart';", 'export const shop = total;'),
    'test.ts': ensuring(
      "import { total } from './cart/index';",
      "import { shop } from './shop';",
      'total === shop',
    ),
  });
  expect(await project.move('cart/index.ts', 'cart/all.ts')).toMatchInlineSnapshot(`
    "cart/index.ts → cart/all.ts
    shop.ts:1 import { total } from './cart/all';
    test.ts:1 import { total } from './cart/all';"
  `);
  expect(await project.move('shop.ts', 'shop/index.ts')).toMatchInlineSnapshot(`
    "shop.ts → shop/index.ts
    shop/index.ts:1 import { total } from '../cart';
    test.ts:2 import { shop } from './shop/index';"
  `);
  expect(await project.move('cart', 'basket')).toMatchInlineSnapshot(`
    "cart/index.ts → basket/index.ts
    cart/total.ts → basket/total.ts
    shop.ts:1 import { total } from './basket';
    test.ts:1 import { total } from './basket/index';"
  `);
  expect(await project.move('cart/total.ts', 'total.ts')).toMatchInlineSnapshot(`
    "cart/total.ts → total.ts
    cart/index.ts:1 export * from '../total';"
  `);
});

test('JSON, styles and pictures', async () => {
  const project = world.project('assets', {
    'tsconfig.json': tsconfig({ resolveJsonModule: true, allowArbitraryExtensions: true }),
    'assets.d.ts': lines(
      "declare module '*.css' { const text: string; export default text; }",
      "declare module '*.png' { const url: string; export default url; }",
    ),
    'data/prices.json': '{ "one": 1 }\n',
    'style/main.css': 'b { color: red }\n',
    'style/logo.png': 'PNG',
    'page.ts': lines(
      "import prices from './data/prices.json';",
      "import css from './style/main.css';",
      "import logo from './style/logo.png';",
      "export const page = { price: prices.one, isStyled: css.includes('red'), logo };",
    ),
    'test.ts': ensuring(
      "import { page } from './page';",
      "page.price === 1 && page.isStyled && page.logo.startsWith('data:')",
    ),
  });
  expect(await project.move('page.ts', 'pages/start.ts')).toMatchInlineSnapshot(`
    "page.ts → pages/start.ts
    pages/start.ts:1 import prices from '../data/prices.json';
    pages/start.ts:2 import css from '../style/main.css';
    pages/start.ts:3 import logo from '../style/logo.png';
    test.ts:1 import { page } from './pages/start';"
  `);
  expect(await project.move('data/prices.json', 'prices.json')).toMatchInlineSnapshot(`
    "data/prices.json → prices.json
    page.ts:1 import prices from './prices.json';"
  `);
  expect(await project.move('style/main.css', 'style/all.css')).toMatchInlineSnapshot(`
    "style/main.css → style/all.css
    page.ts:2 import css from './style/all.css';"
  `);
  expect(await project.move('style/logo.png', 'logo.png')).toMatchInlineSnapshot(`
    "style/logo.png → logo.png
    page.ts:3 import logo from './logo.png';"
  `);
  expect(await project.move('style', 'looks')).toMatchInlineSnapshot(`
    "style/logo.png → looks/logo.png
    style/main.css → looks/main.css
    page.ts:2 import css from './looks/main.css';
    page.ts:3 import logo from './looks/logo.png';"
  `);
});

test('a file that becomes source code, or of another kind', async () => {
  const project = world.project('endings-of-others', {
    'tsconfig.json': tsconfig({ jsx: 'preserve' }),
    'notes.txt': lines('export const one = 1;'),
    'two.ts': lines('export const two = 2;'),
    'test.ts': ensuring("import { two } from './two';", 'two === 2'),
  });
  expect(await project.move('notes.txt', 'notes.ts')).toBe('notes.txt → notes.ts');
  expect(await project.move('two.ts', 'two.tsx')).toBe('two.ts → two.tsx');
});

test('names with blanks, quotes and signs that URIs escape', async () => {
  const project = world.project('with blanks #1 & 100% ü', {
    'a b/c#d.ts': lines('export const one = 1;'),
    'e%20f.ts': lines("import { one } from './a b/c#d';", 'export const two = one + 1;'),
    'größe-模块.ts': lines("export * from './e%20f';"),
    "it's.ts": lines("export * from './größe-模块';"),
    'test.ts': ensuring('import { two } from "./it\'s";', 'two === 2'),
  });
  expect(await project.move('a b/c#d.ts', 'a b/é?.ts')).toMatchInlineSnapshot(`
    "a b/c#d.ts → a b/é?.ts
    e%20f.ts:1 import { one } from './a b/é?';"
  `);
  expect(await project.move('e%20f.ts', 'x%2e#.ts')).toMatchInlineSnapshot(`
    "e%20f.ts → x%2e#.ts
    größe-模块.ts:1 export * from './x%2e#';"
  `);
  expect(await project.move('größe-模块.ts', 'a b/größe.ts')).toMatchInlineSnapshot(`
    "größe-模块.ts → a b/größe.ts
    a b/größe.ts:1 export * from '../e%20f';
    it's.ts:1 export * from './a b/größe';"
  `);
  expect(await project.move("it's.ts", 'it is.ts')).toMatchInlineSnapshot(`
    "it's.ts → it is.ts
    test.ts:1 import { two } from "./it is";"
  `);
  expect(await project.move('a b', 'ü b')).toMatchInlineSnapshot(`
    "a b/c#d.ts → ü b/c#d.ts
    e%20f.ts:1 import { one } from './ü b/c#d';"
  `);
  expect(await project.symbol('a b/c#d.ts', 'one', 'first')).toMatchInlineSnapshot(`
    "a b/c#d.ts:1 export const first = 1;
    e%20f.ts:1 import { first } from './a b/c#d';
    e%20f.ts:2 export const two = first + 1;"
  `);
});

test('a module that others add to, which language servers leave alone', async () => {
  const project = world.project('augmented', {
    'shapes/shape.ts': lines('export interface Shape { width: number }', 'export const unit = 1;'),
    'shapes/index.ts': lines("export * from './shape';"),
    'depth.ts': lines(
      "import { unit } from './shapes/shape';",
      "declare module './shapes/shape' {",
      '  interface Shape { depth: number }',
      '}',
      'export const depth = unit;',
    ),
    'user.ts': lines(
      "import { type Shape, unit } from './shapes/shape';",
      'export const shape: Shape = { width: unit, depth: unit };',
    ),
    'test.ts': ensuring(
      "import './depth';",
      "import { shape } from './user';",
      'shape.depth === 1',
    ),
  });
  expect(await project.move('user.ts', 'deep/er/user.ts')).toMatchInlineSnapshot(`
    "user.ts → deep/er/user.ts
    deep/er/user.ts:1 import { type Shape, unit } from '../../shapes/shape';
    test.ts:2 import { shape } from './deep/er/user';"
  `);
  expect(await project.move('depth.ts', 'deep/depth.ts')).toMatchInlineSnapshot(`
    "depth.ts → deep/depth.ts
    deep/depth.ts:1 import { unit } from '../shapes/shape';
    deep/depth.ts:2 declare module '../shapes/shape' {
    test.ts:1 import './deep/depth';"
  `);
  expect(await project.move('shapes/shape.ts', 'form.ts')).toMatchInlineSnapshot(`
    "shapes/shape.ts → form.ts
    depth.ts:1 import { unit } from './form';
    depth.ts:2 declare module './form' {
    shapes/index.ts:1 export * from '../form';
    user.ts:1 import { type Shape, unit } from './form';"
  `);
  expect(await project.move('shapes', 'forms')).toMatchInlineSnapshot(`
    "shapes/index.ts → forms/index.ts
    shapes/shape.ts → forms/shape.ts
    depth.ts:1 import { unit } from './forms/shape';
    depth.ts:2 declare module './forms/shape' {
    user.ts:1 import { type Shape, unit } from './forms/shape';"
  `);
});

test('a link in the workspace that leads to a file of it', async () => {
  const project = world.project('linked', {
    'real/one.ts': lines('export const one = 1;'),
    'test.ts': ensuring("import { one } from './real/one';", 'one === 1'),
  });
  symlinkSync('real', path.join(project.folder, 'alias'));
  expect(await project.symbol('alias/one.ts', 'one', 'first')).toMatchInlineSnapshot(`
    "real/one.ts:1 export const first = 1;
    test.ts:1 import { first } from './real/one';
    test.ts:3 ensure(first === 1);"
  `);
});
