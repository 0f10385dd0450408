import { commandSchemas, lazily, plainText } from '@baton/core';
import * as z from 'zod';

/** Longer ones are cut, since what outputs put into them is not known before. */
export const LONGEST_TITLE = 200;
export const LONGEST_BODY = 100_000;

/** Work that is handed to a person or an agent. It runs nothing, so it has no folder and no limit. */
export const ticketSchema = lazily(() =>
  z.strictObject({
    type: z.literal('ticket'),
    title: plainText(LONGEST_TITLE),
    body: plainText(LONGEST_BODY).optional(),
    kind: z.enum(['agent', 'person', 'question']).optional(),
    priority: z.int().min(1).max(5).optional(),
    labels: z.array(plainText(64)).max(20).optional(),
    assignee: plainText(200).optional(),
    checks: z.array(commandSchemas().check).max(20).optional(),
    maxAttempts: z.int().min(1).max(100).optional(),
  }),
);

export type TicketWork = z.output<ReturnType<typeof ticketSchema>>;
