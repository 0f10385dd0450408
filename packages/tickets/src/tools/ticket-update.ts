import { BatonError, defineTool, escapeLine, readableLine, type ToolContext } from '@baton/core';
import * as z from 'zod';
import { refOf, ticketSchemas } from '../definition.ts';
import type { TicketService } from '../service.ts';
import { isHeld, SETTABLE, TICKET_STATES } from '../states.ts';
import type { Ticket } from '../ticket-repository.ts';
import { LISTED_LINKS, linkSchema } from './ticket-create.ts';

export const ticketUpdate = defineTool({
  name: 'ticket_update',
  title: 'Change a ticket',
  description: 'Changes a ticket, adds a note or links, or renews your claim on it.',
  toolset: 'tickets',
  effect: 'run',
  input: () => {
    const {
      reference,
      title,
      body,
      note,
      priority,
      label,
      name,
      checks,
      attempts,
      leaseSeconds,
      waitsFor,
    } = ticketSchemas();
    const sign = z.string().startsWith('-').max(65);
    return z.object({
      id: reference,
      token: z.string().max(200).optional(),
      version: z.int().optional().describe('expected one'),
      note: note.optional(),
      title: title.optional(),
      body: body.optional(),
      priority: priority.optional(),
      labels: z
        .array(z.union([label, sign]))
        .max(40)
        .optional()
        .describe('added; "-x" removes x')
        .meta({ listAs: { type: 'array', items: { type: 'string' } } }),
      assignee: z
        .union([name, z.literal('')])
        .optional()
        .meta({ listAs: { type: 'string' } }),
      links: z
        .array(linkSchema().extend({ remove: z.boolean().optional() }))
        .max(100)
        .optional()
        .describe('{type: needs|blocks|parent|subtask|related|duplicate, ticket, remove?}')
        .meta(LISTED_LINKS),
      checks: checks.optional(),
      maxAttempts: attempts.optional(),
      state: z
        .enum([...SETTABLE, 'deleted'])
        .optional()
        .describe('ready opens it again'),
      waitsFor: waitsFor.optional().describe('if blocked'),
      resolution: note.optional().describe('answer or reason'),
      take: z.boolean().optional().describe('from its holder, for people'),
      leaseSeconds: leaseSeconds.optional(),
      agent: name.optional(),
    });
  },
  output: () =>
    z.object({
      id: z.string(),
      state: z.enum([...TICKET_STATES, 'deleted']),
      version: z.number(),
      leaseSecondsLeft: z.number().optional(),
      next: z.string().optional(),
    }),
  examples: [
    { title: 'Still at it', input: { id: 'T-14', token: '14.1.0b0c8a52', note: 'Half done.' } },
    { title: 'More urgent', input: { id: 'T-14', priority: 1, labels: ['urgent', '-later'] } },
    {
      title: 'Answer a question',
      input: { id: 'T-15', state: 'done', resolution: 'Yes, from 2.0 on.' },
    },
  ],
  async run(service: TicketService, { id, state, ...update }, context) {
    const by = service.nameOf(context.caller, update.agent);
    const before = await service.find(id);
    const isDecided = await decided(before, { ...update, state }, context);
    if (state === 'deleted') {
      const { version } = await service.remove(id, before.version, by);
      return { id: refOf(before), state, version };
    }
    const { connection } = context.caller;
    // A person has decided about what was there, and about nothing that came in between.
    const version = update.version ?? (isDecided ? before.version : undefined);
    const given = { ...update, state, version, isDecided, connection };
    return service.describeChange(await service.update(id, given, by));
  },
});

/** What only a person may do is asked of the person, and of nobody else. */
async function decided(
  ticket: Ticket,
  { state, take }: { state?: string | undefined; take?: boolean | undefined },
  context: ToolContext,
): Promise<boolean> {
  const ref = refOf(ticket);
  const isTaking = take && isHeld(ticket.state);
  const isJudging = state === 'done' && (ticket.kind === 'agent' || ticket.checks !== '[]');
  const what = [
    isTaking && `take ${ref} away from ${ticket.claim_label}, who works on it`,
    isJudging && `count ${ref} as done without its checks and without a report`,
    state === 'deleted' && `delete ${ref} with its history for good`,
  ].filter(Boolean);
  if (what.length === 0) return false;
  const asked = what.join(', and ');
  if (!context.can.ask) throw personNeeded(ref, asked);
  const answer = context.ask({
    key: `ticket ${ref} ${ticket.version} ${take ? 'take' : ''} ${state ?? ''}`,
    // Whoever wrote the title or the name must not be able to add to the question.
    message: readableLine(
      escapeLine(
        `Only a person may decide this: ${asked}? The ticket: ${JSON.stringify(ticket.title)}`,
      ),
    ),
    schema: z.object({ yes: z.boolean().describe('Yes, do it') }),
  });
  if (answer?.yes) return true;
  throw new BatonError(
    'declined',
    `The person who was asked declined to ${asked}. Nothing was changed.`,
    'Leave it as it is.',
  );
}

function personNeeded(ref: string, asked: string): BatonError {
  return new BatonError(
    'person_needed',
    `Only a person may ${asked}, and nobody can be asked through this client. Nothing was changed.`,
    `A person does it on a terminal: \`baton ticket take ${ref}\`, \`baton inbox decide ${ref} accept\` or \`baton ticket delete ${ref}\`.`,
  );
}
