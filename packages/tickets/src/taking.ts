import type { Caller } from '@baton/core';
import { actOn, conclude } from './acting.ts';
import { claimNext, expiredClaims, firstReady, heldBy, isFull, type Wanted } from './claiming.ts';
import type { TicketPorts } from './ports.ts';
import { selectVerifying } from './ticket-queries.ts';
import { TICKETS_TOPIC, type Ticket } from './ticket-repository.ts';
import { runChecks, untilExpiry } from './tidying.ts';
import { lookUntil, type Waiting } from './waiting.ts';

export interface NextQuery extends Wanted {
  readonly leaseSeconds?: number | undefined;
  readonly peek?: boolean | undefined;
  readonly waitSeconds?: number | undefined;
}

/** The next ticket, claimed unless somebody only wants to look. */
export async function takeNext(
  ports: TicketPorts,
  query: NextQuery,
  { connection }: Caller,
  by: string,
  call: Waiting,
): Promise<Ticket | undefined> {
  const { store, workspace, maxClaims } = ports;
  const { waitSeconds = 0 } = query;
  const claimant = { ...query, maxClaims, connection };
  const take = () =>
    query.peek
      ? peek(ports, query)
      : actOn(ports, by, (act) => claimNext(act, workspace, query, claimant));
  await conclude(ports, workspace);
  const found = await take();
  if (found) return found;
  await runChecks(ports, await store.read((tx) => selectVerifying(tx, { workspace })));
  if (waitSeconds === 0) return undefined;
  call.progress({ progress: 0, message: 'nothing is ready yet' });
  const look = async () => {
    // Whoever is gone must not be given a ticket.
    if (call.signal.aborted || call.draining.aborted) return { found, isEnough: true };
    // Whoever waits looks often: that must not cost a write each time.
    const taken = (await isWorthwhile(ports, query)) ? await take() : undefined;
    return untilExpiry(ports, taken, taken !== undefined);
  };
  return lookUntil(store, { workspace, topic: TICKETS_TOPIC }, waitSeconds, call, look);
}

function peek({ store, workspace }: TicketPorts, query: NextQuery): Promise<Ticket | undefined> {
  return store.read(async (tx) => {
    const held = query.agent ? await heldBy(tx, workspace, query.agent) : undefined;
    return held ?? firstReady(tx, workspace, query);
  });
}

/** Whether there is anything to claim. */
function isWorthwhile(
  { store, workspace, uptime, maxClaims }: TicketPorts,
  query: NextQuery,
): Promise<boolean> {
  return store.read(async (tx) => {
    if (query.agent && (await heldBy(tx, workspace, query.agent))) return true;
    if ((await expiredClaims(tx, workspace, uptime())).length > 0) return true;
    if (await isFull(tx, workspace, maxClaims)) return false;
    return (await firstReady(tx, workspace, query)) !== undefined;
  });
}
