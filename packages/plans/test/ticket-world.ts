import {
  type Claimed,
  jobTicket,
  neededOutputs,
  parkJob,
  settleJobsPlan,
  settleTicketJob,
  type TicketResult,
} from '@baton/plans/jobs';
import { closeTicket, fakeTickets, ticketsIn } from './fake-tickets.ts';
import type { World } from './world.ts';

/** A job that waits for a ticket, and what it needs. */
export function ticketJob(id: string, ...needs: string[]) {
  return { id, needs, work: { type: 'ticket' as const, title: `Do ${id}` } };
}

/** Hands a job over, as workers do. */
export async function park({ store, service }: World, claimed: Claimed): Promise<void> {
  const { sealer } = service.ports;
  const { work } = claimed.job.definition;
  if (work.type !== 'ticket') throw new Error(`${claimed.job.id} has other work`);
  const outputs = await neededOutputs(store, claimed, sealer);
  const ticket = jobTicket(claimed, work, outputs);
  await store.write('durable', async (tx) => {
    await parkJob(tx, claimed, ticket, fakeTickets);
    await settleJobsPlan(tx, claimed.plan.id);
  });
}

export async function beginAndPark(world: World): Promise<void> {
  await park(world, await world.begin());
}

export const done: TicketResult = { kind: 'succeeded', outputs: {} };
export const givenUp: TicketResult = { kind: 'failed', message: 'It cannot be done.' };

/** A ticket is over; the plan whose jobs may be ready then. */
export function close({ store }: World, id: string, result = done): Promise<string | undefined> {
  return store.write('durable', async (tx) => {
    await closeTicket(tx, id);
    return settleTicketJob(tx, id, result);
  });
}

export function tickets({ store }: World) {
  return store.read((tx) => ticketsIn(tx));
}
