import { describe, expect, test } from 'vitest';
import { findMentions } from '../mentions-under-test.ts';

/** Each mention of `total` as `line where`. */
const inCode = (text: string, file = 'a.tsx') =>
  findMentions(text, file, ['total'], []).map(({ line, where }) => `${line} ${where}`);

describe('in code, comments and strings mention something', () => {
  test.each<[string, readonly string[]]>([
    ['total = total;', []],
    ['// total', ['1 comment']],
    ['//total', ['1 comment']],
    ['a; // total\ntotal', ['1 comment']],
    ['// a\rtotal; // total', ['2 comment']],
    ['// a\u2028total', []],
    ['/* a\r\n * total\n */ total', ['2 comment']],
    ['/** {@link total} */', ['1 comment']],
    ['/*total*/', ['1 comment']],
    ['/* a */ total /* b */', []],
    ['#!/usr/bin/env total\ntotal', ['1 comment']],
    ['\ufeff#! total', ['1 comment']],
    ["'total'", ['1 string']],
    ['"total"', ['1 string']],
    ["'a\\'total'; total", ['1 string']],
    ["'a\\\\'; total", []],
    ["'a\\\ntotal'; total", ['2 string']],
    ["'a\\\r\ntotal'", ['2 string']],
    ["'total\ntotal", ['1 string']],
    ["'// '; total", []],
    ["// ' \ntotal", []],
    ['`total`', ['1 string']],
    ['`a\n${total}\ntotal`', ['3 string']],
    ['`total${a}`', ['1 string']],
    ['`${a}total`', ['1 string']],
    ['`${total}`', []],
    ['`${{ a: `total` }}`; total', ['1 string']],
    ['`${a ? `${total}` : { b: {} }}${total}`; total', []],
    ['`\\${total}`', ['1 string']],
    ['`\\`total`; total', ['1 string']],
    ['`$total`', []],
    ['`a$` + total', []],
    ["x = /'/; total", []],
    ["x = /[/']/; total", []],
    ["x = /\\/'/; total", []],
    ['x = /`/g; total', []],
    ['x = /total/', []],
    ['x = / "/; total /* total */', ['1 comment']],
    ["return /'/.test(total)", []],
    ["f(/'/, total)", []],
    ["a.return / 'total' / b", ['1 string']],
    ["!/'/.test(total)", []],
    ["a / 'total' / b", ['1 string']],
    ["a() / 'total' / b", ['1 string']],
    ["a[0] / 'total' / b", ['1 string']],
    ["a++ / 'total' / b", ['1 string']],
    ["a! / 'total' / b", ['1 string']],
    ["1 / 'total' / b", ['1 string']],
    ["`a` / 'total' / b", ['1 string']],
    ["this.#a / 'total' / b", ['1 string']],
    ['this.#total', []],
    ["<p>Don't</p>\ntotal", []],
    ["<p>{'total'}</p>", ['1 string']],
    ["<b></b><p>{'total'}</p>", ['1 string']],
    ['<a b={c} /><a b="total" />', ['1 string']],
    ['<br /><a b="total" />', ['1 string']],
    ['<p>src/*.ts</p>\ntotal; // total', ['2 comment']],
    ['({ total: 1 })["total"]', ['1 string']],
    ['', []],
    ['`total', ['1 string']],
    ["'total\\", ['1 string']],
    ['`total\\', ['1 string']],
    ['/* total', []],
    ['x = /total', []],
  ])('%j', (text, expected) => {
    expect(inCode(text)).toEqual(expected);
  });

  test.each(['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs', 'd.ts'])('.%s', (ending) => {
    expect(inCode('total // total', `a.${ending}`)).toEqual(['1 comment']);
  });

  test.each(['a.md', 'a.json', 'a.py', 'ts', 'a.ts.snap'])('but %s is text', (file) => {
    expect(inCode("total 'total\ntotal", file)).toEqual(['1 text', '2 text']);
  });
});

describe('a mention is a whole word', () => {
  test.each<[word: string, text: string, isMention: boolean]>([
    ['total', 'total', true],
    ['total', '(total)', true],
    ['total', 'a.total()', true],
    ['total', 'sub-total', true],
    ['total', 'totals', false],
    ['total', 'subtotal', false],
    ['total', '$total', false],
    ['total', 'total$', false],
    ['total', 'étotal', false],
    ['total', 'total𝒳', false],
    ['total', '𝒳total', false],
    ['total', '😀total😀', true],
    ['total', 'totals total', true],
    ['#total', 'Money#total', true],
    ['#total', '#totals', false],
    ['src/util.ts', 'a/src/util.ts:12', true],
    ['src/util.ts', 'xsrc/util.ts', false],
    ['src/util.ts', 'src/util.tsx', false],
    ['src/util.ts', 'src/util.ts.', true],
    ['src/util.ts', 'src/util.ts.map', false],
    ['util.ts', 'my-util.ts', false],
    ['util.ts', '.util.ts', false],
    ['util.ts', 'util.ts-old', false],
    ['./util', "'./util'", true],
    ['./util', '../util', false],
    ['./util', './util.test', false],
    ['./util', './utils', false],
    ['./util', './util/a', false],
    ['./util/', './util/a', true],
    ['/util', '../util', true],
    ['/util', 'https://util', false],
    ['/util', '/util?a', true],
  ])('%s in %s: %s', (word, text, isMention) => {
    expect(findMentions(text, 'a.md', [word], []).length).toBe(isMention ? 1 : 0);
  });
});

describe('what is told of a mention', () => {
  test('the line, once', () => {
    const text = '\n  // total and total \r\n';
    expect(findMentions(text, 'a.ts', ['total', 'and'], [])).toEqual([
      { line: 2, text: '// total and total', where: 'comment' },
    ]);
  });

  test('the part of a long line around it', () => {
    const text = `${'😀 '.repeat(1_000)}total${' 😀'.repeat(1_000)}`;
    const [mention] = findMentions(text, 'a.md', ['total'], []);
    expect(mention?.text).toMatch(/^…[😀 ]+ total [😀 ]+…$/u);
    expect(mention?.text.length).toBeLessThanOrEqual(122);
  });

  test('nothing of what is edited', () => {
    const range = (start: number, end: number) => ({
      start: { line: 0, character: start },
      end: { line: 0, character: end },
    });
    const isFound = (...except: ReturnType<typeof range>[]) =>
      findMentions('a total b', 'a.md', ['total'], except).length === 1;
    expect(isFound(range(2, 7))).toBe(false);
    expect(isFound(range(0, 20))).toBe(false);
    expect(isFound(range(0, 9), range(0, 1))).toBe(false);
    expect(isFound(range(0, 2), range(7, 9))).toBe(true);
    expect(findMentions('total total', 'a.md', ['total'], [range(0, 5)])).toHaveLength(1);
  });

  test('nothing of words that are none', () => {
    expect(findMentions('a', 'a.md', [''], [])).toEqual([]);
    expect(findMentions('a', 'a.md', [], [])).toEqual([]);
  });
});

describe('no input takes long', () => {
  const MANY = 200_000;
  test.each([
    ['open values in templates', '`${'],
    ['slashes and classes', '([/'],
    ['regular expressions', '(/'],
    ['open comments', '/*'],
    ['open strings', "'\n"],
    ['backslashes', '\\'],
    ['braces', '}{'],
    ['mentions', 'total '],
    ['mentions in strings', '"./total" '],
    ['nearly mentions', 'totaltotal'],
  ])('%s', (_, piece) => {
    const started = performance.now();
    const text = `${piece.repeat(MANY)} total`;
    const words = ['total', './total', 'src/total', 'totaltotal'];
    expect(() => findMentions(text, 'a.ts', words, [])).not.toThrow();
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
