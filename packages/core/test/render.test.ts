import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeData, renderText } from '../src/render.ts';
import { escapeControls, escapeLine, hasControls, nearest, truncate } from '../src/text.ts';

const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
const data = fc.letrec<{ any: unknown; object: object }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    leaf,
    tie('object'),
    fc.array(tie('any'), { maxLength: 4 }),
  ),
  object: fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), tie('any'), { maxKeys: 5 }),
})).object;

function leaves(value: unknown): unknown[] {
  if (value === null || typeof value !== 'object') return [value];
  return Object.values(value).flatMap(leaves);
}

test('the text states every fact of the data', () => {
  fc.assert(
    fc.property(data, (value) => {
      const text = renderText(escapeData(value));
      for (const fact of leaves(escapeData(value))) {
        for (const line of String(fact ?? 'none').split('\n')) expect(text).toContain(line);
      }
    }),
  );
});

test('escaped data has no control characters and the same shape', () => {
  const nasty = fc.dictionary(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }));
  fc.assert(
    fc.property(nasty, (value) => {
      const safe = escapeData(value);
      expect(hasControls(JSON.stringify(safe))).toBe(false);
      expect(Object.keys(safe).length).toBeLessThanOrEqual(Object.keys(value).length);
    }),
  );
});

test('data that is safe already is not copied', () => {
  const value = { a: ['x', { b: 'line\nbreak\tand tab\r\n' }] };
  expect(escapeData(value)).toBe(value);
});

test('data nested without end is refused, not overflowed', () => {
  const circle: { self?: object } = {};
  circle.self = circle;
  expect(() => escapeData(circle)).toThrow(RangeError);
});

test('layout: inline where it fits, indented where not', () => {
  const text = renderText({
    list: [1, 2],
    none: [],
    empty: {},
    gone: undefined,
    nothing: null,
    long: 'two\nlines',
    rows: [
      { id: 1, tags: ['a'] },
      { id: 2, tags: [] },
    ],
  });
  expect(text).toBe(
    [
      'list: 1, 2',
      'none: none',
      'empty: none',
      'nothing: none',
      'long:',
      '  two',
      '  lines',
      'rows:',
      '  - id: 1',
      '    tags: a',
      '  - id: 2',
      '    tags: none',
    ].join('\n'),
  );
});

test('escapeControls keeps line breaks, escapeLine does not', () => {
  expect(escapeControls('a\r\nb\tc\rd\u001b')).toBe('a\r\nb\tc\\u000dd\\u001b');
  expect(escapeLine('a\r\nb\rc\td')).toBe('a\\nb\\nc\\td');
});

test('nearest finds what was meant, and nothing when nothing is close', () => {
  expect(nearest('plan_craete', ['plan_create', 'plan_list'])).toBe('plan_create');
  expect(nearest('STATUS', ['status'])).toBe('status');
  expect(nearest('xyzzy', ['status'])).toBeUndefined();
  expect(nearest('x'.repeat(1e6), ['status'])).toBeUndefined();
});

test('truncate says how much is missing', () => {
  expect(truncate('abcdef', 4)).toBe('abcd… (2 more characters)');
  expect(truncate('abcd', 4)).toBe('abcd');
});
