import type { FullTicket, TicketService } from '@baton/runtime';

export type WholeTicket = Omit<FullTicket, 'notes'> & {
  readonly notes: readonly { readonly at: string; readonly by: string; readonly text: string }[];
  readonly history: readonly string[];
};

/** Clients get what is long in parts; a person at a terminal gets all of it. */
export async function wholeTicket(service: TicketService, id: string): Promise<WholeTicket> {
  const ticket = await service.find(id);
  const { notes } = await service.document(ticket);
  const history = await service.history(ticket);
  return { ...(await service.show(ticket)), body: ticket.body, notes, history };
}
