import { BatonError } from '@baton/core';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { parseFrontMatter } from '../src/front-matter.ts';

const schema = z.strictObject({ title: z.string(), labels: z.array(z.string()).optional() });

const parse = (text: string) => parseFrontMatter(text, 'note.md', schema, 'note_invalid');

async function problemsOf(text: string): Promise<string[]> {
  const error: unknown = await parse(text).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(BatonError);
  expect(error).toMatchObject({ code: 'note_invalid', next: 'Correct note.md and try again.' });
  return (error as BatonError).message.split('\n').map((line) => line.replace(/^note\.md:/, ''));
}

test.each([
  ['---\ntitle: x\n---', ''],
  ['---\ntitle: x\n---\n', ''],
  ['---\ntitle: x\n---\n\n', ''],
  ['---\ntitle: x\n---\n\n\n', '\n'],
  ['---\ntitle: x\n---\nText', 'Text'],
  ['---\ntitle: x\n---\n\nText\n', 'Text\n'],
  ['---\ntitle: x\n---\n\n\n  Text', '\n  Text'],
  ['---\ntitle: x\n---\n \nText', ' \nText'],
  ['---\ntitle: x\n---\n\n---\nText\n---\n', '---\nText\n---\n'],
  ['\ufeff---  \r\ntitle: x\r\n---\t\r\n\r\nText\r\n', 'Text\r\n'],
  ['---\n# why\ntitle: x\n\n---\n\n\ufeffText\r\r\n', '\ufeffText\r\r\n'],
  ['---\ntitle: |-\n  x\n  ---\n---\nText', 'Text', 'x\n---'],
  ['---\n{"title": "---"}\n---\nText', 'Text', '---'],
  ['---\ntitle: ---x\n---\nText', 'Text', '---x'],
  ['---\ntitle: "a\u2028---"\n---\nText', 'Text', 'a\u2028---'],
])('good file %#', async (text, body, title = 'x') => {
  expect(await parse(text)).toEqual({ data: { title }, body });
});

const MISSING = '1:1: The front matter is missing: the file must begin with a line ---.';
const UNCLOSED = '1:1: The front matter has no end: a line --- must follow it.';

test.each([
  ['', [MISSING]],
  ['# Title\n\n---\ntitle: x\n---\n', [MISSING]],
  ['\n---\ntitle: x\n---\n', [MISSING]],
  [' ---\ntitle: x\n---\n', [MISSING]],
  ['----\ntitle: x\n---\n', [MISSING]],
  ['---', [UNCLOSED]],
  ['---\ntitle: x\n', [UNCLOSED]],
  ['---\ntitle: x\n ---\n----\n--- x\n', [UNCLOSED]],
  ['---\n---\n', ['1:1: The front matter is empty.']],
  ['---\n# nothing\n---\ntitle: x', ['1:1: The front matter is empty.']],
  ['---\n- title\n---\n', ['2:1: The front matter: expected object, received array.']],
  ['---\njust words\n---\n', ['2:1: The front matter: expected object, received string.']],
  ['---\ntitle: 5\n---\n', ['2:8: title: expected string, received number.']],
  [
    '\ufeff---\r\n# why\r\nlabels: [a, 1]\r\nother: x\r\n---\r\n',
    [
      '3:1: title is missing: expected string.',
      '3:13: labels.1: expected string, received number.',
      '4:1: Unknown key "other". Known keys: title, labels.',
    ],
  ],
  ['---\n\n\ttitle: x\n---\n', ['3:1: Tabs are not allowed as indentation.']],
  [
    '---\ntitle: x\n...\ntitle: y\n---\n',
    ['4:1: A second document begins here, and a file holds one.'],
  ],
  ['---\ntitle: *x\n---\n', ['2:8: There is no anchor &x before this alias.']],
  ['---\ntitle: !!js/function x\n---\n', ['2:8: Tags are not supported: write a plain value.']],
  [
    '---\n__proto__: {title: x}\nconstructor: 1\n---\n',
    [
      '2:1: title is missing: expected string.',
      '2:1: Unknown key "__proto__". Known keys: title, labels.',
      '3:1: Unknown key "constructor". Known keys: title, labels.',
    ],
  ],
])('bad file %#', async (text, problems) => {
  expect(await problemsOf(text)).toEqual(problems);
});

test('a file of nothing but lines that look like an end is read at once', async () => {
  const lines = `--- \t${' '.repeat(50)}x\n`.repeat(20_000);
  expect(await problemsOf(`---\n${lines}`)).toEqual([UNCLOSED]);
});
