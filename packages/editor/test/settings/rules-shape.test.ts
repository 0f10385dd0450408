import { cites } from '@baton/e2e/requirements';
import { expect, test } from 'vitest';
import { refusalOf } from '../settings-under-test.ts';

test.each([
  '',
  ' ',
  '.',
  'editor.',
  '.editor',
  'editor..fontSize',
  ' editor.fontSize',
  'editor.fontSize ',
  'editor .fontSize',
  'editor.fontSize\n',
  'editor.fontSize\0',
  'editor.font\u200bSize',
  'editor.fontSize\u202e',
  'еditor.fontSize',
  'editor.fontSize"',
  'editor.*',
  'editor/../chat.tools',
  'editor\\.fontSize',
  '[typescript',
  'typescript]',
  '[]',
  '[a]b',
  '[a] [b]',
  '[a]editor.fontSize',
  '[[a]]',
  `editor.${'x'.repeat(200)}`,
  `[${'x'.repeat(200)}]`,
])(`${cites('T7')} %j is no key`, (key) => {
  expect(refusalOf(key, {}, [key, `${key}.*`])?.rule).toBe('invalid-key');
});

test.each([undefined, null, 7, {}, ['editor.fontSize']])('%j is no key', (key) => {
  expect(refusalOf(key as unknown as string, 1)?.rule).toBe('invalid-key');
});

test.each([
  '__proto__',
  'constructor',
  'prototype',
  'editor.__proto__',
  'editor.__proto__.fontSize',
  'constructor.prototype.polluted',
  'editor.Constructor',
  '[__proto__]',
  '[typescript][constructor]',
])(`${cites('T28')} %s is refused as key`, (key) => {
  expect(refusalOf(key, true, [key])?.rule).toBe('prototype');
});

test.each([
  ['files.exclude', '{"__proto__": {"polluted": true}}'],
  ['files.exclude', '{"a": {"constructor": {"prototype": {"polluted": true}}}}'],
  ['workbench.colorCustomizations', '{"a": [{"prototype": 1}]}'],
  ['[typescript]', '{"__proto__": {"editor.tabSize": 2}}'],
  ['[typescript]', '{"editor.__proto__.x": 2}'],
])(`${cites('T28')} %s is refused with %s`, (key, json) => {
  expect(refusalOf(key, JSON.parse(json))?.rule).toBe('prototype');
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

function deep(levels: number): unknown {
  let value: unknown = 0;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

function cyclic(): unknown {
  const value: Record<string, unknown> = {};
  value['a'] = value;
  return value;
}

const WIDE = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`a${index}`, 0]));

test.each([
  ['not a number', Number.NaN],
  ['not finite', Number.POSITIVE_INFINITY],
  ['a function', () => 1],
  ['a symbol', Symbol('a')],
  ['a big integer', 1n],
  ['a date', new Date(0)],
  ['a map', new Map()],
  ['nothing in a list', [undefined]],
  ['a list with holes', new Array(3)],
  ['a list of a billion holes', new Array(1e9)],
  ['nothing in an object', { a: undefined }],
  ['what writes itself', { toJSON: () => 1 }],
  ['a circle', cyclic()],
  ['200,000 levels', deep(200_000)],
  ['20,000 names', WIDE],
  ['20,000 values', new Array(20_000).fill(0)],
  ['a long text', 'x'.repeat(100_001)],
])(`${cites('T7')} %s is no value, whatever the key`, (_, value) => {
  for (const key of ['files.exclude', 'editor.rulers', 'editor.formatOnSave', '[typescript]']) {
    expect(refusalOf(key, value)?.rule).toBe('invalid-value');
  }
  expect(refusalOf('prettier.x', value, ['prettier.*'])?.rule).toBe('invalid-value');
});

test.each([1, 'x', true, null, [], [{ 'editor.tabSize': 2 }]])(
  'a block for a language is an object, not %j',
  (value) => {
    expect(refusalOf('[typescript]', value)?.rule).toBe('invalid-value');
  },
);

test('there are no blocks in a block', () => {
  const value = { '[javascript]': { 'editor.tabSize': 2 } };
  expect(refusalOf('[typescript]', value)).toMatchObject({
    rule: 'invalid-key',
    key: '[javascript]',
  });
});
