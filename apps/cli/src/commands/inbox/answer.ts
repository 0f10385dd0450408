import { BatonError, escapeLine } from '@baton/core';
import type { FullTicket } from '@baton/runtime';
import type { Command } from '../../command.ts';
import { wantedText } from '../../given-text.ts';
import { print } from '../../io.ts';
import { whatNext } from '../ticket/change.ts';
import { ticketArgument } from '../ticket/ticket-argument.ts';
import { withTickets } from '../ticket/ticket-tools.ts';

export const answer: Command = {
  name: 'inbox answer',
  summary: 'answer a question, or tell a ticket that is stuck how to go on',
  usage: 'baton inbox answer <ticket> [<text>|-] [--json] [flags]',
  flags: { json: { type: 'boolean', summary: 'print the result as JSON' } },
  examples: ["baton inbox answer T-5 'Yes, from 2.0 on.'", 'baton inbox answer T-5 - < answer.md'],
  maxArguments: 2,
  run(io, parsed, extras) {
    const given = ticketArgument(parsed, 'inbox answer <ticket> [<text>|-]');
    return withTickets(io, parsed, extras, async (tickets) => {
      const ticket = await tickets.find(given);
      const { id, version, title } = ticket;
      assertWaits(ticket);
      const [, typed] = parsed.positionals;
      const question = `${escapeLine(title)}\nYour answer:`;
      const text = await wantedText(io, typed, question, tickets.signal);
      const isQuestion = ticket.kind === 'question';
      const change = isQuestion
        ? { state: 'done', resolution: text }
        : { state: 'ready', note: text };
      const changed = await tickets.update({ id, version, ...change }, parsed);
      const told = isQuestion
        ? `${id} is answered. Whoever waits for it goes on.`
        : `${id} is ${changed.state}, with your answer as a note. ${whatNext(id, changed.state)}`;
      await print(io.stdout, parsed.values.json ? JSON.stringify(changed, null, 2) : told);
      return 0;
    });
  },
};

/** An answer lets something go on; what nobody has asked about gets a note instead. */
function assertWaits({ id, kind, state, claimedBy }: FullTicket): void {
  const isOpen = state === 'blocked' || state === 'failed';
  if (isOpen || (kind === 'question' && (state === 'ready' || state === 'waiting'))) return;
  const who = claimedBy ? ` by ${claimedBy}` : '';
  throw new BatonError(
    'nothing_asked',
    `${id} is ${state}${who}: it does not wait for an answer. Nothing was changed.`,
    kind === 'person' && state === 'ready'
      ? `If it is done: \`baton inbox done ${id}\`.`
      : `To write something below it: \`baton ticket note ${id} <text>\`.`,
  );
}
