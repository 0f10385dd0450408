import { defineTool } from '@baton/core';
import * as z from 'zod';
import { LINK_TYPES, refOf, ticketSchemas } from '../definition.ts';
import type { TicketService } from '../service.ts';
import { TICKET_STATES } from '../states.ts';

/** The list of tools has the words only: as a schema they would cost more than all the rest. */
export const LISTED_LINKS = { listAs: { type: 'array', items: { type: 'object' } } };

export function linkSchema() {
  const { reference } = ticketSchemas();
  return z.strictObject({ type: z.enum(LINK_TYPES), ticket: reference });
}

export const ticketCreate = defineTool({
  name: 'ticket_create',
  title: 'Create a ticket',
  description: 'Puts work, or a question, where an agent or a person will find it.',
  toolset: 'tickets',
  effect: 'run',
  input: () => {
    const { title, body, kind, priority, labels, reference, name, checks, attempts } =
      ticketSchemas();
    return z.object({
      title,
      body: body.optional(),
      kind: kind.optional().describe('default agent'),
      priority: priority.optional().describe('1 first, default 3'),
      labels: labels.optional(),
      needs: z.array(reference).max(100).optional().describe('tickets done before'),
      parent: reference.optional(),
      links: z
        .array(linkSchema())
        .max(100)
        .optional()
        .describe('{type: blocks|subtask|related, ticket}')
        .meta(LISTED_LINKS),
      assignee: name.optional(),
      checks: checks.optional().describe('commands that must pass'),
      maxAttempts: attempts.optional(),
      agent: name.optional().describe('your name'),
      key: z.string().min(1).max(200).optional().describe('same key, same ticket'),
    });
  },
  output: () =>
    z.object({
      id: z.string(),
      title: z.string(),
      state: z.enum(TICKET_STATES),
      uri: z.string(),
      uuid: z.string(),
      next: z.string(),
    }),
  examples: [
    {
      title: 'Work for any agent, done when its tests pass',
      input: { title: 'Round money half to even', labels: ['billing'], checks: ['npm test'] },
    },
    {
      title: 'A question to a person',
      input: { title: 'May we drop Node 18?', kind: 'question', priority: 1 },
    },
  ],
  async run(service: TicketService, { needs = [], parent, links = [], agent, ...given }, context) {
    const ticket = await service.create(
      {
        ...given,
        links: [
          ...needs.map((need) => ({ type: 'needs' as const, ticket: need })),
          ...(parent ? [{ type: 'parent' as const, ticket: parent }] : []),
          ...links,
        ],
      },
      service.nameOf(context.caller, agent),
    );
    const ref = refOf(ticket);
    return {
      id: ref,
      title: ticket.title,
      state: ticket.state,
      uri: `baton://ticket/${ref}`,
      uuid: ticket.id,
      next:
        ticket.kind === 'agent'
          ? 'Whoever calls ticket_next gets it when its turn comes.'
          : `A person finds it with \`baton inbox\`; wait for it with ticket_find {id: "${ref}", waitSeconds: 50}.`,
    };
  },
});
