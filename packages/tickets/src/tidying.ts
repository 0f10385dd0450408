import { actOn, conclude } from './acting.ts';
import { expireClaims, expiredClaims, nextExpiryIn } from './claiming.ts';
import type { TicketPorts } from './ports.ts';
import type { Ticket } from './ticket-repository.ts';

/** Gives back what has run out, and draws the conclusions from checks: before every look. */
export async function tidy(ports: TicketPorts): Promise<void> {
  const { store, workspace, uptime } = ports;
  await conclude(ports, workspace);
  const expired = await store.read((tx) => expiredClaims(tx, workspace, uptime()));
  if (expired.length > 0) await actOn(ports, 'baton', (act) => expireClaims(act, workspace));
}

/** Whoever ran the checks may be gone: they go on as soon as somebody looks. */
export async function runChecks(
  { workers }: TicketPorts,
  tickets: readonly Pick<Ticket, 'state'>[],
): Promise<void> {
  if (tickets.some(({ state }) => state === 'verifying')) await workers.ensure();
}

/** The end of a lease is news that nobody tells of: whoever waits looks again then. */
export async function untilExpiry<Found>(ports: TicketPorts, found: Found, isEnough: boolean) {
  const { store, workspace, uptime } = ports;
  if (isEnough) return { found, isEnough };
  const againInMs = await store.read((tx) => nextExpiryIn(tx, workspace, uptime()));
  return { found, isEnough, againInMs };
}
