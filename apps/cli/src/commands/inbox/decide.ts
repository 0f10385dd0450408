import { BatonError } from '@baton/core';
import type { FullTicket } from '@baton/runtime';
import type { Command } from '../../command.ts';
import { textOf } from '../../flag-values.ts';
import type { Flags, Parsed } from '../../flags.ts';
import { type Io, print } from '../../io.ts';
import { UsageError } from '../../usage-error.ts';
import { ticketArgument } from '../ticket/ticket-argument.ts';
import { type TicketTools, withTickets } from '../ticket/ticket-tools.ts';
import { retry } from './retry.ts';

const DECISIONS = ['accept', 'retry', 'cancel'] as const;
type Decision = (typeof DECISIONS)[number];

const FLAGS: Flags = {
  note: { type: 'string', value: 'text', summary: 'what came of it, or why' },
  yes: { type: 'boolean', summary: 'do not ask' },
  json: { type: 'boolean', summary: 'print the result as JSON' },
};

const USAGE = 'inbox decide <ticket> accept|retry|cancel';

export const decide: Command = {
  name: 'inbox decide',
  summary: 'say what becomes of a ticket: it counts as done, is tried again, or is not wanted',
  usage: `baton ${USAGE} [--note <text>] [--yes] [--json] [flags]`,
  flags: FLAGS,
  examples: [
    "baton inbox decide T-5 accept --note 'looked at it myself'",
    "baton inbox decide T-5 retry --note 'the test server is back'",
  ],
  maxArguments: 2,
  run(io, parsed, extras) {
    const given = ticketArgument(parsed, USAGE);
    const decision = DECISIONS.find((known) => known === parsed.positionals[1]);
    if (!decision) throw new UsageError('What is decided?', `Usage: baton ${USAGE}`);
    return withTickets(io, parsed, extras, (tickets) =>
      carryOut(io, tickets, parsed, given, decision),
    );
  },
};

export const done: Command = {
  name: 'inbox done',
  summary: 'say that work for a person is done',
  usage: 'baton inbox done <ticket> [--note <text>] [--yes] [--json] [flags]',
  flags: FLAGS,
  examples: ["baton inbox done T-7 --note 'the account is set up'"],
  maxArguments: 1,
  run(io, parsed, extras) {
    const given = ticketArgument(parsed, 'inbox done <ticket>');
    return withTickets(io, parsed, extras, (tickets) =>
      carryOut(io, tickets, parsed, given, 'accept'),
    );
  },
};

async function carryOut(
  io: Io,
  tickets: TicketTools,
  parsed: Parsed,
  given: string,
  decision: Decision,
): Promise<number> {
  const ticket = await tickets.find(given);
  assertOpen(ticket);
  const note = textOf(parsed, 'note');
  const lines =
    decision === 'retry'
      ? await retry(tickets, parsed, ticket, note)
      : await close(tickets, parsed, ticket, decision, note);
  const { state, version } = await tickets.find(ticket.id).catch(() => ticket);
  const changed = { id: ticket.id, state, version };
  await print(io.stdout, parsed.values.json ? JSON.stringify(changed, null, 2) : lines.join('\n'));
  return 0;
}

async function close(
  tickets: TicketTools,
  parsed: Parsed,
  { id, version, blocks = [] }: FullTicket,
  decision: 'accept' | 'cancel',
  note: string | undefined,
): Promise<string[]> {
  const state = decision === 'accept' ? 'done' : 'cancelled';
  const resolution = note === undefined ? {} : { resolution: note };
  await tickets.update({ id, version, state, ...resolution }, parsed);
  const others = blocks.join(', ');
  if (!others) return [`${id} is ${state}.`];
  return [
    state === 'done'
      ? `${id} is done. What needed it can go on: ${others}`
      : `${id} is cancelled. What needs it waits for a person now: ${others}`,
  ];
}

function assertOpen({ id, state, claimedBy }: FullTicket): void {
  if (state === 'done' || state === 'cancelled') {
    throw new BatonError(
      'ticket_state',
      `${id} is ${state} already. Nothing was changed.`,
      `To open it again: \`baton ticket reopen ${id}\`.`,
    );
  }
  if (!claimedBy) return;
  throw new BatonError(
    'ticket_claimed',
    `${id} is ${state} by ${claimedBy}. Nothing was changed.`,
    `Leave it to them, or take it away first: \`baton ticket take ${id}\`.`,
  );
}
