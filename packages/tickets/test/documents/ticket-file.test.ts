import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTicketDocument, writeTicketDocument } from '../documents-under-test.ts';
import { full, plain } from './examples.ts';
import { anyTicket } from './random-tickets.ts';

test('every ticket is read as it was written', async () => {
  await fc.assert(
    fc.asyncProperty(anyTicket, async (ticket) => {
      const text = await writeTicketDocument(ticket);
      expect(await readTicketDocument(text, 'T.md')).toEqual(ticket);
    }),
    { numRuns: 500 },
  );
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
