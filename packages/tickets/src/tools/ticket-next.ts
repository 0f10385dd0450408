import { defineTool } from '@baton/core';
import * as z from 'zod';
import { DEFAULT_LEASE_SECONDS, refOf, ticketSchemas } from '../definition.ts';
import type { TicketService } from '../service.ts';
import { fullTicket } from './ticket-output.ts';

export const ticketNext = defineTool({
  name: 'ticket_next',
  title: 'Take the next ticket',
  description: 'Claims the most urgent ticket that is ready, for you alone, and returns its token.',
  toolset: 'tickets',
  effect: 'add',
  input: () => {
    const { labels, kind, name, leaseSeconds, waitSeconds } = ticketSchemas();
    return z.object({
      agent: name.optional().describe('your name; asking again gives the same ticket'),
      labels: labels.optional(),
      kind: kind.optional(),
      text: z.string().max(500).optional(),
      leaseSeconds: leaseSeconds
        .optional()
        .describe(`yours for so long, default ${DEFAULT_LEASE_SECONDS}; calls with token renew it`),
      peek: z.boolean().optional().describe('look without taking'),
      waitSeconds: waitSeconds.optional(),
    });
  },
  output: () =>
    z.object({
      ticket: fullTicket().optional(),
      token: z.string().optional(),
      next: z.string(),
    }),
  examples: [
    { title: 'What next?', input: { agent: 'codex-1' } },
    { title: 'Wait for work of one kind', input: { labels: ['docs'], waitSeconds: 50 } },
  ],
  async run(service: TicketService, query, context) {
    const found = await service.next(query, context.caller, context);
    if (!found) return { next: await service.whyNothing() };
    const ticket = await service.show(found);
    if (query.peek) return { ticket, next: 'Call ticket_next without peek to take it.' };
    const ref = refOf(found);
    return {
      ticket,
      ...(found.claim_token && { token: found.claim_token }),
      next: `Do it, then call ticket_report {id: "${ref}", token, outcome, summary}. If it takes longer, call ticket_update {id: "${ref}", token} meanwhile.`,
    };
  },
});
