import { lazily, plainText } from '@baton/core';
import * as z from 'zod';
import { ticketSchemas } from '../definition.ts';
import { DEFAULTS } from './ticket-document.ts';

const NUMBER = 'T-[1-9][0-9]{0,8}';
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const ONE_LINE = /^[^\p{Cc}\p{Zl}\p{Zp}]*$/u;

// More than one call can give: a ticket grows.
const MOST_LABELS = 100;
const MOST_LINKS = 1_000;
export const MOST_NOTES = 1_000;

function oneLine(longest: number) {
  return plainText(longest).regex(ONE_LINE, 'expected one line without control characters');
}

/** The parts of a ticket, and the front matter of its file. */
export const fileSchemas = lazily(() => {
  const { label, checks, attempts, priority, kind } = ticketSchemas();
  const number = z.string().regex(new RegExp(`^${NUMBER}$`), 'expected a number such as T-14');
  const id = z.string().regex(new RegExp(`^${UUID}$`), 'expected a UUID');
  const reference = z
    .string()
    .regex(new RegExp(`^(${NUMBER}|${UUID})$`), 'expected a ticket such as T-14, or its UUID');
  const title = oneLine(200).regex(/^$|\S/, 'expected more than spaces');
  const body = z
    .string()
    .max(100_000)
    .refine((text) => !text.includes('\0'), 'must not hold NUL');
  const name = oneLine(200);
  const time = z.iso.datetime('expected a time such as 2026-01-31T09:30:00Z');
  const links = z.array(reference).max(MOST_LINKS);
  const note = z.strictObject({ at: time, by: name, text: plainText(20_000) });

  const frontMatter = z.strictObject({
    ticket: z.exactOptional(number),
    title,
    kind: kind.default(DEFAULTS.kind),
    state: z.enum(['open', 'blocked', 'done', 'failed', 'cancelled']).default(DEFAULTS.state),
    waitsFor: z.exactOptional(plainText(1_000)),
    priority: priority.default(DEFAULTS.priority),
    labels: z.array(label).max(MOST_LABELS).default([]),
    assignee: z.exactOptional(oneLine(100)),
    needs: links.default([]),
    parent: z.exactOptional(reference),
    related: links.default([]),
    duplicateOf: z.exactOptional(reference),
    checks: checks.default([]),
    maxAttempts: attempts.default(DEFAULTS.maxAttempts),
    resolution: z.exactOptional(plainText(20_000)),
    id: z.exactOptional(id),
    createdAt: z.exactOptional(time),
    createdBy: z.exactOptional(name),
    updatedAt: z.exactOptional(time),
    version: z.exactOptional(z.int().min(1)),
    notes: z.array(note).max(MOST_NOTES).default([]),
  });

  return { reference, title, body, label, frontMatter };
});
