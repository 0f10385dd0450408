import { conclude } from './acting.ts';
import { findTickets, type TicketQuery } from './finding.ts';
import { inboxOf } from './inbox.ts';
import type { TicketPorts } from './ports.ts';
import { isMoving } from './states.ts';
import { findTicket, TICKETS_TOPIC, type Ticket } from './ticket-repository.ts';
import { runChecks, tidy, untilExpiry } from './tidying.ts';
import { briefs } from './views/ticket-view.ts';
import { lookUntil, type Waiting } from './waiting.ts';

export interface TicketLook {
  readonly waitSeconds?: number | undefined;
  /** Wait for a newer one than this. */
  readonly version?: number | undefined;
}

/** One ticket, perhaps after waiting until it rests. */
export async function lookAtTicket(
  ports: TicketPorts,
  reference: string,
  { waitSeconds = 0, version }: TicketLook,
  call: Waiting,
): Promise<Ticket> {
  const { store, workspace } = ports;
  const look = async () => {
    await tidy(ports);
    const found = await store.read((tx) => findTicket(tx, workspace, reference));
    const isNews = version === undefined ? !isMoving(found.state) : found.version > version;
    return untilExpiry(ports, found, isNews);
  };
  const { found, isEnough } = await look();
  await runChecks(ports, [found]);
  if (isEnough || waitSeconds === 0) return found;
  // Plans tell of the end of checks before tickets do.
  return lookUntil(store, { workspace }, waitSeconds, call, look);
}

/** Waits until the checks of a ticket are over. */
export function untilChecked(
  ports: TicketPorts,
  { id }: Ticket,
  waitSeconds: number,
  call: Waiting,
): Promise<Ticket> {
  const { store, workspace } = ports;
  call.progress({ progress: 0, message: 'its checks run' });
  const look = async () => {
    await conclude(ports, workspace);
    const found = await store.read((tx) => findTicket(tx, workspace, id));
    return { found, isEnough: found.state !== 'verifying' };
  };
  return lookUntil(store, { workspace }, waitSeconds, call, look);
}

/** Tickets of the workspace, perhaps after waiting until one matches. */
export async function listTickets(
  ports: TicketPorts,
  query: TicketQuery & { readonly waitSeconds?: number | undefined },
  call: Waiting,
) {
  const { store, workspace } = ports;
  const look = async () => {
    await tidy(ports);
    const found = await store.read(async (tx) => {
      const { tickets, cursor } = await findTickets(tx, workspace, query);
      return { tickets: await briefs(tx, tickets), ...(cursor && { cursor }) };
    });
    return untilExpiry(ports, found, found.tickets.length > 0);
  };
  const { found, isEnough } = await look();
  await runChecks(ports, found.tickets);
  if (isEnough || !query.waitSeconds) return found;
  return lookUntil(store, { workspace, topic: TICKETS_TOPIC }, query.waitSeconds, call, look);
}

/** What waits for a person. Of other workspaces only people are told, never their agents. */
export async function lookAtInbox(ports: TicketPorts, where: 'here' | 'everywhere', limit: number) {
  const { store, workspace } = ports;
  await tidy(ports);
  return store.read(async (tx) => {
    const items = await inboxOf(tx, where === 'here' ? workspace : undefined, limit);
    const tickets = items.map(({ ticket }) => ticket);
    const shown = await briefs(tx, tickets);
    return items.map(({ ticket, why, since }, index) => ({
      ...(shown[index] as (typeof shown)[number]),
      why,
      since: new Date(since).toISOString(),
      ...(where === 'everywhere' && { workspace: ticket.workspace }),
    }));
  });
}
