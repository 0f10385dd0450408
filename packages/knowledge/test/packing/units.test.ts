import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assemble, sectionsOf, wordEnd } from '../parts-under-test.ts';
import { collection } from '../random-collections.ts';

const collapsed = (text: string) =>
  text
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

test('all sections together are the text', () => {
  const text = collection.map((files) => String(Object.values(files)[0]).replaceAll('\r\n', '\n'));
  fc.assert(
    fc.property(text, (whole) => {
      const assembled = assemble(whole, sectionsOf(whole));
      // What the text itself leaves open is closed.
      const ways = [assembled, assembled.replace(/\n```$/, '')].map(collapsed);
      expect(ways).toContain(collapsed(whole));
    }),
    { seed: 80_000, numRuns: 100 },
  );
});

test('what is missing is marked once, wherever it is', () => {
  const text = '# A\n\na\n\n# B\n\nb\n\n# C\n\nc\n\n# D\n\nd\n';
  const [a, b, c, d] = sectionsOf(text);
  const put = (...units: (typeof a)[]) =>
    assemble(
      text,
      units.flatMap((unit) => unit ?? []),
    );
  expect(put(c, b)).toBe('[…]\n\n# B\n\nb\n\n# C\n\nc\n\n[…]');
  expect(put(d, a)).toBe('# A\n\na\n\n[…]\n\n# D\n\nd');
  expect(put(a, b)).toBe('# A\n\na\n\n# B\n\nb\n\n[…]');
});

test('lines keep their indent, and neighbours their distance', () => {
  const text = '    code\n\nText.\n## Heading\nMore.\n';
  expect(assemble(text, sectionsOf(text))).toBe('    code\n\nText.\n## Heading\nMore.');
});

test.each([
  ['one two three', 5, 3],
  ['one two three', 7, 7],
  ['one two three', 8, 7],
  ['one  two', 5, 3],
  ['one', 10, 3],
  ['a\u{1f600}', 2, 1],
])('%j is cut before %i at %i', (text, length, end) => {
  expect(wordEnd(text, length)).toBe(end);
});
