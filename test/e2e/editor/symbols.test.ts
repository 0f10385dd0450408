import { expect, test } from 'vitest';
import { ensuring, lines, tsconfig, useWorld } from './projects.ts';

const world = useWorld();

test('a function with overloads', async () => {
  const project = world.project('overloads', {
    'parse.ts': lines(
      'export function parse(text: string): number;',
      'export function parse(text: number): string;',
      'export function parse(text: string | number): string | number {',
      "  return typeof text === 'string' ? Number(text) : String(text);",
      '}',
    ),
    'test.ts': ensuring("import { parse } from './parse';", "parse('4') === 4 && parse(4) === '4'"),
  });
  expect(await project.symbol('parse.ts', 'parse', 'read')).toMatchInlineSnapshot(`
    "parse.ts:1 export function read(text: string): number;
    parse.ts:2 export function read(text: number): string;
    parse.ts:3 export function read(text: string | number): string | number {
    test.ts:1 import { read } from './parse';
    test.ts:3 ensure(read('4') === 4 && read(4) === '4');"
  `);
});

test('an interface that is declared in several pieces and files', async () => {
  const project = world.project('merged', {
    'shape.ts': lines(
      'export interface Shape { width: number }',
      'export interface Shape { height: number }',
      'export const unit: Shape = { width: 1, height: 1, depth: 1 };',
    ),
    'depth.ts': lines(
      "import './shape';",
      "declare module './shape' {",
      '  interface Shape { depth: number }',
      '}',
    ),
    'test.ts': ensuring(
      "import './depth';",
      "import { unit, type Shape } from './shape';",
      'const shape: Shape = unit;',
      'shape.depth === 1',
    ),
  });
  expect(await project.symbol('shape.ts', 'Shape', 'Box')).toMatchInlineSnapshot(`
    "depth.ts:3 interface Box { depth: number }
    shape.ts:1 export interface Box { width: number }
    shape.ts:2 export interface Box { height: number }
    shape.ts:3 export const unit: Box = { width: 1, height: 1, depth: 1 };
    test.ts:2 import { unit, type Box } from './shape';
    test.ts:3 const shape: Box = unit;"
  `);
});

test('a namespace, and what it exports', async () => {
  const project = world.project('namespaces', {
    'units.ts': lines(
      'export namespace Units {',
      '  export const metre = 1;',
      '  export namespace Small { export const centi = metre / 100; }',
      '}',
      'export type Metre = typeof Units.metre;',
    ),
    'test.ts': ensuring(
      "import { Units } from './units';",
      'Units.Small.centi === Units.metre / 100',
    ),
  });
  expect(await project.symbol('units.ts', 'Units', 'Measures')).toMatchInlineSnapshot(`
    "test.ts:1 import { Measures } from './units';
    test.ts:3 ensure(Measures.Small.centi === Measures.metre / 100);
    units.ts:1 export namespace Measures {
    units.ts:5 export type Metre = typeof Measures.metre;"
  `);
  expect(await project.symbol('units.ts', 'metre', 'meter')).toMatchInlineSnapshot(`
    "test.ts:3 ensure(Units.Small.centi === Units.meter / 100);
    units.ts:2 export const meter = 1;
    units.ts:3 export namespace Small { export const centi = meter / 100; }
    units.ts:5 export type Metre = typeof Units.meter;"
  `);
  expect(await project.symbol('units.ts', 'Small', 'Tiny')).toMatchInlineSnapshot(`
    "test.ts:3 ensure(Units.Tiny.centi === Units.metre / 100);
    units.ts:3 export namespace Tiny { export const centi = metre / 100; }"
  `);
});

test('a class that merges with a namespace, used as a type and as a value', async () => {
  const project = world.project('class-namespace', {
    'point.ts': lines(
      'export class Point {',
      '  constructor(readonly x: number) {}',
      '}',
      'export namespace Point { export const origin = new Point(0); }',
    ),
    'test.ts': ensuring(
      "import { Point } from './point';",
      'const point: Point = Point.origin;',
      'point instanceof Point && point.x === 0',
    ),
  });
  expect(await project.symbol('point.ts', 'Point', 'Spot')).toMatchInlineSnapshot(`
    "point.ts:1 export class Spot {
    point.ts:4 export namespace Spot { export const origin = new Spot(0); }
    test.ts:1 import { Spot } from './point';
    test.ts:2 const point: Spot = Spot.origin;
    test.ts:4 ensure(point instanceof Spot && point.x === 0);"
  `);
});

test('an enum and its members', async () => {
  const project = world.project('enums', {
    'state.ts': lines(
      "export enum State { Open = 'open', Closed = 'closed' }",
      'export const enum Bits { One = 1, Two = One << 1 }',
      'export type Ended = State.Closed;',
    ),
    'test.ts': ensuring(
      "import { Bits, State, type Ended } from './state';",
      'const ended: Ended = State.Closed;',
      "ended === State['Closed'] && Bits.Two === 2",
    ),
  });
  expect(await project.symbol('state.ts', 'Closed', 'Done')).toMatchInlineSnapshot(`
    "state.ts:1 export enum State { Open = 'open', Done = 'closed' }
    state.ts:3 export type Ended = State.Done;
    test.ts:2 const ended: Ended = State.Done;
    test.ts:4 ensure(ended === State['Done'] && Bits.Two === 2);"
  `);
  expect(await project.symbol('state.ts', 'One', 'First')).toMatchInlineSnapshot(
    `"state.ts:2 export const enum Bits { First = 1, Two = First << 1 }"`,
  );
});

test('a default export, which importers call as they like', async () => {
  const project = world.project('defaults', {
    'total.ts': lines('export default function total(): number { return total.length; }'),
    'other.ts': lines("import sum from './total';", 'export const other = sum;'),
    'test.ts': ensuring(
      "import { other } from './other';",
      "import total from './total';",
      'total() === other()',
    ),
  });
  expect(await project.symbol('total.ts', 'total', 'whole')).toMatchInlineSnapshot(`
    "test.ts:2 import whole from './total';
    test.ts:4 ensure(whole() === other());
    total.ts:1 export default function whole(): number { return whole.length; }"
  `);
});

test('parameters, locals and type parameters', async () => {
  const project = world.project('locals', {
    'first.ts': lines(
      '/** @param items what there is @template Item one of it */',
      'export function first<Item>(items: readonly Item[], index = items.length - 1): Item | undefined {',
      '  const found: Item | undefined = items[index];',
      '  return found ?? items[0];',
      '}',
      'export const box = <Item>(item: Item): { item: Item } => ({ item });',
    ),
    'test.ts': ensuring("import { box, first } from './first';", 'first([1, 2]) === box(2).item'),
  });
  expect(await project.symbol('first.ts', 'items', 'all')).toMatchInlineSnapshot(`
    "first.ts:1 /** @param all what there is @template Item one of it */
    first.ts:2 export function first<Item>(all: readonly Item[], index = all.length - 1): Item | undefined {
    first.ts:3 const found: Item | undefined = all[index];
    first.ts:4 return found ?? all[0];"
  `);
  expect(await project.symbol('first.ts', 'found', 'chosen')).toMatchInlineSnapshot(`
    "first.ts:3 const chosen: Item | undefined = items[index];
    first.ts:4 return chosen ?? items[0];"
  `);
  expect(await project.symbol('first.ts', 'Item', 'One', { line: 2 })).toMatchInlineSnapshot(`
    "first.ts:2 export function first<One>(items: readonly One[], index = items.length - 1): One | undefined {
    first.ts:3 const found: One | undefined = items[index];"
  `);
  expect(
    await project.symbol('first.ts', 'item', 'one', { line: 6, kind: 'parameter' }),
  ).toMatchInlineSnapshot(
    `"first.ts:6 export const box = <Item>(one: Item): { item: Item } => ({ item: one });"`,
  );
});

test('template literal types and types of strings', async () => {
  const project = world.project('literal-types', {
    'events.ts': lines(
      "type Name = 'open' | 'close';",
      'export type Handler = { [Key in Name as `on${Capitalize<Key>}`]: (event: Key) => void };',
      'export type Path<Name extends string> = `/${Name}/${string}`;',
    ),
    'test.ts': ensuring(
      "import type { Handler, Path } from './events';",
      'let heard = 0;',
      'const handler: Handler = { onOpen: () => heard++, onClose: () => {} };',
      "const path: Path<'a'> = '/a/b';",
      "handler.onOpen('open');",
      "heard === 1 && path === '/a/b'",
    ),
  });
  expect(await project.symbol('events.ts', 'Name', 'Event', { line: 1 })).toMatchInlineSnapshot(`
    "events.ts:1 type Event = 'open' | 'close';
    events.ts:2 export type Handler = { [Key in Event as \`on\${Capitalize<Key>}\`]: (event: Key) => void };"
  `);
  expect(await project.symbol('events.ts', 'Key', 'Which')).toMatchInlineSnapshot(
    `"events.ts:2 export type Handler = { [Which in Name as \`on\${Capitalize<Which>}\`]: (event: Which) => void };"`,
  );
  expect(await project.symbol('events.ts', 'Handler', 'Hearer')).toMatchInlineSnapshot(`
    "events.ts:2 export type Hearer = { [Key in Name as \`on\${Capitalize<Key>}\`]: (event: Key) => void };
    test.ts:1 import type { Hearer, Path } from './events';
    test.ts:3 const handler: Hearer = { onOpen: () => heard++, onClose: () => {} };"
  `);
});

test('what JSDoc refers to, in TypeScript and in JavaScript', async () => {
  const project = world.project('jsdoc', {
    'tsconfig.json': tsconfig({ allowJs: true, checkJs: true }),
    'money.ts': lines(
      'export interface Money { amount: number }',
      'export const none: Money = { amount: 0 };',
    ),
    'price.js': lines(
      "/** @import { Money } from './money' */",
      '/**',
      ' * Like {@link Money}, doubled.',
      ' * @param {Money} money',
      " * @returns {import('./money').Money}",
      ' */',
      'export const double = (money) => ({ amount: money.amount * 2 });',
    ),
    'test.ts': ensuring(
      "import { none } from './money';",
      "import { double } from './price';",
      '/** @see {@link none} */',
      'double(none).amount === 0',
    ),
  });
  expect(await project.symbol('money.ts', 'Money', 'Coins')).toMatchInlineSnapshot(`
    "money.ts:1 export interface Coins { amount: number }
    money.ts:2 export const none: Coins = { amount: 0 };
    price.js:1 /** @import { Coins } from './money' */
    price.js:3 * Like {@link Coins}, doubled.
    price.js:4 * @param {Coins} money
    price.js:5 * @returns {import('./money').Coins}"
  `);
  expect(await project.symbol('money.ts', 'none', 'nothing')).toMatchInlineSnapshot(`
    "money.ts:2 export const nothing: Money = { amount: 0 };
    test.ts:1 import { nothing } from './money';
    test.ts:3 /** @see {@link nothing} */
    test.ts:5 ensure(double(nothing).amount === 0);"
  `);
});

test('a label, and a variable of the same name beside it', async () => {
  const project = world.project('labels', {
    'find.ts': lines(
      'export function find(rows: number[][], wanted: number): boolean {',
      '  let outer = false;',
      '  outer: for (const row of rows)',
      '    for (const one of row) if (one === wanted) { outer = true; break outer; }',
      '  return outer;',
      '}',
    ),
    'test.ts': ensuring("import { find } from './find';", 'find([[1], [2]], 2)'),
  });
  expect(await project.symbol('find.ts', 'outer', 'isFound', { line: 2 })).toMatchInlineSnapshot(`
    "find.ts:2 let isFound = false;
    find.ts:4 for (const one of row) if (one === wanted) { isFound = true; break outer; }
    find.ts:5 return isFound;"
  `);
});
