import { cites } from '@baton/e2e/requirements';
import { expect, test } from 'vitest';
import { outline } from '../parts-under-test.ts';

/** Level and heading of each section. */
const headings = (text: string) => outline(text).map(({ level, heading }) => `${level} ${heading}`);

test.each([
  ['# One\n\n## Two\n', ['1 One', '2 Two']],
  ['Before.\n# One\n', ['0 ', '1 One']],
  ['# One ##\n# Two#\n#Three\n####### Four\n', ['1 One', '1 Two#']],
  ['#\n##\tTabbed\n   ### Indented\n    # Code\n', ['1 ', '2 Tabbed', '3 Indented']],
  ['# `code` and **bold** [link](http://x)\r\n', ['1 code and bold link']],
  ['# Same\n\n# Same\n', ['1 Same', '1 Same']],
  ['# C# and F#\n', ['1 C# and F#']],
  ['', []],
  ['\n\n', []],
])('the headings of %j', (text, expected) => {
  expect(headings(text)).toEqual(expected);
});

test.each([
  ['One\n===\n\nText\n---\n', ['1 One', '2 Text']],
  ['One\r\n=\r\nText.\r\n', ['1 One']],
  ['Before.\n\nOne\n---\n', ['0 ', '2 One']],
  // No headings: lists, tables, quotes, rules, and paragraphs of more than a line.
  ['- one\n---\n', ['0 ']],
  ['1. one\n---\n', ['0 ']],
  ['| a |\n|---|\n', ['0 ']],
  ['> one\n---\n', ['0 ']],
  ['Text.\n\n---\n', ['0 ']],
  ['A text\nof two lines.\n---\n', ['0 ']],
  ['# One\n---\n', ['1 One']],
])('underlined headings of %j', (text, expected) => {
  expect(headings(text)).toEqual(expected);
});

test.each([
  ['```\n# no\n```\n# Yes\n', ['0 ', '1 Yes']],
  ['~~~md\n# no\n```\n# no\n~~~\n# Yes\n', ['0 ', '1 Yes']],
  ['````\n```\n# no\n````\n# Yes\n', ['0 ', '1 Yes']],
  ['```sh\n# no\n``` x\n# no\n', ['0 ']],
  ['```js\r\nNo\r\n---\r\n```\r\n# Yes\r\n', ['0 ', '1 Yes']],
  // Code within a line opens no block.
  ['```one``` is code\n# Yes\n', ['0 ', '1 Yes']],
])('what stands in a code block is no heading: %j', (text, expected) => {
  expect(headings(text)).toEqual(expected);
});

test('sections are the whole text, and say where theirs begins', () => {
  const text = 'Before.\n\nOne\n===\nFirst.\n\n## Two\nSecond.\n';
  const sections = outline(text);
  expect(sections.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text);
  expect(sections.map((one) => text.slice(one.text, one.end).trim())).toEqual([
    ...['Before.', 'First.', 'Second.'],
  ]);
});

// If time grew with the square of the length, none of these would end.
test.each([
  ['blanks in a heading', `# ${' '.repeat(900_000)}x`],
  ['signs in a heading', `# ${'#'.repeat(900_000)}x`],
  ['brackets in a heading', `# ${'['.repeat(900_000)}`],
  ['an underline', `Title\n${'='.repeat(900_000)}x`],
  ['headings', '# x\n'.repeat(200_000)],
  ['marks of code', '```\n'.repeat(200_000)],
])(`${cites('T26', 'T46')} a megabyte of %s takes no time`, (_, text) => {
  expect(outline(text).length).toBeGreaterThan(0);
});
