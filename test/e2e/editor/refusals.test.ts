import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cites } from '../requirements.ts';
import { type Contents, contentsOf } from './contents.ts';
import { lines, tsconfig, useWorld } from './projects.ts';

const world = useWorld();
let before: Contents;

beforeEach(() => {
  const { workspace } = world;
  const files = {
    'tsconfig.json': tsconfig(),
    'shop.ts': lines(
      'export class Cart {',
      '  total = 0;',
      '  add(total: number) { this.total += total; return total; }',
      '}',
      'export class Order { total = 1; }',
      'export function total(cart: Cart) { return cart.total; }',
      'export const sum = (cart: Cart) => total(cart);',
    ),
    'use.ts': lines(
      "import { sum, total } from './shop';",
      "import { readThing } from 'thing';",
      'const price = 1;',
      'export function use(amount: number) {',
      '  const whole = total({ total: 1, add: (x) => x });',
      '  return whole + amount + sum({ total: price, add: Math.abs });',
      '}',
      "export const found = [readThing('x'), new Map().size, parseInt('1')];",
    ),
    'node_modules/thing/package.json': '{ "name": "thing", "types": "index.d.ts" }',
    'node_modules/thing/index.d.ts': lines('export function readThing(name: string): number;'),
    'notes.txt': 'total\n',
    'query.sql': 'SELECT total;\n',
    'folder/inside.ts': lines('export const inside = 1;'),
  };
  for (const [file, text] of Object.entries(files)) workspace.write(file, text);
  before = contentsOf(workspace.path);
});

afterEach(() => expect(contentsOf(world.workspace.path)).toEqual(before));

const symbol = (args: object) =>
  world.server.refusal('rename_symbol', { newName: 'fresh', ...args });
const file = (from: string, to: string) => world.server.refusal('rename_file', { from, to });

test(`${cites('002-P8')} an ambiguous name lists what it could be; line, kind and container choose`, async () => {
  const { code, next } = await symbol({ file: 'shop.ts', name: 'total' });
  expect(code).toBe('symbol_ambiguous');
  expect(next).toMatchInlineSnapshot(
    `"Say which one, by line, kind or container: property in Cart at shop.ts:2; property in Order at shop.ts:5; function at shop.ts:6; parameter in Cart.add at shop.ts:3."`,
  );
  const chosen = async (how: object) => {
    const args = { file: 'shop.ts', name: 'total', newName: 'fresh', dryRun: true, ...how };
    const { symbol: found } = await world.server.call('rename_symbol', args);
    return `${found.kind} ${found.container} ${found.line}`;
  };
  expect(await chosen({ line: 2 })).toBe('property Cart 2');
  expect(await chosen({ line: 5 })).toBe('property Order 5');
  expect(await chosen({ kind: 'function' })).toBe('function  6');
  expect(await chosen({ kind: 'parameter' })).toBe('parameter Cart.add 3');
  expect(await chosen({ container: 'Order' })).toBe('property Order 5');
  expect(await chosen({ kind: 'property', container: 'Cart' })).toBe('property Cart 2');
  // What a line declares is meant rather than what it uses.
  expect(await chosen({ line: 3 })).toBe('parameter Cart.add 3');
  expect(await symbol({ file: 'shop.ts', name: 'total', line: 1 })).toMatchObject({
    code: 'symbol_not_found',
    next: expect.stringContaining('shop.ts:6'),
  });
});

test('two symbols of one name that are declared in one line', async () => {
  const { workspace } = world;
  workspace.write(
    'key.ts',
    lines('export type Key<N> = N extends Map<infer Key, 1> ? Key : never;'),
  );
  const args = { file: 'key.ts', name: 'Key', line: 1 };
  expect(await symbol(args)).toMatchObject({
    code: 'symbol_ambiguous',
    next: expect.stringMatching(/type parameter .*key.ts:1/),
  });
  const renamed = { ...args, newName: 'fresh', dryRun: true, kind: 'type parameter' };
  expect((await world.server.call('rename_symbol', renamed)).edits).toBe(2);
  workspace.remove('key.ts');
});

test(`${cites('002-P8')} an unknown symbol: the nearest one is named`, async () => {
  expect(await symbol({ file: 'shop.ts', name: 'totl' })).toMatchObject({
    code: 'symbol_not_found',
    next: 'Did you mean total?',
  });
  expect(await symbol({ file: 'shop.ts', name: 'zebra' })).toMatchObject({
    code: 'symbol_not_found',
  });
});

test.each([
  ['1x', 'is no identifier'],
  ['a b', 'is no identifier'],
  ['a-b', 'is no identifier'],
  ['a.b', 'is no identifier'],
  ['a;', 'is no identifier'],
  ['a\u202e', 'is no identifier'],
  ['"a"', 'is no identifier'],
  ['class', 'is a reserved word'],
  ['await', 'is a reserved word'],
  ['null', 'is a reserved word'],
  ['#total', 'would change whether it is private'],
  ['sum', 'is the name that it has'],
])('%j is no name for a symbol', async (newName, why) => {
  expect(await symbol({ file: 'shop.ts', name: 'sum', newName })).toMatchObject({
    code: 'bad_name',
    message: expect.stringContaining(why),
  });
});

test.each([
  ['of an installed package', 'readThing'],
  ['of the standard library', 'Map'],
  ['of the standard library, as a member', 'abs'],
  ['of the standard library, as a function', 'parseInt'],
])('a symbol %s stays as it is', async (_, name) => {
  const { code } = await symbol({ file: 'use.ts', name });
  expect(['cannot_rename', 'outside_workspace']).toContain(code);
});

test('what has a name that nobody has given it', async () => {
  const { workspace } = world;
  workspace.write('self.ts', lines('export function self(this: number) {', '  return this;', '}'));
  expect(await symbol({ file: 'self.ts', name: 'this', line: 1 })).toMatchObject({
    code: 'bad_name',
    message: expect.stringContaining('"this" is a word'),
  });
  workspace.remove('self.ts');
});

test('a file for which there is no language server', async () => {
  for (const name of ['notes.txt', 'query.sql'])
    expect(await symbol({ file: name, name: 'total' })).toMatchObject({
      code: 'no_language_server',
    });
  expect(await world.server.refusal('organize_imports', { files: ['notes.txt'] })).toMatchObject({
    code: 'no_language_server',
  });
});

test(`${cites('002-P8')} paths that are taken, missing, elsewhere or nonsense`, async () => {
  const { workspace } = world;
  expect(await file('shop.ts', 'use.ts')).toMatchObject({ code: 'target_exists' });
  expect(await file('shop.ts', 'folder')).toMatchObject({ code: 'target_exists' });
  expect(await file('folder', 'use.ts')).toMatchObject({ code: 'target_exists' });
  expect(await file('shop.ts', 'shop.ts')).toMatchObject({ code: 'bad_name' });
  expect(await file('shop.ts', './folder/../shop.ts')).toMatchObject({ code: 'bad_name' });
  expect(await file('folder', 'folder/deeper')).toMatchObject({ code: 'bad_name' });
  expect(await file('missing.ts', 'other.ts')).toMatchObject({ code: 'file_unusable' });
  expect(await file('shop.ts', '../shop.ts')).toMatchObject({ code: 'outside_workspace' });
  expect(await file('../shop.ts', 'x.ts')).toMatchObject({ code: 'outside_workspace' });
  expect(await file('node_modules/thing/index.d.ts', 'x.d.ts')).toMatchObject({
    code: 'outside_workspace',
  });
  expect(await file('shop.ts', '.git/hooks/shop.ts')).toMatchObject({ code: 'protected_place' });
  expect(await symbol({ file: 'folder', name: 'x' })).toMatchObject({ code: 'file_unusable' });
  expect(await symbol({ file: workspace.home, name: 'x' })).toMatchObject({
    code: 'outside_workspace',
  });
  expect(await file('.', 'elsewhere')).toMatchObject({ code: 'outside_workspace' });
});

test('arguments that are missing, or of another type', async () => {
  for (const args of [
    {},
    { file: 'shop.ts' },
    { file: 'shop.ts', name: 'sum' },
    { file: 'shop.ts', name: 'sum', newName: 'x', line: 0 },
    { file: 'shop.ts', name: 'sum', newName: 'x', line: 'two' },
    { file: 'shop.ts', name: 'sum', newName: 'x', dryRun: 'yes' },
    { file: ['shop.ts'], name: 'sum', newName: 'x' },
  ])
    expect(await world.server.refusal('rename_symbol', args)).toMatchObject({
      code: 'invalid_input',
    });
  expect(await world.server.refusal('rename_file', { from: 'shop.ts' })).toMatchObject({
    code: 'invalid_input',
  });
  expect(await world.server.refusal('rename_file', { undo: 'no such id' })).toMatchObject({
    code: expect.stringMatching(/undo|unknown|bad/),
  });
});

test('a pipe, and a file that is too large', async () => {
  const { workspace } = world;
  expect(spawnSync('mkfifo', [workspace.file('pipe.ts')]).status).toBe(0);
  expect(await file('pipe.ts', 'other.ts')).toMatchObject({ code: 'file_unusable' });
  expect(await symbol({ file: 'pipe.ts', name: 'x' })).toMatchObject({ code: 'file_unusable' });
  workspace.remove('pipe.ts');
});
