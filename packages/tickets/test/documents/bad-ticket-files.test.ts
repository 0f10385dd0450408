import { BatonError } from '@baton/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTicketDocument } from '../documents-under-test.ts';

/** Without the name of the file. */
async function problemsOf(text: string): Promise<string[]> {
  const error: unknown = await readTicketDocument(text, 'T.md').catch((thrown) => thrown);
  expect(error).toBeInstanceOf(BatonError);
  expect(error).toMatchObject({ code: 'ticket_file_invalid' });
  return (error as BatonError).message.split('\n').map((line) => line.replace(/^T\.md:/, ''));
}

const withTitle = (more: string) => `---\ntitle: x\n${more}\n---\n`;
const list = (count: number, item: string) => `[${Array(count).fill(item).join(', ')}]`;
const note = '{at: 2026-01-01T00:00:00Z, by: anna, text: x}';

const ONE_LINE = 'expected one line without control characters';
const REFERENCE = 'expected a ticket such as T-14, or its UUID';
const LABEL = 'expected a text without commas that begins with no -';
const TIME = 'expected a time such as 2026-01-31T09:30:00Z';

test.each([
  ['# A file', ['1:1: The front matter is missing: the file must begin with a line ---.']],
  ['---\ntitle: x\n', ['1:1: The front matter has no end: a line --- must follow it.']],
  ['---\n- title\n---\n', ['2:1: The front matter: expected object, received array.']],
  ['---\nlabels: [a]\n---\n', ['2:1: title is missing: expected string.']],
  ['---\ntitle: ""\n---\n', ['2:8: title: Too small: expected string to have >=1 characters.']],
  ['---\ntitle: "  "\n---\n', ['2:8: title: expected more than spaces.']],
  ['---\ntitle: "a\\nb"\n---\n', [`2:8: title: ${ONE_LINE}.`]],
  ['---\ntitle: a\u001b[2Jb\n---\n', [`2:8: title: ${ONE_LINE}.`]],
  ['---\ntitle: a\u2028b\n---\n', [`2:8: title: ${ONE_LINE}.`]],
  [
    `---\ntitle: ${'x'.repeat(201)}\n---\n`,
    ['2:8: title: Too big: expected string to have <=200 characters.'],
  ],
  [withTitle('ticket: 14'), ['3:9: ticket: expected string, received number.']],
  [withTitle('ticket: T-0'), ['3:9: ticket: expected a number such as T-14.']],
  [withTitle('ticket: T-9999999999'), ['3:9: ticket: expected a number such as T-14.']],
  [withTitle('id: 14'), ['3:5: id: expected string, received number.']],
  [withTitle('id: T-14'), ['3:5: id: expected a UUID.']],
  [
    withTitle('needs: [T-3, 3, t-4]'),
    ['3:14: needs.1: expected string, received number.', `3:17: needs.2: ${REFERENCE}.`],
  ],
  [withTitle('parent: ../T-3'), [`3:9: parent: ${REFERENCE}.`]],
  [withTitle('priority: 6'), ['3:11: priority: Too big: expected number to be <=5.']],
  [
    withTitle('state: opne'),
    [
      '3:8: state: expected "open" or "blocked" or "done" or "failed" or "cancelled" (did you mean "open"?).',
    ],
  ],
  [
    withTitle('labels: ["a,b", "c\\nd"]'),
    [`3:10: labels.0: ${LABEL}.`, `3:17: labels.1: ${ONE_LINE}.`],
  ],
  [
    withTitle(`labels: ${list(101, 'a')}`),
    ['3:9: labels: Too big: expected array to have <=100 items.'],
  ],
  [
    withTitle(`needs: ${list(1_001, 'T-1')}`),
    ['3:8: needs: Too big: expected array to have <=1000 items.'],
  ],
  [
    withTitle(`checks: ${list(21, 'a')}`),
    ['3:9: checks: Too big: expected array to have <=20 items.'],
  ],
  [
    withTitle(`notes: ${list(1_001, note)}`),
    ['3:8: notes: Too big: expected array to have <=1000 items.'],
  ],
  [withTitle('createdAt: yesterday'), [`3:12: createdAt: ${TIME}.`]],
  [withTitle('version: 0'), ['3:10: version: Too small: expected number to be >=1.']],
  [
    withTitle('checks: [{type: shell, command: ls, cwd: ../..}]'),
    ['3:42: checks.0.cwd: expected a folder of the workspace, relative to it.'],
  ],
  [withTitle('checks: ["a\\0b"]'), ['3:10: checks.0: must not hold NUL.']],
  [
    withTitle('assigne: anna'),
    [
      expect.stringMatching(
        /^3:1: Unknown key "assigne" \(did you mean "assignee"\?\)\. Known keys: /,
      ),
    ],
  ],
  [
    withTitle('__proto__: {state: done}'),
    [expect.stringMatching(/^3:1: Unknown key "__proto__"\./)],
  ],
  [withTitle('constructor: x'), [expect.stringMatching(/^3:1: Unknown key "constructor"/)]],
  [withTitle('notes: [*n]'), ['3:9: There is no anchor &n before this alias.']],
  [
    `---\na: &a [${'x,'.repeat(9)}]\nb: &b [${'*a,'.repeat(20)}]\nc: [${'*b,'.repeat(20)}]\n---\n`,
    ['1:1: A value with an anchor is there more than 100 times, aliases within aliases counted.'],
  ],
  [
    `---\n${'['.repeat(20_000)}\n---\n`,
    [expect.stringMatching(/^2:\d+: This is nested too deeply\.$/)],
  ],
  [
    `${withTitle('')}\n${'x'.repeat(100_001)}`,
    ['6:1: The text of the ticket: Too big: expected string to have <=100000 characters.'],
  ],
  [`${withTitle('')}a\0b`, ['5:1: The text of the ticket: must not hold NUL.']],
])('bad file %#', async (text, problems) => {
  expect(await problemsOf(text)).toEqual(problems);
});

test('any text is a ticket or refused by name', async () => {
  const piece = fc.constantFrom(
    ...['---\n', '\n', 'title', 'checks', 'notes', ': ', '  ', '- ', '[', ']', '{', '}', ',', '"'],
    ...[
      '&a ',
      '*a',
      '!t ',
      '|',
      '#',
      '?',
      '\t',
      '%',
      '__proto__',
      'shell',
      '1',
      '<<',
      '\0',
      '\u001b',
    ],
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 25 }), async (pieces) => {
      const text = `---\n${pieces.join('')}\n---\n`;
      const read: unknown = await readTicketDocument(text, 'T.md').catch((thrown) => thrown);
      expect(read).toHaveProperty(read instanceof Error ? 'code' : 'title');
    }),
    { numRuns: 1_000 },
  );
});
