import { expect, test } from 'vitest';
import { lines, useWorld } from './projects.ts';

const world = useWorld();

interface Collision {
  readonly files: Readonly<Record<string, string>>;
  /** What is renamed to `taken`, in `a.ts`. */
  readonly name: string;
  readonly how?: object;
  /** Where the message says that the name means something else. */
  readonly at: string;
}

const collisions: Readonly<Record<string, Collision>> = {
  'in the same scope': {
    files: { 'a.ts': lines('const one = 1;', 'const taken = 2;', 'export default one + taken;') },
    name: 'one',
    at: 'a.ts:3',
  },
  'by a parameter around a use': {
    files: {
      'a.ts': lines('export const one = 1;', 'export const f = (taken: number) => taken + one;'),
    },
    name: 'one',
    at: 'a.ts:2',
  },
  'by a local in another file': {
    files: {
      'a.ts': lines('export const one = 1;'),
      'b.ts': lines(
        "import { one } from './a';",
        'export function f() {',
        '  const taken = 2;',
        '  return one + taken;',
        '}',
      ),
    },
    name: 'one',
    at: 'b.ts:4',
  },
  'by an import in another file': {
    files: {
      'a.ts': lines('export const one = 1;'),
      'b.ts': lines(
        "import { taken } from './c';",
        "import { one } from './a';",
        'export default one + taken;',
      ),
      'c.ts': lines('export const taken = 2;'),
    },
    name: 'one',
    at: 'b.ts:',
  },
  'by another export of a barrel': {
    files: {
      'a.ts': lines('export const one = 1;'),
      'b.ts': lines("export { one } from './a';", "export { taken } from './c';"),
      'c.ts': lines('export const taken = 2;'),
    },
    name: 'one',
    at: 'b.ts:',
  },
  'a local would hide a use of what is around it': {
    files: {
      'a.ts': lines(
        'const taken = 1;',
        'export function f(one: number) {',
        '  return one + taken;',
        '}',
      ),
    },
    name: 'one',
    at: 'a.ts:3',
  },
  'a global of the library': {
    files: {
      'a.ts': lines(
        'export function f(one: number) {',
        '  return one + Number(taken);',
        '}',
        'declare const taken: string;',
      ),
    },
    name: 'one',
    at: 'a.ts:2',
  },
  'a member that the class has': {
    files: { 'a.ts': lines('export class A {', '  one = 1;', '  taken = 2;', '}') },
    name: 'one',
    at: 'a.ts:3',
  },
  'a member that a subclass has': {
    files: {
      'a.ts': lines('export class A {', '  one = 1;', '}'),
      'b.ts': lines("import { A } from './a';", 'export class B extends A {', '  taken = 2;', '}'),
    },
    name: 'one',
    at: 'b.ts:3',
  },
  'a member that a base class has': {
    files: {
      'a.ts': lines("import { B } from './b';", 'export class A extends B {', '  one = 1;', '}'),
      'b.ts': lines('export class B {', '  taken = 2;', '}'),
    },
    name: 'one',
    at: 'b.ts:2',
  },
  'a property that an interface has': {
    files: { 'a.ts': lines('export interface A {', '  one: number;', '  taken: string;', '}') },
    name: 'one',
    at: 'a.ts:3',
  },
  'a member of an enum': {
    files: { 'a.ts': lines('export enum A {', '  one,', '  taken,', '}') },
    name: 'one',
    at: 'a.ts:3',
  },
  'a type parameter': {
    files: { 'a.ts': lines('export type F<one, taken> = [one, taken];') },
    name: 'one',
    at: 'a.ts:1',
  },
  'in a pattern': {
    files: {
      'a.ts': lines('const { one, taken } = { one: 1, taken: 2 };', 'export default one + taken;'),
    },
    name: 'one',
    how: { line: 1, kind: 'variable' },
    at: 'a.ts:2',
  },
};

test.each(Object.entries(collisions))('%s', async (title, { files, name, how, at }) => {
  const project = world.project(title, files, { tests: '' });
  const before = project.contents();
  const args = { file: `${title}/a.ts`, name, newName: 'taken', ...how };
  const { code, message } = await world.server.refusal('rename_symbol', args);
  expect(code).toBe('name_collision');
  expect(message).toContain(`${title}/${at}`);
  expect(project.contents()).toEqual(before);
  // And not because it cannot be renamed at all.
  expect(await project.symbol('a.ts', name, 'free', how)).toContain('free');
});

test('a name that is taken where the symbol is not seen is free', async () => {
  const project = world.project('no collision', {
    'a.ts': lines('export const one = 1;', 'export const f = (taken: number) => taken;'),
    'b.ts': lines('export const taken = 2;', "// taken: 'taken'"),
    'test.ts': lines(
      "import { one } from './a';",
      'declare const ensure: (isRight: boolean) => void;',
      'ensure(one === 1);',
    ),
  });
  expect(await project.symbol('a.ts', 'one', 'taken')).toMatchInlineSnapshot(`
    "a.ts:1 export const taken = 1;
    test.ts:1 import { taken } from './a';
    test.ts:3 ensure(taken === 1);"
  `);
});
