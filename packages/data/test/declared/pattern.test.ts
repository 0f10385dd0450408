import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compilePattern } from '../declared-under-test.ts';

function matches(source: string, text: string): boolean {
  const pattern = compilePattern(source);
  if ('refused' in pattern) throw new Error(`${source}: ${pattern.refused}`);
  return pattern.matches(text);
}

const { pattern: patterns } = fc.letrec<{ pattern: string; atom: string }>((tie) => ({
  atom: fc.oneof(
    fc.constantFrom('a', 'b', 'é', '.', '\\d', '\\w', '[ab]', '[^a]', '[a-c\\]]', '\\.', '\\n'),
    fc.constantFrom('^', '$', '\\b', '\\B', '\\u0061', '\\x62', '\\p{L}', '😀', '[😀-😂]'),
    tie('pattern').map((inner) => `(${inner})`),
    fc.tuple(fc.constantFrom('?:', '?<name>'), tie('pattern')).map(([start, inner]) => {
      // A name may be there once.
      return `(${start}${inner.replaceAll('?<name>', '')})`;
    }),
  ),
  pattern: fc.oneof(
    { maxDepth: 4 },
    tie('atom'),
    tie('atom').map((atom) => (/^[\^$]$|^\\[bB]$/.test(atom) ? atom : `${atom}*`)),
    fc
      .tuple(tie('atom'), fc.constantFrom('+', '?', '{2}', '{1,}', '{0,2}', '*?', '+?', '{1,3}?'))
      .map(([atom, count]) => (/^[\^$]$|^\\[bB]$/.test(atom) ? atom : `${atom}${count}`)),
    fc.tuple(tie('pattern'), tie('pattern')).map((parts) => parts.join('')),
    fc.tuple(tie('pattern'), tie('pattern')).map((parts) => parts.join('|')),
  ),
}));

test('a pattern matches what the language matches', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', 'é', '1', ' ', '\n', '😀'),
    maxLength: 8,
  });
  let compared = 0;
  fc.assert(
    fc.property(patterns, text, (source, given) => {
      const isOnce = source.split('?<name>').length < 3;
      // The language finds a place that is no boundary in the middle of a character of two units.
      const isOdd = source.includes('\\B') && given.includes('😀');
      fc.pre(isOnce && source.length < 200 && !isOdd);
      compared += 1;
      expect(matches(source, given), source).toBe(new RegExp(source, 'u').test(given));
    }),
    { numRuns: 3000 },
  );
  expect(compared).toBeGreaterThan(1000);
});

test.each([
  ['^(a+)+$', `${'a'.repeat(4000)}b`, false],
  ['^(a|a)*$', `${'a'.repeat(4000)}b`, false],
  ['(.*)*(.*)*(.*)*x$', 'y'.repeat(4000), false],
  ['^([a-z0-9]+(-[a-z0-9]+)*)$', `${'a-'.repeat(2000)}-`, false],
  ['^(a?){300}a{300}$', 'a'.repeat(300), true],
])('%s needs no time for what takes the language for ever', (source, text, expected) => {
  expect(matches(source, text)).toBe(expected);
});

test.each([
  ['\\-x', '-x', true],
  ['a{', 'a{', true],
  ['x]', 'x]', true],
  ['', 'anything', true],
])('%j, which only older patterns allow, tests %j', (source, text, expected) => {
  expect(matches(source, text)).toBe(expected);
});

test.each([
  ['(', 'it is no regular expression'],
  ['(?<!a)b', 'it looks ahead or behind, which is not supported'],
  ['(a)\\1', 'it refers to its own groups, which is not supported'],
  ['(?<x>a)\\k<x>', 'it refers to its own groups, which is not supported'],
  ['a{1001}', 'it repeats too much'],
  ['((a{100}){100}){100}', 'it repeats too much'],
  ['((((){1000}){1000}){1000}){1000}', 'it repeats too much'],
  ['a'.repeat(1001), 'it is longer than 1000 characters'],
  ['('.repeat(60) + ')'.repeat(60), 'its groups are nested too deeply'],
])('%s is refused', (source, refused) => {
  expect(compilePattern(source)).toEqual({ refused });
});
