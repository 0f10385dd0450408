import type { CheckDefinition } from '@baton/core';
import fc from 'fast-check';
import type { TicketDocument } from '../documents-under-test.ts';

const tricky = fc.constantFrom(
  ...['yes', '~', '012', '2026-01-01', '1:30', '=', '<<', ' a ', '# a', 'a: b', '- a', '---', '😀'],
  ...[
    '"',
    "'",
    '[a]',
    '{',
    '|',
    '>',
    '*a',
    '&a',
    '!a',
    '%a',
    '@a',
    '`a',
    '\\n',
    'T-1',
    '\u00a0',
    'ÄÖÜ',
  ],
);

const lineOf = (longest: number) =>
  fc
    .oneof(tricky, fc.string({ unit: 'grapheme', minLength: 1 }))
    .map((text) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ''))
    .filter((text) => text.trim() !== '' && text.length <= longest);

/** Several lines of anything but NUL. */
const text = fc
  .array(
    fc.oneof(
      tricky,
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '\n',
        '\r\n',
        '\t',
        '\n---\n',
        '\n\n',
        '\r',
        '\u001b[2J',
        '\u202e',
        '\\u001b',
      ),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((pieces) => pieces.join('').replaceAll('\0', ''))
  .filter((joined) => joined !== '');

const number = fc.integer({ min: 1, max: 999_999_999 });
const reference = fc.oneof(
  number.map((digits) => `T-${digits}`),
  fc.uuid(),
);
const time = fc
  .date({ min: new Date(0), max: new Date(Date.UTC(9999, 0)), noInvalidDate: true })
  .map((date) => date.toISOString());

const common = {
  cwd: fc.constantFrom('lib', 'a b/c'),
  timeoutSeconds: fc.constantFrom(1, 0.5, 3_600),
};
const command: fc.Arbitrary<CheckDefinition> = fc.oneof(
  text,
  fc.record(
    { type: fc.constant('shell' as const), command: text, shell: fc.constant('bash'), ...common },
    { requiredKeys: ['type', 'command'] },
  ),
  fc.record(
    {
      type: fc.constant('process' as const),
      executable: text,
      args: fc.array(fc.oneof(text, fc.constant('')), { maxLength: 4 }),
      ...common,
    },
    { requiredKeys: ['type', 'executable'] },
  ),
);

const links = fc.array(reference, { maxLength: 12 });

export const anyTicket: fc.Arbitrary<TicketDocument> = fc.record(
  {
    id: fc.uuid(),
    number,
    title: lineOf(200),
    body: fc.oneof(fc.constant(''), text),
    kind: fc.constantFrom('agent', 'person', 'question'),
    state: fc.constantFrom('open', 'blocked', 'done', 'failed', 'cancelled'),
    priority: fc.integer({ min: 1, max: 5 }),
    labels: fc.array(
      lineOf(64).filter((label) => /^[^\p{C},\s-][^\p{C},]*$/u.test(label)),
      { maxLength: 5 },
    ),
    assignee: lineOf(100),
    needs: links,
    parent: reference,
    related: links,
    duplicateOf: reference,
    waitsFor: lineOf(1000),
    checks: fc.array(command, { maxLength: 4 }),
    maxAttempts: fc.integer({ min: 1, max: 100 }),
    resolution: text,
    createdAt: time,
    createdBy: lineOf(200),
    updatedAt: time,
    version: fc.integer({ min: 1 }),
    notes: fc.array(fc.record({ at: time, by: lineOf(200), text }), { maxLength: 4 }),
  },
  {
    requiredKeys: [
      ...(['id', 'number', 'title', 'body', 'kind', 'state', 'priority', 'labels'] as const),
      ...(['needs', 'related', 'checks', 'maxAttempts', 'notes'] as const),
      ...(['createdAt', 'createdBy', 'updatedAt', 'version'] as const),
    ],
  },
);
