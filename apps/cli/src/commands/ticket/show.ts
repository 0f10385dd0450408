import { openTickets } from '@baton/runtime';
import type { Command } from '../../command.ts';
import { print, printDrawn } from '../../io.ts';
import { styleFor } from '../../style.ts';
import { showLines } from './show-lines.ts';
import { ticketArgument } from './ticket-argument.ts';
import { withTickets } from './ticket-tools.ts';
import { wholeTicket } from './whole-ticket.ts';

export const show: Command = {
  name: 'ticket show',
  summary: 'show all of a ticket: text, links, notes, what its checks showed, and its history',
  usage: 'baton ticket show <ticket> [--json] [flags]',
  flags: { json: { type: 'boolean', summary: 'print it as JSON' } },
  examples: ['baton ticket show T-14', 'baton ticket show 14 --json'],
  maxArguments: 1,
  async run(io, parsed, extras) {
    const id = ticketArgument(parsed, 'ticket show <ticket>');
    return withTickets(io, parsed, extras, async (tickets) => {
      // First by the tool, which says what is wrong with the number.
      await tickets.find(id);
      const shown = await wholeTicket(await openTickets(tickets.session.baton, 'ticket_find'), id);
      if (parsed.values.json) await print(io.stdout, JSON.stringify(shown, null, 2));
      else await printDrawn(io.stdout, `${showLines(shown, styleFor(io)).join('\n')}\n`);
      return 0;
    });
  },
};
