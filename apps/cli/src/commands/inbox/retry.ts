import type { FullTicket } from '@baton/runtime';
import type { Parsed } from '../../flags.ts';
import { whatNext } from '../ticket/change.ts';
import type { TicketTools } from '../ticket/ticket-tools.ts';

/** Lets a ticket go on, and says how. */
export async function retry(
  tickets: TicketTools,
  parsed: Parsed,
  ticket: FullTicket,
  note: string | undefined,
): Promise<string[]> {
  const { id, version } = ticket;
  const said = note === undefined ? {} : { note };
  if (ticket.state !== 'waiting') {
    const { state } = await tickets.update({ id, version, state: 'ready', ...said }, parsed);
    return [`${id} is ${state}. ${whatNext(id, state)}`];
  }
  const failed = needsThatAre(ticket, 'failed');
  const cancelled = needsThatAre(ticket, 'cancelled');
  for (const need of failed) await tickets.update({ id: need, state: 'ready' }, parsed);
  const links = cancelled.map((need) => ({ type: 'needs', ticket: need, remove: true }));
  const { state } = await tickets.update({ id, links, ...said }, parsed);
  return [
    ...failed.map((need) => `${need} is open again: it is tried once more.`),
    ...cancelled.map((need) => `${id} goes on without ${need}, which was cancelled.`),
    `${id} is ${state}. ${whatNext(id, state)}`,
  ];
}

/** `open` has the state of each: `T-3 (failed)`. */
function needsThatAre({ open = [] }: FullTicket, state: string): string[] {
  return open.flatMap((need) => (need.endsWith(` (${state})`) ? [need.split(' ')[0] ?? ''] : []));
}
