import { defineFeature, type Ports } from '@baton/core';
import type { TicketPorts } from './ports.ts';
import { ticketResources } from './resources.ts';
import type { TicketService } from './service.ts';
import { ticketTools } from './tools/index.ts';

/** `connect` is given what the process has; what is slow happens there, on first use. */
export function createTicketsFeature(connect: (ports: Ports) => Promise<TicketPorts>) {
  return defineFeature<TicketService>({
    id: 'tickets',
    instructions:
      'Work that waits for somebody is in tickets: `ticket_next` hands you one that nobody else has, `ticket_report` says what became of it.',
    tools: ticketTools,
    resourceTemplates: ticketResources,
    async create(ports) {
      // Most clients never take a ticket: nothing of this is loaded before one does.
      const [connected, { TicketService: Service }] = await Promise.all([
        connect(ports),
        import('./service.ts'),
      ]);
      return new Service(connected);
    },
  });
}
