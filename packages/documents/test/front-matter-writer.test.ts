import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { parseFrontMatter, writeFrontMatter } from '../src/front-matter.ts';

const anything = z.record(z.string(), z.unknown());

const read = (text: string) => parseFrontMatter(text, 'note.md', anything, 'note_invalid');

/** Texts that one reader or another could take for something else. */
const tricky = fc.constantFrom(
  ...['', ' ', '\n', ' a', 'a ', '\ta', 'a\n', '\n\na', ' a\nb', 'a\n b\n\n', 'a\n \n', 'a\r\nb'],
  ...['---', 'a\n---\nb', '...', '%YAML', 'a: b', 'a #b', '# a', '- a', '? a', '*a', '&a', '!a'],
  ...['yes', 'Off', 'null', '~', '1', '0o7', '012', '1_0', '1:30', '0x1f', '1e3', '.inf', '.5'],
  ...['2001-01-01', '2001-01-01T00:00:00.000Z', '=', '<<', '[', '{', '"', "'", '\\', '`', '@', '|'],
  ...['😀', '\ud800', '\u2028', '\u0085', '\ufeff', '\uffff', '\u007f', '\u0000', '\u001b[2J', ','],
);

const piece = fc.oneof(tricky, fc.string(), fc.string({ unit: 'binary' }));
const anyText = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(''));
const key = anyText.filter((text) => text !== '__proto__');

const { data } = fc.letrec<{ data: unknown; value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    anyText,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(anyText, { maxLength: 4 }),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('data'),
  ),
  data: fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
}));

test('what is written is read again, data and body', async () => {
  await fc.assert(
    fc.asyncProperty(data, anyText, async (written, body) => {
      const text = await writeFrontMatter(written as Record<string, never>, body);
      expect(await read(text)).toEqual({ data: written, body });
    }),
    { numRuns: 1_000, examples: [[{ blank: ' \n' }, '']] },
  );
});

test('a text is a text for YAML 1.1 too', async () => {
  await fc.assert(
    fc.asyncProperty(anyText, async (value) => {
      const text = await writeFrontMatter({ value, list: [value], [value]: 1 }, '');
      const old = parse(text.slice(4, -4), { version: '1.1' });
      expect(old).toMatchObject({ value, list: [value] });
      expect(Object.keys(old)).toContain(value);
    }),
    { numRuns: 1_000, examples: [[' \n'], ['\n  \n']] },
  );
});

test('it reads as a person would write it', async () => {
  const same = { type: 'shell' };
  const text = await writeFrontMatter(
    {
      title: 'Log in: again # now',
      ticket: 'T-14',
      left: undefined,
      at: '2026-01-02T03:04:05.678Z',
      labels: ['yes', 'back end', 'a, b'],
      many: ['a long text that stands in a line of its own', 'x'],
      text: 'One\n\n  Two: 3\n',
      hidden: '\u001b[2J\u2028\u009b',
      long: `${'word '.repeat(30)}end`,
      nested: [same, same],
      none: [],
    },
    'Body\n',
  );
  expect(text).toBe(`---
title: "Log in: again # now"
ticket: T-14
at: "2026-01-02T03:04:05.678Z"
labels: ["yes", back end, "a, b"]
many:
  - a long text that stands in a line of its own
  - x
text: |
  One

    Two: 3
hidden: "\\u001b[2J\\u2028\\u009b"
long: ${'word '.repeat(30)}end
nested:
  - type: shell
  - type: shell
none: []
---

Body
`);
});
