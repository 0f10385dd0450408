import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readJsonText } from '../declared-under-test.ts';

function read(text: string) {
  const source = readJsonText(text);
  if (!('value' in source)) throw new Error(`${source.line}: ${source.message}`);
  return source;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test('any JSON is read as the language reads it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(4), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(read(text).value).toEqual(JSON.parse(text));
    }),
    { numRuns: 300 },
  );
});

test('what the language refuses is refused, and nothing else', () => {
  const part = fc.constantFrom(
    ...['{', '}', '[', ']', ',', ':', '"', '"a"', '"a":', '1', '-', '01', 'null', 'nul', '\\'],
    ...[' ', '\n', '\u00a0', '\u0001', '"\\u00', '"\\x"', 'true', '1e5', '.5', '/* */', '[1,2]'],
  );
  fc.assert(
    fc.property(part, part, part, part, fc.string(), (...parts) => {
      const text = parts.join('');
      expect('value' in readJsonText(text)).toBe(isJson(text));
    }),
    { numRuns: 3000 },
  );
});

test('each place has its line, and what is missing that of what should hold it', () => {
  const source = read('\ufeff{\r\n  "a": {\n    "b": [1,\n      {"c":\n 2}]\n  }, "d": 1\n}');
  const lines = [[], ['a'], ['a', 'b', 0], ['a', 'b', 1], ['a', 'b', 1, 'c'], ['d'], ['a', 'x']];
  expect(lines.map((path) => source.lineOf(path))).toEqual([1, 2, 3, 4, 5, 6, 2]);
  expect(source.lineOf(['a', 'b', 1, 'c'], true)).toBe(4);
});

test('what has no end is refused', () => {
  const fault = { line: 1, message: 'This is nested too deeply.' };
  expect(readJsonText('['.repeat(1_000_000))).toEqual(fault);
});

test.each([
  ['{"a": 1,\n}', 2, 'A key in double quotes is missing here.'],
  ['[1,\n]', 2, 'A value in the form of JSON is missing here.'],
  ['{"a": 1\n "b": 2}', 2, 'A comma or } is missing here.'],
  ['{"a"\n1}', 2, 'A colon is missing here.'],
  ['{\n\n"a": "x', 3, 'A value in the form of JSON is missing here.'],
  ['{"a":\n', 2, 'The file ends too early.'],
  ['', 1, 'The file ends too early.'],
  ['{}\n// x', 2, 'Something follows the end of the value.'],
])('%j is refused', (text, line, message) => {
  expect(readJsonText(text)).toEqual({ line, message });
});

test('keys with the names of built-in things are keys, and those that are there twice are told', () => {
  const source = read('{"__proto__": {"x": 1}, "constructor": 2, "a": 1,\n "a": 3}');
  expect(Object.keys(source.value as object)).toEqual(['__proto__', 'constructor', 'a']);
  expect(source.lineOf(['a'], true)).toBe(2);
  expect(source.repeated).toEqual([['a']]);
  expect(({} as Record<string, unknown>)['x']).toBeUndefined();
});
