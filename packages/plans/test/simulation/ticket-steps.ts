import { settleTicketJob, type TicketResult } from '@baton/plans/jobs';
import { ensure } from '@baton/testkit';
import { closeTicket } from '../fake-tickets.ts';
import { endTicket, type ModelTicket } from './model-tickets.ts';
import { change } from './operator.ts';
import type { World } from './world.ts';

/** Whoever worked on a ticket is done with it, perhaps once more. */
export async function endAnyTicket(world: World): Promise<void> {
  const { tickets } = world.model;
  const open = tickets.filter(({ state }) => state === 'open');
  const from = open.length > 0 && !world.chance(8) ? open : tickets;
  if (from.length === 0) return;
  const isDone = world.random.integer(3) > 0;
  await end(world, world.random.pick(from), isDone ? randomSuccess(world) : GIVEN_UP);
}

/** Nothing that waits for a ticket ends by itself. */
export async function endAllTickets(world: World): Promise<void> {
  const open = world.model.tickets.filter(({ state }) => state === 'open');
  for (const ticket of open) await end(world, ticket, randomSuccess(world));
}

const GIVEN_UP: TicketResult = { kind: 'failed', message: 'It cannot be done.' };

function randomSuccess({ random }: World): TicketResult {
  return { kind: 'succeeded', outputs: { n: `${random.integer(99)}` } };
}

async function end(world: World, ticket: ModelTicket, result: TicketResult): Promise<void> {
  const outcome = await change(world, `${ticket.id} has ${result.kind}`, () =>
    world.store.write('durable', async (tx) => {
      await closeTicket(tx, ticket.id);
      return settleTicketJob(tx, ticket.id, result);
    }),
  );
  if (outcome.kind === 'crashed') return;
  ensure(outcome.kind === 'done', 'the end of a ticket is refused');
  const isWaitedFor = ticket.state === 'open';
  world.count(isWaitedFor ? `ticket ${result.kind}` : 'ticket in vain');
  const plan = isWaitedFor && result.kind === 'succeeded' ? ticket.job.plan : undefined;
  ensure(outcome.value === plan, `after ${ticket.id}, ${outcome.value} may go on`);
  if (isWaitedFor) endTicket(world.model, ticket, result);
}
