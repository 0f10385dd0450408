import { BatonError, escapeControls, type ResourceTemplate, renderText } from '@baton/core';
import type { TicketService } from './service.ts';

const NOT_WAITING = {
  signal: new AbortController().signal,
  draining: new AbortController().signal,
  progress: () => {},
};

export const ticketResources: readonly ResourceTemplate<TicketService>[] = [
  {
    uriTemplate: 'baton://ticket/{id}',
    name: 'ticket',
    title: 'A ticket',
    description: 'A ticket with its whole text and history.',
    mimeType: 'text/plain',
    complete: (service, _, typed) => service.refsBeginningWith(typed),
    async read(service, { id = '' }) {
      const ticket = await service.look(id, {}, NOT_WAITING).catch(unlessUnknown);
      if (!ticket) return undefined;
      const shown = { ...(await service.show(ticket)), body: ticket.body };
      const text = renderText({ ...shown, history: await service.history(ticket) });
      // What people have written must not act on a terminal.
      return { mimeType: 'text/plain', text: escapeControls(text) };
    },
    watch: (service, { id = '' }, changed) => service.watch(id, changed),
  },
];

function unlessUnknown(error: unknown): undefined {
  if (error instanceof BatonError && error.code === 'ticket_unknown') return undefined;
  throw error;
}
