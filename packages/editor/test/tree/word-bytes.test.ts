import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WordBytes } from '../tree-under-test.ts';

const isIn = (word: string, text: string) => new WordBytes(word).isIn(Buffer.from(text));

test.each([
  ['total', 'a total b', true],
  ['total', 'total', true],
  ['total', 'subtotal total', true],
  ['total', 'totals subtotal total_ $total', false],
  ['total', 'ätotal', false],
  ['$x', 'a$x', false],
  ['/util', 'lib/util.ts', true],
  ['/util', 'lib/utils', false],
  ['./a', '../a', true],
  ['a.ts', 'xa.ts', false],
])('%s in %j: %s', (word, text, expected) => {
  expect(isIn(word, text)).toBe(expected);
});

test('the same as an expression of words finds', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '$', ' ', '.'), maxLength: 12 });
  const word = fc.string({ unit: fc.constantFrom('a', 'b', '$'), minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(word, letters, (wanted, text) => {
      const escaped = wanted.replaceAll('$', '\\$');
      const found = new RegExp(`(?<![\\w$])${escaped}(?![\\w$])`).test(text);
      expect(isIn(wanted, text)).toBe(found);
    }),
    { numRuns: 2000 },
  );
});
