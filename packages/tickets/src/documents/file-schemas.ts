import { lazily } from '@baton/core';
import * as z from 'zod';
import { oneLine, ticketSchemas } from '../definition.ts';
import { DEFAULTS } from './ticket-document.ts';

const NUMBER = 'T-[1-9][0-9]{0,8}';
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

// More than one call can give: a ticket grows.
const MOST_LABELS = 100;
const MOST_LINKS = 1_000;
export const MOST_NOTES = 1_000;

/** The file of a ticket: its front matter, and the text below. */
export const fileSchemas = lazily(() => {
  const fields = ticketSchemas();
  const number = z.string().regex(new RegExp(`^${NUMBER}$`), 'expected a number such as T-14');
  const id = z.string().regex(new RegExp(`^${UUID}$`), 'expected a UUID');
  const reference = z
    .string()
    .regex(new RegExp(`^(${NUMBER}|${UUID})$`), 'expected a ticket such as T-14, or its UUID');
  const name = oneLine(200);
  const time = z.iso.datetime('expected a time such as 2026-01-31T09:30:00Z');
  const links = z.array(reference).max(MOST_LINKS);
  const note = z.strictObject({ at: time, by: name, text: fields.note });

  const frontMatter = z.strictObject({
    ticket: z.exactOptional(number),
    title: fields.title,
    kind: fields.kind.default(DEFAULTS.kind),
    state: z.enum(['open', 'blocked', 'done', 'failed', 'cancelled']).default(DEFAULTS.state),
    waitsFor: z.exactOptional(fields.waitsFor),
    priority: fields.priority.default(DEFAULTS.priority),
    labels: z.array(fields.label).max(MOST_LABELS).default([]),
    assignee: z.exactOptional(fields.name),
    needs: links.default([]),
    parent: z.exactOptional(reference),
    related: links.default([]),
    duplicateOf: z.exactOptional(reference),
    checks: fields.checks.default([]),
    maxAttempts: fields.attempts.default(DEFAULTS.maxAttempts),
    resolution: z.exactOptional(fields.note),
    id: z.exactOptional(id),
    createdAt: z.exactOptional(time),
    createdBy: z.exactOptional(name),
    updatedAt: z.exactOptional(time),
    version: z.exactOptional(z.int().min(1)),
    notes: z.array(note).max(MOST_NOTES).default([]),
    // That the text below is written by `escapeBody`.
    escaped: z.boolean().default(false),
  });

  return { frontMatter, body: fields.body };
});
