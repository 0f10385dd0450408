import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GlobComparison } from '../src/globs-overlap.ts';

const overlap = (one: string, other: string) => new GlobComparison().overlap(one, other);

test.each([
  ['src/a.ts', 'src/a.ts', true],
  ['src/a.ts', 'src/b.ts', false],
  ['src/*.ts', 'src/b.ts', true],
  ['src/*.ts', 'src/b.js', false],
  ['src/*.ts', 'src/deep/b.ts', false],
  ['src/**', 'src/deep/b.ts', true],
  ['**/*.md', 'docs/a.md', true],
  ['**/*.md', 'src/**', true],
  ['src', 'src/deep/b.ts', true],
  ['src/', './src/x', true],
  ['a*c', 'ab*', true],
  ['a*c', 'b*', false],
  ['*a', 'b*', true],
  ['?.ts', 'ab.ts', false],
  ['[ab].ts', 'a.ts', true],
  ['{a,b}.ts', 'c.js', true],
  ['docs/**', 'src/**', false],
  ['**', 'anything/at/all', true],
])('%s and %s overlap: %s', (one, other, expected) => {
  expect(overlap(one, other)).toBe(expected);
  expect(overlap(other, one)).toBe(expected);
});

const segment = fc.stringMatching(/^[ab*?]{1,4}$/);
const glob = fc.array(fc.oneof(segment, fc.constant('**')), { minLength: 1, maxLength: 4 });

/** A path that a glob matches: each star is some of the letters. */
function samplesOf(parts: readonly string[], letters: string): string {
  return parts
    .flatMap((part) => (part === '**' ? [letters, letters] : [part]))
    .map((part) => part.replaceAll('*', letters).replaceAll('?', 'a'))
    .join('/');
}

test('a glob overlaps with every path that it matches', () => {
  fc.assert(
    fc.property(glob, fc.stringMatching(/^[ab]{0,3}$/), (parts, letters) => {
      const path = samplesOf(parts, letters || 'a');
      expect(overlap(parts.join('/'), path)).toBe(true);
    }),
  );
});

test('hostile globs are answered at once, and rather kept apart', () => {
  const comparison = new GlobComparison();
  const bomb = `${'*a'.repeat(100)}b`;
  for (let round = 0; round < 1000; round += 1) comparison.overlap(bomb, `${'a*'.repeat(99)}c`);
  expect(comparison.overlap('x', 'y')).toBe(true);
  expect(overlap(Array(90).fill('**').join('/'), Array(90).fill('*a').join('/'))).toBe(true);
});
