import { defineTool } from '@baton/core';
import * as z from 'zod';
import { ticketSchemas } from '../definition.ts';
import type { TicketService } from '../service.ts';
import { TICKET_STATES } from '../states.ts';
import { fullTicket, inboxItem } from './ticket-output.ts';

export const ticketFind = defineTool({
  name: 'ticket_find',
  title: 'Find tickets',
  description: 'Shows one ticket by id, or lists tickets; can wait until there is news.',
  toolset: 'tickets',
  effect: 'read',
  input: () => {
    const { reference, kind, label, name, waitSeconds } = ticketSchemas();
    return z.object({
      id: reference.optional(),
      history: z.boolean().optional().describe('with id'),
      text: z.string().max(500).optional().describe('words in it'),
      state: z
        .enum([...TICKET_STATES, 'open', 'all'])
        .optional()
        .describe('a state, open (default) or all')
        .meta({ listAs: { type: 'string' } }),
      kind: kind.optional(),
      labels: z.array(label).max(20).optional(),
      assignee: name.optional(),
      parent: reference.optional(),
      inbox: z.boolean().optional().describe('what waits for a person'),
      limit: z.int().min(1).max(100).default(20),
      cursor: z.string().optional(),
      version: z.int().optional().describe('wait for a newer one'),
      waitSeconds: waitSeconds.optional(),
    });
  },
  output: () =>
    z.object({
      ticket: fullTicket().optional(),
      history: z.array(z.string()).optional(),
      tickets: z.array(inboxItem()).optional(),
      cursor: z.string().optional(),
      source: z.string().optional(),
      next: z.string().optional(),
    }),
  examples: [
    { title: 'What is open?', input: {} },
    { title: 'One ticket with its history', input: { id: 'T-14', history: true } },
    { title: 'By words', input: { text: 'rounding invoice', state: 'all' } },
    { title: 'What waits for a person', input: { inbox: true } },
  ],
  async run(service: TicketService, query, context) {
    if (query.id) {
      const ticket = await service.look(query.id, query, context);
      return {
        ticket: await service.show(ticket),
        ...(query.history && { history: await service.history(ticket) }),
        next: service.whatNext(ticket),
      };
    }
    if (query.inbox) return { tickets: await service.inbox('here', query.limit), source: SOURCE };
    const found = await service.list(query, context);
    const next = found.tickets.length === 0 && query.state === undefined && NOTHING;
    return { ...found, source: SOURCE, ...(next && { next }) };
  },
});

/** Whose words these are: data, not a message of the user. */
const SOURCE = 'tickets, in the words of whoever wrote them';
const NOTHING = 'Nothing that is open matches; state "all" also shows what is done.';
