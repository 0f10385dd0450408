import { cites } from '@baton/e2e/requirements';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTicketDocument, writeTicketDocument } from '../documents-under-test.ts';
import { full, plain } from './examples.ts';
import { anyTicket } from './random-tickets.ts';

/** What acts on a terminal, beside line ends and tabs, or turns the direction of a text. */
const ACTING =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\r(?!\n)/u;

test(`${cites('T29')} every ticket is read as it was written, and no file acts on a terminal`, async () => {
  await fc.assert(
    fc.asyncProperty(anyTicket, async (ticket) => {
      const text = await writeTicketDocument(ticket);
      expect(text).not.toMatch(ACTING);
      expect(await readTicketDocument(text, 'T.md')).toEqual(ticket);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['a\u001b[2J\u009bb', 'escaped: true', 'a\\u001b[2J\\u009bb'],
  ['\u202egpj.exe', 'escaped: true', '\\u202egpj.exe'],
  ['\\u001b and \u001b', 'escaped: true', '\\u005cu001b and \\u001b'],
  ['one\rtwo\r\n', 'escaped: true', 'one\\u000dtwo\r\n'],
  // Without anything that acts, a text stays as it is.
  ['printf "\\u001b[1m" 👩‍💻\r\n\t', 'version: 1', 'printf "\\u001b[1m" 👩‍💻\r\n\t'],
])(`${cites('T29')} the text %j is written so that it cannot act`, async (body, last, written) => {
  const text = await writeTicketDocument({ ...plain, body });
  expect(text).toMatch(new RegExp(`\n${last}\n---\n`));
  expect(text.slice(text.lastIndexOf('---\n') + 5)).toBe(written);
  expect((await readTicketDocument(text, 'T.md')).body).toBe(body);
});

test('the largest ticket is read as it was written', async () => {
  const times = <Value>(count: number, value: Value) => Array.from({ length: count }, () => value);
  const at = plain.createdAt;
  const ticket = {
    ...plain,
    title: 't'.repeat(200),
    body: '-\n'.repeat(50_000),
    labels: times(20, 'l'.repeat(64)),
    needs: times(100, plain.id),
    related: times(100, 'T-999999999'),
    checks: times(20, 'make\n\tall'),
    notes: times(1_000, { at, by: 'anna', text: 'n\n'.repeat(10_000) }),
  };
  expect(await readTicketDocument(await writeTicketDocument(ticket), 'T.md')).toEqual(ticket);
});

test.each([
  ['plain', plain],
  ['full', full],
])('a person can read it: %s', async (name, ticket) => {
  const text = await writeTicketDocument(ticket);
  await expect(text).toMatchFileSnapshot(`golden/${name}.md`);
  expect(await readTicketDocument(text, 'T.md')).toEqual(ticket);
});

test('a file by hand needs a title only', async () => {
  const usual = {
    kind: 'agent',
    state: 'open',
    priority: 3,
    labels: [],
    needs: [],
    related: [],
    checks: [],
    maxAttempts: 3,
    notes: [],
  };
  expect(await readTicketDocument('---\ntitle: Do it\n---\nNow.', 'T.md')).toEqual({
    ...usual,
    title: 'Do it',
    body: 'Now.',
  });
  const text =
    '\ufeff---\r\nticket: T-14\r\ntitle: Do it\r\nneeds:\r\n- T-3\r\ncreatedAt: 2026-01-31T09:30:00Z\r\n---\r\n';
  expect(await readTicketDocument(text, 'T.md')).toEqual({
    ...usual,
    number: 14,
    title: 'Do it',
    needs: ['T-3'],
    createdAt: '2026-01-31T09:30:00Z',
    body: '',
  });
});
