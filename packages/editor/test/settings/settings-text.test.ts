import { BatonError } from '@baton/core';
import { cites } from '@baton/e2e/requirements';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readSetting, writeSetting } from '../settings-under-test.ts';
import { anyKey, anyText, anyValue } from './texts.ts';

const RUNS = { numRuns: 1000 };

describe('what is written', () => {
  test('is read again', () => {
    fc.assert(
      fc.property(anyText, anyKey, anyValue, (text, key, value) => {
        expect(readSetting(writeSetting(text, key, value), key)).toEqual(value);
      }),
      RUNS,
    );
  });

  test('is not there any more when it is removed', () => {
    fc.assert(
      fc.property(anyText, anyKey, (text, key) => {
        expect(readSetting(writeSetting(text, key, undefined), key)).toBeUndefined();
      }),
      RUNS,
    );
  });

  test('and was not there gives the same bytes when it is removed', () => {
    fc.assert(
      fc.property(anyText, anyKey, anyValue, (text, key, value) => {
        fc.pre(readSetting(text, key) === undefined);
        expect(writeSetting(writeSetting(text, key, value), key, undefined)).toBe(text);
      }),
      RUNS,
    );
  });

  test('and was there already changes no byte', () => {
    fc.assert(
      fc.property(anyText, anyKey, anyValue, (text, key, value) => {
        const written = writeSetting(text, key, value);
        expect(writeSetting(written, key, value)).toBe(written);
        const present = readSetting(text, key);
        expect(writeSetting(text, key, present)).toBe(text);
      }),
      RUNS,
    );
  });

  test('changes nothing else', () => {
    fc.assert(
      fc.property(anyText, anyKey, anyKey, fc.option(anyValue), (text, key, other, value) => {
        fc.pre(key !== other);
        const written = writeSetting(text, key, value ?? undefined);
        expect(readSetting(written, other)).toEqual(readSetting(text, other));
        // What stands between its key and its value goes with it.
        const isRemoval = value === null && readSetting(text, key) !== undefined;
        if (!isRemoval) expect(commentsIn(written)).toBe(commentsIn(text));
      }),
      RUNS,
    );
  });

  test('instead of another value replaces that value only', () => {
    fc.assert(
      fc.property(anyText, anyKey, anyValue, anyValue, (text, key, one, other) => {
        const before = writeSetting(text, key, one);
        const after = writeSetting(before, key, other);
        const back = writeSetting(after, key, one);
        expect(readSetting(back, key)).toEqual(one);
        expect(writeSetting(back, key, undefined)).toBe(writeSetting(before, key, undefined));
      }),
      RUNS,
    );
  });
});

/** Comments of the generated texts hold these letters, and nothing else does. */
function commentsIn(text: string): number {
  return text.split('// c').length + text.split('/* c */').length + text.split('/* }').length;
}

test.each<[string, string, string, unknown, string]>([
  ['an empty file', '', 'a', 1, '{\n    "a": 1\n}\n'],
  ['a mark and nothing else', '\ufeff', 'a', 1, '\ufeff{\n    "a": 1\n}\n'],
  ['nothing but a comment', '// c', 'a', 1, '// c\n{\n    "a": 1\n}\n'],
  ['nothing but a line', '// c\r\n', 'a', 1, '// c\r\n{\r\n    "a": 1\r\n}\r\n'],
  ['braces', '{}', 'a', [1, 2], '{"a": [1,2]}'],
  ['braces with a blank', '{ }\n', 'a', 1, '{ "a": 1 }\n'],
  ['braces on two lines', '{\n}', 'a', 1, '{\n    "a": 1\n}'],
  ['one line', '{ "a": 1 }', 'b', {}, '{ "a": 1, "b": {} }'],
  [
    'spaces',
    '{\n  "a": 1\n}\n',
    'b',
    { c: [1] },
    '{\n  "a": 1,\n  "b": {\n    "c": [\n      1\n    ]\n  }\n}\n',
  ],
  ['tabs', '{\n\t"a": 1\n}', 'b', [1], '{\n\t"a": 1,\n\t"b": [\n\t\t1\n\t]\n}'],
  [
    'CRLF',
    '{\r\n  "a": 1\r\n}\r\n',
    'b',
    [1],
    '{\r\n  "a": 1,\r\n  "b": [\r\n    1\r\n  ]\r\n}\r\n',
  ],
  ['a last comma', '{\n  "a": 1,\n}', 'b', 2, '{\n  "a": 1,\n  "b": 2,\n}'],
  [
    'comments',
    '{\n  "a": 1 // a\n  // end  \n}',
    'b',
    2,
    '{\n  "a": 1, // a\n  // end  \n  "b": 2\n}',
  ],
  ['a comment in braces', '{ // c\n}', 'b', 2, '{ // c\n    "b": 2\n}'],
  [
    'the value',
    '{\n  /* x */ "a" : 1 , // y\n "b":2}',
    'a',
    'z',
    '{\n  /* x */ "a" : "z" , // y\n "b":2}',
  ],
  ['the last of two', '{"a": 1, "a": 2}', 'a', 3, '{"a": 1, "a": 3}'],
  ['the first of two, to the same', '{"a": 1, "a": 2}', 'a', 1, '{"a": 1, "a": 1}'],
  ['an escaped key', '{"\\u0061": 1}', 'a', 2, '{"\\u0061": 2}'],
])('with %s, only the value is put in', (_, text, key, value, expected) => {
  expect(writeSetting(text, key, value)).toBe(expected);
});

test.each<[string, string, string]>([
  ['the first', '{\n  "k": 1,\n  "b": 2\n}', '{\n  "b": 2\n}'],
  ['the last', '{\n  "a": 1, // a\n  "k": 2 // k\n}', '{\n  "a": 1 // a\n   // k\n}'],
  ['one in the middle', '{ "a": 1, "k": 2, "b": 3 }', '{ "a": 1, "b": 3 }'],
  ['the only one', '{\n  "k": 1\n}\n', '{\n}\n'],
  ['one with a last comma', '{"a": 1, "k": 2,}', '{"a": 1,}'],
  ['all that are there', '{"k": 1, "a": 2, "k": 3, "k": 4}', '{ "a": 2  }'],
  ['two behind a comment', '{// c\n"k": 1,\n"k": 2}', '{// c\n\n}'],
  ['behind a comment', '{\n// c\n"k": 1, "b": 2}', '{\n// c\n "b": 2}'],
  [
    'behind a comment and before one',
    '{// c\n"k": 1/* d\n*/,\n"b": 2}',
    '{// c\n/* d\n*/\n"b": 2}',
  ],
  ['one that is not there', '{"a": {"k": 1}, }', '{"a": {"k": 1}, }'],
  ['one in nothing', '\ufeff  // c', '\ufeff  // c'],
])('%s is removed', (_, text, expected) => {
  expect(writeSetting(text, 'k', undefined)).toBe(expected);
});

test.each<[string, string, unknown]>([
  ['', 'a', undefined],
  ['  \r\n', 'a', undefined],
  ['// c', 'a', undefined],
  ['\ufeff{"a": 1}', 'a', 1],
  ['{"a": 1, "a": {"b": [1,],},}', 'a', { b: [1] }],
  ['{"a.b": 1}', 'a.b', 1],
  ['{"a": {"b": 1}}', 'a.b', undefined],
  ['{"[ts]": {"editor.tabSize": 2}}', '[ts]', { 'editor.tabSize': 2 }],
  ['{"[ts]": {"editor.tabSize": 2}}', 'editor.tabSize', undefined],
  ['{"a": null}', 'a', null],
  ['{}', 'toString', undefined],
])('in %j, %s is %j', (text, key, value) => {
  expect(readSetting(text, key)).toEqual(value);
});

test(`${cites('T28')} __proto__ in a file is a name like others`, () => {
  const text = '{"__proto__": {"polluted": 1}, "a": {"__proto__": {"polluted": 2}}}';
  expect(readSetting(text, 'polluted')).toBeUndefined();
  expect(readSetting('{}', '__proto__')).toBeUndefined();
  expect(JSON.stringify(readSetting(text, 'a'))).toBe('{"__proto__":{"polluted":2}}');
  expect(JSON.stringify(readSetting(text, '__proto__'))).toBe('{"polluted":1}');
  writeSetting('{}', '__proto__', { polluted: true });
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test.each<[string, number, number]>([
  ['{\n  "a" 1\n}', 2, 7],
  ['{\r\n  "a": \r\n}', 3, 1],
  ['\ufeff{"a": 1', 1, 8],
  ['{"a": 1 "b": 2}', 1, 9],
  ['{a: 1}', 1, 2],
  ["{'a': 1}", 1, 2],
  ['{"a": 1,,}', 1, 9],
  ['{"a": 01}', 1, 8],
  ['{"a": "\t"}', 1, 7],
  ['{"a": "x\n"}', 1, 7],
  ['{"a": "\\x"}', 1, 7],
  ['{} {}', 1, 4],
  ['{} /* c', 1, 4],
  ['\n[1]', 2, 1],
  ['null', 1, 1],
  ['"text"', 1, 1],
  ['<html>', 1, 1],
])('%j is refused by line and column', (text, line, column) => {
  const message = expect.stringContaining(`line ${line}, column ${column}: `);
  for (const attempt of [
    () => readSetting(text, 'a'),
    () => writeSetting(text, 'a', 1),
    () => writeSetting(text, 'a', undefined),
  ]) {
    expect(attempt).toThrow(BatonError);
    expect(attempt).toThrow(expect.objectContaining({ code: 'settings_unreadable', message }));
  }
});

test.each([
  '['.repeat(200_000),
  `{"a": ${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
  '{"a":'.repeat(200_000),
  `{"a": ${'[{"b":'.repeat(100)}`,
])('a file with brackets in brackets is refused', (text) => {
  const message = expect.stringContaining('nested more than 100 levels');
  expect(() => readSetting(text, 'a')).toThrow(expect.objectContaining({ message }));
});

test('a file with many settings of one name takes no time out of proportion', () => {
  const text = `{${'"a": 1, /* c */\n'.repeat(100_000)}"b": 2}`;
  const begun = performance.now();
  expect(readSetting(writeSetting(text, 'a', undefined), 'b')).toBe(2);
  expect(readSetting(writeSetting(text, 'c', 3), 'c')).toBe(3);
  expect(performance.now() - begun).toBeLessThan(10_000);
});
