import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  applyEdits,
  linesOf,
  offsetAt,
  positionAt,
  type TextEdit,
  textIn,
} from '../edits-under-test.ts';
import { anyText, naiveOffset, naivePosition, randomEdits } from './random-edits.ts';

type Place = readonly [line: number, character: number];

function edit([line, character]: Place, [endLine, endCharacter]: Place, newText: string): TextEdit {
  const start = { line, character };
  return { range: { start, end: { line: endLine, character: endCharacter } }, newText };
}

describe('edits are made as language servers mean them', () => {
  test.each<[string, string, readonly TextEdit[], string]>([
    ['nothing', 'a\nb', [], 'a\nb'],
    ['an empty text', '', [edit([0, 0], [0, 0], 'a')], 'a'],
    ['a line beyond the text', 'a\n', [edit([9, 0], [9, 9], 'b')], 'a\nb'],
    ['a character beyond its line', 'a\r\nb', [edit([0, 9], [0, 9], '!')], 'a!\r\nb'],
    ['a line break of two', 'a\r\nb', [edit([0, 1], [1, 0], '')], 'ab'],
    ['a lone carriage return', 'a\rb', [edit([1, 0], [1, 1], 'c')], 'a\rc'],
    ['no line break of JavaScript', 'a\u2028b', [edit([0, 2], [0, 3], 'c')], 'a\u2028c'],
    ['UTF-16 units', '😀a', [edit([0, 2], [0, 3], 'b')], '😀b'],
    ['inserts at one place', 'ab', [edit([0, 1], [0, 1], '1'), edit([0, 1], [0, 1], '2')], 'a12b'],
    ['any order', 'ab', [edit([0, 1], [0, 2], 'B'), edit([0, 0], [0, 1], 'A')], 'AB'],
    ['neighbours', 'abc', [edit([0, 0], [0, 2], 'x'), edit([0, 2], [0, 2], 'y')], 'xyc'],
    [
      'before what is replaced',
      'ab',
      [edit([0, 0], [0, 1], 'x'), edit([0, 0], [0, 0], 'y')],
      'yxb',
    ],
  ])('%s', (_, text, edits, expected) => {
    expect(applyEdits(text, edits)).toBe(expected);
  });

  test.each<[string, readonly TextEdit[]]>([
    ['overlap', [edit([0, 0], [0, 2], ''), edit([0, 1], [0, 3], '')]],
    ['one in another', [edit([0, 0], [0, 3], ''), edit([0, 1], [0, 1], 'x')]],
    ['the same twice', [edit([0, 0], [0, 1], 'x'), edit([0, 0], [0, 1], 'x')]],
    ['backwards', [edit([0, 2], [0, 1], 'x')]],
  ])('%s is refused', (_, edits) => {
    expect(() => applyEdits('abcd', edits)).toThrow(TypeError);
  });
});

test('the same as if each edit was made alone, from the last to the first', () => {
  fc.assert(
    fc.property(randomEdits(anyText), fc.boolean(), ({ text, edits }, isBackwards) => {
      let expected = text;
      for (const { range, newText } of edits.toReversed()) {
        const after = expected.slice(naiveOffset(text, range.end));
        expected = expected.slice(0, naiveOffset(text, range.start)) + newText + after;
      }
      const places = edits.map(({ range }) => JSON.stringify(range.start));
      const mayTurn = isBackwards && new Set(places).size === places.length;
      expect(applyEdits(text, mayTurn ? edits.toReversed() : edits)).toBe(expected);
    }),
    { numRuns: 2_000 },
  );
});

test('offsets and positions lead to each other', () => {
  fc.assert(
    fc.property(anyText, fc.nat(60), fc.nat(20), (text, offset, line) => {
      const lines = linesOf(text);
      const at = Math.min(offset, text.length);
      expect(positionAt(lines, at)).toEqual(naivePosition(text, at));
      const isInBreak = text.startsWith('\r\n', at - 1) && at > 0;
      expect(offsetAt(lines, positionAt(lines, at))).toBe(isInBreak ? at - 1 : at);
      const position = { line: Math.min(line, lines.starts.length - 1), character: offset };
      expect(offsetAt(lines, position)).toBe(naiveOffset(text, position));
    }),
    { numRuns: 2_000 },
  );
});

test('the text in a range', () => {
  const range = { start: { line: 0, character: 1 }, end: { line: 1, character: 1 } };
  expect(textIn('ab\r\ncd', range)).toBe('b\r\nc');
  expect(textIn('', range)).toBe('');
});

test('many edits on many lines take no time', () => {
  const count = 100_000;
  const edits = Array.from({ length: count }, (_, line) => edit([line, 0], [line, 1], 'yy'));
  const started = performance.now();
  expect(applyEdits('x\n'.repeat(count), edits)).toBe('yy\n'.repeat(count));
  expect(performance.now() - started).toBeLessThan(5_000);
});
