import { expect, test } from 'vitest';
import { ensuring, lines, tsconfig, useWorld } from './projects.ts';

const world = useWorld();

test('a method, with what implements and overrides it', async () => {
  const project = world.project('overrides', {
    'animal.ts': lines(
      'export interface Speaks { speak(): string }',
      'export abstract class Animal implements Speaks { abstract speak(): string; }',
    ),
    'dog.ts': lines(
      "import { Animal } from './animal';",
      "export class Dog extends Animal { override speak() { return 'Wuff'; } }",
      "export class Pug extends Dog { override speak() { return super.speak() + '!'; } }",
    ),
    'test.ts': ensuring(
      "import { Pug } from './dog';",
      "import type { Speaks } from './animal';",
      'const one: Speaks = new Pug();',
      "one.speak() === 'Wuff!' && one['speak']() === 'Wuff!'",
    ),
  });
  expect(
    await project.symbol('animal.ts', 'speak', 'say', { container: 'Speaks' }),
  ).toMatchInlineSnapshot(`
      "animal.ts:1 export interface Speaks { say(): string }
      animal.ts:2 export abstract class Animal implements Speaks { abstract say(): string; }
      dog.ts:2 export class Dog extends Animal { override say() { return 'Wuff'; } }
      dog.ts:3 export class Pug extends Dog { override say() { return super.say() + '!'; } }
      test.ts:5 ensure(one.say() === 'Wuff!' && one['say']() === 'Wuff!');"
    `);
  expect(await project.symbol('dog.ts', 'speak', 'say', { container: 'Pug' })).toBe(
    await project.symbol('animal.ts', 'speak', 'say'),
  );
});

test('private names, static and not', async () => {
  const project = world.project('private', {
    'count.ts': lines(
      'export class Count {',
      '  #value = 0;',
      '  static #made = 0;',
      '  constructor() { Count.#made += 1; }',
      '  get value() { return this.#value; }',
      '  set value(value) { this.#value = value; }',
      '  static isOne(other: object) { return #value in other && Count.#made === 1; }',
      '}',
    ),
    'test.ts': ensuring(
      "import { Count } from './count';",
      'const count = new Count();',
      'count.value += 2;',
      'count.value === 2 && Count.isOne(count)',
    ),
  });
  expect(await project.symbol('count.ts', '#value', '#number')).toMatchInlineSnapshot(`
    "count.ts:2 #number = 0;
    count.ts:5 get value() { return this.#number; }
    count.ts:6 set value(value) { this.#number = value; }
    count.ts:7 static isOne(other: object) { return #number in other && Count.#made === 1; }"
  `);
  expect(await project.symbol('count.ts', '#made', '#created')).toMatchInlineSnapshot(`
    "count.ts:3 static #created = 0;
    count.ts:4 constructor() { Count.#created += 1; }
    count.ts:7 static isOne(other: object) { return #value in other && Count.#created === 1; }"
  `);
  expect(await project.symbol('count.ts', 'value', 'amount', { line: 5 })).toMatchInlineSnapshot(`
    "count.ts:5 get amount() { return this.#value; }
    count.ts:6 set amount(value) { this.#value = value; }
    test.ts:3 count.amount += 2;
    test.ts:5 ensure(count.amount === 2 && Count.isOne(count));"
  `);
});

test('shorthand properties and destructuring', async () => {
  const project = world.project('shorthand', {
    'user.ts': lines(
      'export interface User { name: string; tags: { first: string } }',
      'export function user(name: string): User {',
      '  const first = name;',
      '  return { name, tags: { first } };',
      '}',
      "export const hello = ({ name, tags: { first = 'x' } }: User) => name + first;",
    ),
    'test.ts': ensuring(
      "import { hello, user } from './user';",
      "const { name: called, ...rest } = user('a');",
      'let name;',
      "({ name } = user('b'));",
      "hello(user('c')) === 'cc' && called + name === 'ab' && rest.tags.first === 'a'",
    ),
  });
  expect(await project.symbol('user.ts', 'name', 'title', { line: 1 })).toMatchInlineSnapshot(`
    "test.ts:2 const { title: called, ...rest } = user('a');
    test.ts:4 ({ title: name } = user('b'));
    user.ts:1 export interface User { title: string; tags: { first: string } }
    user.ts:4 return { title: name, tags: { first } };
    user.ts:6 export const hello = ({ title: name, tags: { first = 'x' } }: User) => name + first;"
  `);
  expect(await project.symbol('user.ts', 'name', 'title', { line: 2 })).toMatchInlineSnapshot(`
    "user.ts:2 export function user(title: string): User {
    user.ts:3 const first = title;
    user.ts:4 return { name: title, tags: { first } };"
  `);
  expect(
    await project.symbol('user.ts', 'first', 'one', { kind: 'variable', line: 3 }),
  ).toMatchInlineSnapshot(`
      "user.ts:3 const one = name;
      user.ts:4 return { name, tags: { first: one } };"
    `);
  expect(await project.symbol('user.ts', 'user', 'person')).toMatchInlineSnapshot(`
    "test.ts:1 import { hello, person } from './user';
    test.ts:2 const { name: called, ...rest } = person('a');
    test.ts:4 ({ name } = person('b'));
    test.ts:6 ensure(hello(person('c')) === 'cc' && called + name === 'ab' && rest.tags.first === 'a');
    user.ts:2 export function person(name: string): User {"
  `);
});

test('a variable that is taken out of an object is not its property', async () => {
  const project = world.project('taken-out', {
    'cart.ts': lines(
      'export class Cart {',
      '  total = 1;',
      '  twice() {',
      '    const { total } = this;',
      '    return total + total;',
      '  }',
      '}',
      'export const sum = ({ total }: Cart) => total;',
      'export function count(params: {',
      '  items: number[];',
      '}) {',
      '  const { items } = params;',
      '  return items.length;',
      '}',
    ),
    'all.ts': lines(
      "import * as cart from './cart';",
      'const { sum } = cart;',
      'export { sum as all };',
    ),
    'test.ts': ensuring(
      "import { Cart, count, sum } from './cart';",
      'sum(new Cart()) + new Cart().twice() + count({ items: [] }) === 3',
    ),
  });
  expect(await project.symbol('cart.ts', 'total', 'all', { line: 4 })).toMatchInlineSnapshot(`
    "cart.ts:4 const { total: all } = this;
    cart.ts:5 return all + all;"
  `);
  expect(await project.symbol('cart.ts', 'total', 'all', { line: 8 })).toMatchInlineSnapshot(
    `"cart.ts:8 export const sum = ({ total: all }: Cart) => all;"`,
  );
  expect(await project.symbol('all.ts', 'sum', 'whole', { line: 2 })).toMatchInlineSnapshot(`
    "all.ts:2 const { sum: whole } = cart;
    all.ts:3 export { whole as all };"
  `);
  expect(await project.symbol('cart.ts', 'items', 'all', { line: 12 })).toMatchInlineSnapshot(`
    "cart.ts:12 const { items: all } = params;
    cart.ts:13 return all.length;"
  `);
  expect(await project.symbol('cart.ts', 'items', 'all', { line: 10 })).toMatchInlineSnapshot(`
    "cart.ts:10 all: number[];
    cart.ts:12 const { all: items } = params;
    test.ts:3 ensure(sum(new Cart()) + new Cart().twice() + count({ all: [] }) === 3);"
  `);
  expect(await project.symbol('cart.ts', 'total', 'all', { line: 2 })).toMatchInlineSnapshot(`
    "cart.ts:2 all = 1;
    cart.ts:4 const { all: total } = this;
    cart.ts:8 export const sum = ({ all: total }: Cart) => total;"
  `);
});

test('parameters that are properties, and accessors', async () => {
  const project = world.project('accessors', {
    'tank.ts': lines(
      'export class Tank {',
      '  constructor(private litres: number, readonly name = String(litres)) {}',
      '  get level() { return this.litres; }',
      '  set level(litres: number) { this.litres = litres; }',
      '  accessor isOpen = false;',
      '}',
    ),
    'test.ts': ensuring(
      "import { Tank } from './tank';",
      'const tank = new Tank(1);',
      'tank.level++;',
      "tank.level === 2 && !tank.isOpen && tank.name === '1'",
    ),
  });
  expect(await project.symbol('tank.ts', 'litres', 'amount', { line: 2 })).toMatchInlineSnapshot(`
    "tank.ts:2 constructor(private amount: number, readonly name = String(amount)) {}
    tank.ts:3 get level() { return this.amount; }
    tank.ts:4 set level(litres: number) { this.amount = litres; }"
  `);
  expect(await project.symbol('tank.ts', 'level', 'height')).toMatchInlineSnapshot(`
    "tank.ts:3 get height() { return this.litres; }
    tank.ts:4 set height(litres: number) { this.litres = litres; }
    test.ts:3 tank.height++;
    test.ts:5 ensure(tank.height === 2 && !tank.isOpen && tank.name === '1');"
  `);
  expect(await project.symbol('tank.ts', 'isOpen', 'isFull')).toMatchInlineSnapshot(`
    "tank.ts:5 accessor isFull = false;
    test.ts:5 ensure(tank.level === 2 && !tank.isFull && tank.name === '1');"
  `);
});

test('keys that are strings', async () => {
  const project = world.project('string-keys', {
    'header.ts': lines(
      "export interface Header { 'accept': string; 'x-id': string }",
      "export const header: Header = { accept: 'a', 'x-id': 'b' };",
      "export type Accept = Header['accept'];",
    ),
    'test.ts': ensuring(
      "import { header } from './header';",
      "const { accept, 'x-id': id } = header;",
      "header.accept + header['accept'] === 'aa' && accept + id === 'ab'",
    ),
  });
  expect(await project.symbol('header.ts', 'accept', 'takes', { line: 1 })).toMatchInlineSnapshot(`
    "header.ts:1 export interface Header { 'takes': string; 'x-id': string }
    header.ts:2 export const header: Header = { takes: 'a', 'x-id': 'b' };
    header.ts:3 export type Accept = Header['takes'];
    test.ts:2 const { takes: accept, 'x-id': id } = header;
    test.ts:4 ensure(header.takes + header['takes'] === 'aa' && accept + id === 'ab');"
  `);
});

test('decorators', async () => {
  const project = world.project('decorators', {
    'tsconfig.json': tsconfig({ target: 'es2022', lib: ['es2022', 'decorators'] }),
    'named.ts': lines(
      'export function named(value: string) {',
      '  return (target: { title?: string }, _: ClassDecoratorContext) => { target.title = value; };',
      '}',
    ),
    'test.ts': ensuring(
      "import { named } from './named';",
      "@named('x') class Thing { static title?: string; }",
      "Thing.title === 'x'",
    ),
  });
  expect(await project.symbol('named.ts', 'named', 'titled')).toMatchInlineSnapshot(`
    "named.ts:1 export function titled(value: string) {
    test.ts:1 import { titled } from './named';
    test.ts:2 @titled('x') class Thing { static title?: string; }"
  `);
  expect(await project.symbol('test.ts', 'Thing', 'Item')).toMatchInlineSnapshot(`
    "test.ts:2 @named('x') class Item { static title?: string; }
    test.ts:4 ensure(Item.title === 'x');"
  `);
});

test('components in TSX, their properties and their names', async () => {
  const project = world.project(
    'components',
    {
      'tsconfig.json': tsconfig({ jsx: 'react', jsxFactory: 'h', jsxFragmentFactory: 'Fragment' }),
      'h.ts': lines(
        'export const Fragment = (properties: object) => JSON.stringify(properties);',
        'export function h(tag: string | ((properties: never) => string), properties: object | null, ...inner: string[]): string {',
        "  if (typeof tag === 'function') return tag({ ...properties } as never) + inner.join();",
        "  return `<${tag}>${inner.join('')}</${tag}>`;",
        '}',
        'export declare namespace h.JSX {',
        '  type Element = string;',
        '  interface IntrinsicElements { b: {} }',
        '  interface ElementChildrenAttribute { inner: {} }',
        '}',
      ),
      'button.tsx': lines(
        "import { h } from './h';",
        'export function Button({ label }: { label: string }) { return <b>{label}</b>; }',
        'export const Bar = { Item: Button };',
      ),
      'test.tsx': ensuring(
        "import { Bar, Button } from './button';",
        "import { h } from './h';",
        "const label = 'x';",
        'const both = <b><Button label="x"></Button><Bar.Item label={label} /></b>;',
        "both === '<b><b>x</b><b>x</b></b>'",
      ),
    },
    { tests: 'test.tsx' },
  );
  expect(await project.symbol('button.tsx', 'Button', 'PushButton')).toMatchInlineSnapshot(`
    "button.tsx:2 export function PushButton({ label }: { label: string }) { return <b>{label}</b>; }
    button.tsx:3 export const Bar = { Item: PushButton };
    test.tsx:1 import { Bar, PushButton } from './button';
    test.tsx:4 const both = <b><PushButton label="x"></PushButton><Bar.Item label={label} /></b>;"
  `);
  expect(
    await project.symbol('button.tsx', 'label', 'caption', { kind: 'property' }),
  ).toMatchInlineSnapshot(`
    "button.tsx:2 export function Button({ caption: label }: { caption: string }) { return <b>{label}</b>; }
    test.tsx:4 const both = <b><Button caption="x"></Button><Bar.Item caption={label} /></b>;"
  `);
  expect(await project.symbol('button.tsx', 'Item', 'Entry')).toMatchInlineSnapshot(`
    "button.tsx:3 export const Bar = { Entry: Button };
    test.tsx:4 const both = <b><Button label="x"></Button><Bar.Entry label={label} /></b>;"
  `);
  expect(await project.move('button.tsx', 'ui/push-button.tsx')).toMatchInlineSnapshot(`
    "button.tsx → ui/push-button.tsx
    test.tsx:1 import { Bar, Button } from './ui/push-button';
    ui/push-button.tsx:1 import { h } from '../h';"
  `);
});
