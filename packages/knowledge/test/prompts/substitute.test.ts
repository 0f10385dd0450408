import fc from 'fast-check';
import { expect, test } from 'vitest';
import { argumentsOf, type PieceArgument, substitute, undeclared } from '../parts-under-test.ts';

const NAMES = ['file', 'max-depth', '_x', 'constructor', 'toString'];
const declared = NAMES.map((name): PieceArgument => argument(name));

function argument(name: string, more: Partial<PieceArgument> = {}): PieceArgument {
  return { name, description: '', required: false, values: [], ...more };
}

const SIGNS = [
  '$&',
  '$1',
  '$$',
  '$`',
  "$'",
  '$<x>',
  '{{file}}',
  '{{',
  '}}',
  '{',
  '$ARGUMENTS',
  '\\',
];
const value = fc.oneof(
  fc.string(),
  fc.array(fc.constantFrom(...SIGNS, ...NAMES), { maxLength: 5 }).map((parts) => parts.join('')),
);
/** Text that holds no place for a value. */
const literal = fc
  .oneof(fc.string(), fc.constantFrom('$&', '$1', '$$', '{ {file}}', '{{file}', '{{1}}', '\n'))
  .filter((text) => !/\{\{\s*[A-Za-z_]|\{$|^[{}\w-]|\$$/.test(text));
const place = fc
  .tuple(fc.constantFrom(...NAMES), fc.constantFrom('', ' ', '\t', '\n'))
  .map(([name, blank]) => ({ name, text: `{{${blank}${name}${blank}}}` }));

test('values stand where their names stood, as they are, and nothing else changes', () => {
  const parts = fc.array(fc.oneof(literal, place), { maxLength: 12 });
  const values = fc.record(Object.fromEntries(NAMES.map((name) => [name, value])));
  fc.assert(
    fc.property(parts, values, (template, given) => {
      const body = template.map((part) => (typeof part === 'string' ? part : part.text)).join('');
      const expected = template.map((part) => (typeof part === 'string' ? part : given[part.name]));
      expect(substitute(body, declared, given)).toBe(expected.join(''));
    }),
    { seed: 80_000, numRuns: 2000 },
  );
});

test('names that nobody declared stay as they are, whatever is given', () => {
  const body = '{{other}} {{ file }} {{__proto__}} {{hasOwnProperty}} {{}} {{a b}}';
  const values = { other: 'no', file: 'yes', hasOwnProperty: 'no' };
  expect(substitute(body, [argument('file')], values)).toBe(
    '{{other}} yes {{__proto__}} {{hasOwnProperty}} {{}} {{a b}}',
  );
});

test('a default stands for what was not given, or given as nothing', () => {
  const arguments_ = [argument('a', { default: '$& {{b}}' }), argument('b')];
  expect(substitute('[{{a}}] [{{b}}]', arguments_, {})).toBe('[$& {{b}}] []');
  expect(substitute('[{{a}}] [{{b}}]', arguments_, { a: '', b: '2' })).toBe('[$& {{b}}] [2]');
});

test('values of a record without a prototype, as the protocol hands them over', () => {
  const values = Object.assign(Object.create(null), { constructor: 'x' });
  expect(substitute('{{constructor}}{{toString}}', declared, values)).toBe('x');
});

test('$ARGUMENTS is all that was given, once', () => {
  const body = 'Do $ARGUMENTS, not $ARGUMENTSX or $1.';
  const taken = argumentsOf([], body);
  expect(taken.map(({ name }) => name)).toEqual(['arguments']);
  expect(substitute(body, taken, { arguments: '$ARGUMENTS {{arguments}}' })).toBe(
    'Do $ARGUMENTS {{arguments}}, not $ARGUMENTSX or $1.',
  );
  const two = [argument('a'), argument('b', { default: 'y' })];
  expect(argumentsOf(two, body)).toBe(two);
  expect(substitute('$ARGUMENTS', two, { a: 'x' })).toBe('x y');
  expect(argumentsOf([], 'no $ARGUMENTSX')).toEqual([]);
});

test('undeclared names are told where they are first', () => {
  expect(undeclared('file {{file}} {{ other }} {{other}}', [argument('file')])).toEqual([
    { name: 'other', index: 14 },
  ]);
});
