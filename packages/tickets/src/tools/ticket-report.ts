import { defineTool } from '@baton/core';
import * as z from 'zod';
import { OUTCOMES, ticketSchemas } from '../definition.ts';
import type { TicketService } from '../service.ts';
import { TICKET_STATES } from '../states.ts';
import { evidence } from './ticket-output.ts';

const SOME_SECONDS = 25;

export const ticketReport = defineTool({
  name: 'ticket_report',
  title: 'Report on a ticket',
  description:
    'Says what became of a ticket that you have claimed; done counts once its checks pass.',
  toolset: 'tickets',
  effect: 'run',
  input: () => {
    const { reference, note, name, waitsFor, waitSeconds } = ticketSchemas();
    return z.object({
      id: reference,
      token: z.string().max(200).optional().describe('from ticket_next'),
      outcome: z.enum(OUTCOMES),
      summary: note,
      files: z.array(z.string().max(1000)).max(500).optional(),
      decisions: z.array(z.string().max(2000)).max(100).optional(),
      waitsFor: waitsFor.optional().describe('if blocked: a ticket, or who or what'),
      commit: z
        .string()
        .refine((text) => /^[0-9a-f]{7,64}$/.test(text), 'expected the hash of a commit')
        .optional(),
      agent: name.optional(),
      waitSeconds: waitSeconds.default(SOME_SECONDS).describe('for its checks'),
    });
  },
  output: () =>
    z.object({
      id: z.string(),
      state: z.enum(TICKET_STATES),
      evidence: evidence().optional(),
      problem: z.string().optional(),
      next: z.string(),
    }),
  examples: [
    {
      title: 'Done',
      input: {
        id: 'T-14',
        token: '14.1.0b0c8a52-7d6e-4c55-9a51-0f3a6c6f0b11',
        outcome: 'done',
        summary: 'Rounds half to even; tests added.',
        files: ['src/money.ts'],
      },
    },
    {
      title: 'Blocked',
      input: {
        id: 'T-14',
        token: '14.1.0b0c8a52-7d6e-4c55-9a51-0f3a6c6f0b11',
        outcome: 'blocked',
        summary: 'Needs a decision on the currency.',
        waitsFor: 'anna',
      },
    },
  ],
  async run(service: TicketService, { id, ...report }, context) {
    const { caller } = context;
    const given = { ...report, connection: caller.connection };
    const ticket = await service.report(id, given, service.nameOf(caller, report.agent), context);
    return service.describeOutcome(ticket);
  },
});
