import { expect, test } from 'vitest';
import { ensuring, lines, tsconfig, useWorld } from './projects.ts';

const world = useWorld();

test('barrels, and chains of barrels: importers get the new name', async () => {
  const project = world.project('barrels', {
    'cart/total.ts': lines('export function total() { return 1; }', 'export type Total = number;'),
    'cart/index.ts': lines(
      "export { total } from './total';",
      "export type { Total } from './total';",
    ),
    'shop/index.ts': lines("export { total } from '../cart';", "export * from '../cart';"),
    'index.ts': lines("export * as shop from './shop';", "export { total as sum } from './shop';"),
    'test.ts': ensuring(
      "import { shop, sum } from './index';",
      "import { total as inner } from './cart';",
      "import { total, type Total } from './shop';",
      'const one: Total = shop.total();',
      'one === sum() && inner() === total()',
    ),
  });
  expect(await project.symbol('cart/total.ts', 'total', 'whole')).toMatchInlineSnapshot(`
    "cart/index.ts:1 export { whole } from './total';
    cart/total.ts:1 export function whole() { return 1; }
    index.ts:2 export { whole as sum } from './shop';
    shop/index.ts:1 export { whole } from '../cart';
    test.ts:2 import { whole as inner } from './cart';
    test.ts:3 import { whole, type Total } from './shop';
    test.ts:4 const one: Total = shop.whole();
    test.ts:6 ensure(one === sum() && inner() === whole());"
  `);
  expect(await project.symbol('shop/index.ts', 'total', 'whole')).toBe(
    await project.symbol('cart/total.ts', 'total', 'whole'),
  );
  expect(await project.symbol('cart/total.ts', 'Total', 'Whole')).toMatchInlineSnapshot(`
    "cart/index.ts:2 export type { Whole } from './total';
    cart/total.ts:2 export type Whole = number;
    test.ts:3 import { total, type Whole } from './shop';
    test.ts:4 const one: Whole = shop.total();"
  `);
  expect(await project.symbol('index.ts', 'sum', 'all')).toMatchInlineSnapshot(`
    "index.ts:2 export { total as all } from './shop';
    test.ts:1 import { shop, all } from './index';
    test.ts:6 ensure(one === all() && inner() === total());"
  `);
  expect(await project.symbol('index.ts', 'shop', 'store')).toMatchInlineSnapshot(`
    "index.ts:1 export * as store from './shop';
    test.ts:1 import { store, sum } from './index';
    test.ts:4 const one: Total = store.total();"
  `);
  expect(await project.move('cart', 'basket')).toMatchInlineSnapshot(`
    "cart/index.ts → basket/index.ts
    cart/total.ts → basket/total.ts
    shop/index.ts:1 export { total } from '../basket';
    shop/index.ts:2 export * from '../basket';
    test.ts:2 import { total as inner } from './basket';"
  `);
  expect(await project.move('shop/index.ts', 'shop/all.ts')).toMatchInlineSnapshot(`
    "shop/index.ts → shop/all.ts
    index.ts:1 export * as shop from './shop/all';
    index.ts:2 export { total as sum } from './shop/all';
    test.ts:3 import { total, type Total } from './shop/all';"
  `);
});

test('import and export lists, with aliases and of types', async () => {
  const project = world.project('lists', {
    'a.ts': lines(
      'const one = 1;',
      'class Two {}',
      'export { one, one as uno, Two as default };',
      'export type { Two };',
    ),
    'b.ts': lines(
      "import Zwei, { one as eins, uno, type Two } from './a';",
      "import * as all from './a';",
      'export const two: Two = new Zwei();',
      'export const isSame = eins === uno && all.one === all.uno;',
      'export { eins as one };',
    ),
    'test.ts': ensuring(
      "import { isSame, one, two } from './b';",
      "import Two from './a';",
      'isSame && one === 1 && two instanceof Two',
    ),
  });
  expect(await project.symbol('a.ts', 'one', 'first', { line: 1 })).toMatchInlineSnapshot(`
    "a.ts:1 const first = 1;
    a.ts:3 export { first, first as uno, Two as default };
    b.ts:1 import Zwei, { first as eins, uno, type Two } from './a';
    b.ts:4 export const isSame = eins === uno && all.first === all.uno;"
  `);
  expect(await project.symbol('a.ts', 'Two', 'Second', { line: 2 })).toMatchInlineSnapshot(`
    "a.ts:2 class Second {}
    a.ts:3 export { one, one as uno, Second as default };
    a.ts:4 export type { Second };
    b.ts:1 import Zwei, { one as eins, uno, type Second } from './a';
    b.ts:3 export const two: Second = new Zwei();"
  `);
  expect(await project.symbol('b.ts', 'eins', 'first')).toMatchInlineSnapshot(`
    "b.ts:1 import Zwei, { one as first, uno, type Two } from './a';
    b.ts:4 export const isSame = first === uno && all.one === all.uno;
    b.ts:5 export { first as one };"
  `);
});

test('import = and export =', async () => {
  const project = world.project(
    'export-equals',
    {
      'tsconfig.json': tsconfig({ module: 'node16', moduleResolution: 'node16' }),
      'tool.cts': lines(
        'function tool() { return 1; }',
        'namespace tool { export const size = 2; }',
        'export = tool;',
      ),
      'other.cts': lines(
        "import tool = require('./tool.cjs');",
        'import size = tool.size;',
        'export = { size, made: tool() };',
      ),
      'test.cts': lines(
        "import other = require('./other.cjs');",
        'declare const ensure: (isRight: boolean) => void;',
        'ensure(other.size + other.made === 3);',
      ),
    },
    { tests: 'test.cts' },
  );
  expect(await project.symbol('tool.cts', 'tool', 'device', { line: 1 })).toMatchInlineSnapshot(`
    "other.cts:1 import device = require('./tool.cjs');
    other.cts:2 import size = device.size;
    other.cts:3 export = { size, made: device() };
    tool.cts:1 function device() { return 1; }
    tool.cts:2 namespace device { export const size = 2; }
    tool.cts:3 export = device;"
  `);
  expect(await project.symbol('tool.cts', 'size', 'extent')).toMatchInlineSnapshot(`
    "other.cts:2 import size = tool.extent;
    tool.cts:2 namespace tool { export const extent = 2; }"
  `);
  expect(await project.move('tool.cts', 'lib/device.cts')).toMatchInlineSnapshot(`
    "tool.cts → lib/device.cts
    other.cts:1 import tool = require('./lib/device.cjs');"
  `);
});

test('CommonJS in plain JavaScript', async () => {
  const project = world.project(
    'commonjs',
    {
      'tsconfig.json': tsconfig({ allowJs: true, module: 'commonjs' }),
      'sum.js': lines(
        'function sum(a, b) { return a + b; }',
        'module.exports = { sum, zero() { return sum(0, 0); } };',
      ),
      'twice.js': lines(
        "const { sum } = require('./sum');",
        "const zero = require('./sum').zero;",
        'exports.twice = (one) => sum(one, one) + zero();',
      ),
      'test.js': lines("const all = require('./twice.js');", 'ensure(all.twice(2) === 4);'),
    },
    { tests: 'test.js' },
  );
  expect(await project.symbol('sum.js', 'zero', 'nothing')).toMatchInlineSnapshot(`
    "sum.js:2 module.exports = { sum, nothing() { return sum(0, 0); } };
    twice.js:2 const zero = require('./sum').nothing;"
  `);
  expect(await project.symbol('sum.js', 'sum', 'add', { line: 1 })).toMatchInlineSnapshot(`
    "sum.js:1 function add(a, b) { return a + b; }
    sum.js:2 module.exports = { sum: add, zero() { return add(0, 0); } };"
  `);
  expect(await project.move('sum.js', 'lib/add.js')).toMatchInlineSnapshot(`
    "sum.js → lib/add.js
    twice.js:1 const { sum } = require('./lib/add');
    twice.js:2 const zero = require('./lib/add').zero;"
  `);
  expect(await project.move('twice.js', 'lib/double.js')).toMatchInlineSnapshot(`
    "twice.js → lib/double.js
    lib/double.js:1 const { sum } = require('../sum');
    lib/double.js:2 const zero = require('../sum').zero;
    test.js:1 const all = require('./lib/double.js');"
  `);
  // The server does not find who requires it.
  for (const file of ['twice.js', 'test.js']) {
    const args = { file: `commonjs/${file}`, name: 'twice', newName: 'double' };
    expect(await world.server.refusal('rename_symbol', args)).toMatchObject({
      code: 'cannot_rename',
      message: expect.stringContaining('twice.js:3'),
    });
  }
});

test('dynamic imports and types of imports', async () => {
  const project = world.project('dynamic', {
    'lazy.ts': lines('export const late = 1;', 'export interface Late { at: number }'),
    'test.ts': lines(
      "type Late = import('./lazy').Late;",
      "type All = typeof import('./lazy');",
      'declare const ensure: (isRight: boolean) => void;',
      "const at = async (): Promise<Late> => ({ at: (await import('./lazy')).late });",
      'const all = (load: () => Promise<All>) => load().then(({ late }) => late);',
      "ensure(at.name === 'at' && all.length === 1);",
      "void all(() => import('./lazy'));",
    ),
  });
  expect(await project.symbol('lazy.ts', 'late', 'later')).toMatchInlineSnapshot(`
    "lazy.ts:1 export const later = 1;
    test.ts:4 const at = async (): Promise<Late> => ({ at: (await import('./lazy')).later });
    test.ts:5 const all = (load: () => Promise<All>) => load().then(({ later: late }) => late);"
  `);
  expect(await project.symbol('lazy.ts', 'Late', 'Later')).toMatchInlineSnapshot(`
    "lazy.ts:2 export interface Later { at: number }
    test.ts:1 type Late = import('./lazy').Later;"
  `);
  expect(await project.move('lazy.ts', 'deep/er/late.ts')).toMatchInlineSnapshot(`
    "lazy.ts → deep/er/late.ts
    test.ts:1 type Late = import('./deep/er/late').Late;
    test.ts:2 type All = typeof import('./deep/er/late');
    test.ts:4 const at = async (): Promise<Late> => ({ at: (await import('./deep/er/late')).late });
    test.ts:7 void all(() => import('./deep/er/late'));"
  `);
});
