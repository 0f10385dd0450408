import { BatonError } from '@baton/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseOutputs } from '../src/outputs.ts';

const FORMAT =
  'Write name=value, or for several lines name<<DELIMITER, the lines, and DELIMITER on a line of its own.';
const NAMES =
  'Begin with a letter or _, then letters, digits, _ and -, at most 64, without spaces around.';
const LARGE = 'Write large results to a file instead.';

test.each([
  ['', {}],
  ['\n\n  \n', {}],
  ['version=1.2.3', { version: '1.2.3' }],
  ['version=1.2.3\n', { version: '1.2.3' }],
  ['empty=', { empty: '' }],
  ['url=https://x/?a=b&c=d', { url: 'https://x/?a=b&c=d' }],
  ['spaces=  as they are  ', { spaces: '  as they are  ' }],
  ['not=a<<delimiter', { not: 'a<<delimiter' }],
  ['a=1\nb=2\na=3', { a: '3', b: '2' }],
  ['\ufeffa=1\r\nb=2\r\n', { a: '1', b: '2' }],
  ['notes<<EOF\none\n\ntwo=2\nEOF\nb=2', { notes: 'one\n\ntwo=2', b: '2' }],
  ['notes<<E=F\r\none\r\ntwo\r\nE=F\r\n', { notes: 'one\ntwo' }],
  ['notes<<EOF\nEOF', { notes: '' }],
  ['notes<<EOF\n EOF\nEOFX\nEOF', { notes: ' EOF\nEOFX' }],
  ['old=mac\rline', { old: 'mac\rline' }],
  ['separator=a\u2028b', { separator: 'a\u2028b' }],
  [`${'a'.repeat(64)}=1`, { ['a'.repeat(64)]: '1' }],
  [`big=${'x'.repeat(32 * 1024)}`, { big: 'x'.repeat(32 * 1024) }],
])('%j is read', (text, outputs) => {
  expect({ ...parseOutputs(text) }).toEqual(outputs);
});

test.each([
  ['a=1\nnonsense secret', 'Line 2 is neither name=value nor name<<DELIMITER.', FORMAT],
  ['a<b', 'Line 1 is neither name=value nor name<<DELIMITER.', FORMAT],
  ['=1', 'Line 1: "" is no name of an output.', NAMES],
  ['\n1a=1', 'Line 2: "1a" is no name of an output.', NAMES],
  ['a =1', 'Line 1: "a " is no name of an output.', NAMES],
  ['a\u2028b=1', 'Line 1: "a\u2028b" is no name of an output.', NAMES],
  ['a.b<<E\nE', 'Line 1: "a.b" is no name of an output.', NAMES],
  [
    `${'a'.repeat(65)}=1`,
    `Line 1: "${'a'.repeat(64)}… (1 more characters)" is no name of an output.`,
    NAMES,
  ],
  ['a<<', 'Line 1 has no delimiter after <<.', FORMAT],
  [
    'a<<E\nb=1\n E',
    'Line 1: the delimiter "E" does not follow on a line of its own.',
    'End the value with a line that is exactly the delimiter.',
  ],
  [
    'b=1\na<<E\nx\n\0\nE',
    'Line 2: the value of "a" contains a NUL character.',
    'Write text only, and binary results to a file.',
  ],
  ['a\0=1', 'Line 1: "a\\u0000" is no name of an output.', NAMES],
  [`a=${'x'.repeat(32 * 1024 + 1)}`, 'Line 1: the value of "a" is longer than 32 KiB.', LARGE],
  [`a=${'ä'.repeat(16 * 1024 + 1)}`, 'Line 1: the value of "a" is longer than 32 KiB.', LARGE],
  [`a=1\n`.repeat(64 * 1024 + 1), 'The outputs are longer than 256 KiB.', LARGE],
  ['ä'.repeat(128 * 1024 + 1), 'The outputs are longer than 256 KiB.', LARGE],
  [
    Array.from({ length: 101 }, (_, index) => `a${index}=1`).join('\n'),
    'Line 101: more than 100 outputs.',
    'Write fewer, or several in one.',
  ],
])('bad outputs %#', (text, message, next) => {
  const parse = () => parseOutputs(text);
  expect(parse).toThrow(BatonError);
  expect(parse).toThrow(expect.objectContaining({ code: 'output_invalid', message, next }));
});

test('the names of an object are names like others', () => {
  const outputs = parseOutputs('__proto__=1\nconstructor=2\na=3');
  expect(JSON.stringify(outputs)).toBe('{"__proto__":"1","constructor":"2","a":"3"}');
  expect(Object.entries({ ...outputs })).toEqual([
    ['__proto__', '1'],
    ['constructor', '2'],
    ['a', '3'],
  ]);
  expect(parseOutputs('a=1')['constructor']).toBeUndefined();
  expect(({} as Record<string, unknown>)['1']).toBeUndefined();
});

test('a hundred names, written again and again, are a hundred', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => `a${index}=1`).join('\n');
  expect(Object.keys(parseOutputs(`${hundred}\n${hundred}`))).toHaveLength(100);
});

test('what is written is read again', () => {
  const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_-]{0,8}$/);
  const value = fc.string({ unit: fc.constantFrom('x', '=', '<', '\n', ' ', 'E', '\u2028', '😀') });
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value)), fc.constantFrom('\n', '\r\n'), (pairs, end) => {
      const lines = pairs.flatMap(([key, text]) =>
        text.includes('\n') ? [`${key}<<END`, ...text.split('\n'), 'END'] : [`${key}=${text}`],
      );
      expect(Object.entries(parseOutputs(lines.join(end)))).toEqual([...new Map(pairs)]);
    }),
  );
});

test('any text is read or refused as invalid', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', '=', '<', '<<', '\n', '\r', '\0', ' ', 'E'),
  });
  fc.assert(
    fc.property(text, (written) => {
      try {
        expect(
          Object.values(parseOutputs(written)).every((value) => typeof value === 'string'),
        ).toBe(true);
      } catch (error) {
        expect(error).toMatchObject({ code: 'output_invalid' });
      }
    }),
    { numRuns: 2_000 },
  );
});
