import { expect, test } from 'vitest';
import { readArguments } from '../parts-under-test.ts';

function read(given: unknown) {
  const problems: string[] = [];
  const read = readArguments(given, (message) => problems.push(message));
  return { read, problems };
}

const plain = { description: '', required: false, values: [] };

test('names alone, or all about an argument', () => {
  const full = {
    ...{ name: 'depth', description: 'How deep', required: true, values: [1, 'two', {}, null] },
  };
  expect(read(['file', full])).toEqual({
    read: [
      { name: 'file', ...plain },
      { name: 'depth', description: 'How deep', required: true, values: ['1', 'two'] },
    ],
    problems: [],
  });
  expect(read('file, depth').read).toEqual([
    { name: 'file', ...plain },
    { name: 'depth', ...plain },
  ]);
  expect(read({ name: 'file' }).read).toEqual([{ name: 'file', ...plain }]);
});

test.each([
  ['x', 'x'],
  [7, '7'],
  [false, 'false'],
  ['', ''],
])('with a default of %j it is not required', (given, text) => {
  const [argument] = read([{ name: 'a', required: true, default: given }]).read;
  expect(argument).toEqual({ name: 'a', ...plain, default: text });
});

test.each([null, undefined, { a: 1 }, ['a']])('%j is no default', (given) => {
  const [argument] = read([{ name: 'a', required: true, default: given }]).read;
  expect(argument).toEqual({ name: 'a', ...plain, required: true });
});

test.each([
  ...[7, true, null, [], ['a'], {}, { name: 7 }, { name: ['a'] }, '', 'a b', '1a', 'a.b'],
  ...['__proto__', 'ä', 'a'.repeat(65), { name: '{{a}}' }],
])('%j is no argument, and told', (item) => {
  const { read: found, problems } = read([item, 'good']);
  expect(found.map(({ name }) => name)).toEqual(['good']);
  expect(problems).toHaveLength(1);
});

test('the second of a name and what is too many are told', () => {
  expect(read(['a', 'a']).problems).toHaveLength(1);
  const many = read(Array.from({ length: 40 }, (_, number) => `a${number}`));
  expect(many.read).toHaveLength(32);
  expect(many.problems).toEqual(['More than 32 arguments: the rest is left out.']);
});

test.each([undefined, null, []])('%j are none', (given) => {
  expect(read(given)).toEqual({ read: [], problems: [] });
});
