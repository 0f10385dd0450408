import { escapeLine } from '@baton/core';
import type { BriefTicket } from '@baton/runtime';
import type { Command } from '../../command.ts';
import { textOf, textsOf, wholeNumberOf } from '../../flag-values.ts';
import type { Parsed } from '../../flags.ts';
import { type Io, print, printDrawn } from '../../io.ts';
import { type Style, styleFor } from '../../style.ts';
import { tableLines } from '../../table-lines.ts';
import { ticketState } from './ticket-state.ts';
import { type TicketTools, withTickets } from './ticket-tools.ts';

const SHOWN = 30;
/** What is beyond this many is not counted. */
const COUNTED = 1000;
const PAGE = 100;

export const list: Command = {
  name: 'ticket list',
  summary: 'list tickets: those that are open, the newest first, or those with certain words',
  usage:
    'baton ticket list [--state <state>] [--text <words>] [--label <label>…] [--kind <kind>] [--all] [--limit <n>] [--json] [flags]',
  flags: {
    state: {
      type: 'string',
      value: 'state',
      summary:
        'open (default), all, waiting, ready, claimed, verifying, blocked, done, failed or cancelled',
    },
    text: { type: 'string', value: 'words', summary: 'with all of these words, the best first' },
    label: { type: 'string', value: 'label', summary: 'with this label', multiple: true },
    kind: { type: 'string', value: 'agent|person|question', summary: 'who is to do it' },
    all: { type: 'boolean', summary: 'also what is done or cancelled, as --state all' },
    limit: { type: 'string', value: 'n', summary: `show so many (default: ${SHOWN})` },
    json: { type: 'boolean', summary: 'print them as JSON' },
  },
  examples: [
    'baton ticket list',
    'baton ticket list --state blocked',
    "baton ticket list --text 'rounding invoice' --all",
  ],
  maxArguments: 0,
  async run(io, parsed, extras) {
    const query = queryOf(parsed);
    const limit = wholeNumberOf(parsed, 'limit') ?? SHOWN;
    return withTickets(io, parsed, extras, async (tickets) => {
      const found = await ticketsOf(tickets, query, Math.max(limit, COUNTED) + 1);
      const shown = found.slice(0, limit);
      if (parsed.values.json) await print(io.stdout, JSON.stringify(shown, null, 2));
      else await printDrawn(io.stdout, `${linesOf(io, shown, found.length, query).join('\n')}\n`);
      return 0;
    });
  },
};

function queryOf(parsed: Parsed) {
  const { values } = parsed;
  const text = textOf(parsed, 'text');
  const state = values.all ? 'all' : textOf(parsed, 'state');
  const labels = textsOf(parsed, 'label');
  const kind = textOf(parsed, 'kind');
  return {
    ...(text !== undefined && { text }),
    ...(state !== undefined && { state }),
    ...(labels && { labels }),
    ...(kind !== undefined && { kind }),
  };
}

async function ticketsOf(tickets: TicketTools, query: object, most: number) {
  const found: BriefTicket[] = [];
  for (let cursor: string | undefined; ; ) {
    const page: { readonly tickets: readonly BriefTicket[]; readonly cursor?: string } =
      await tickets.call('ticket_find', { ...query, limit: PAGE, ...(cursor && { cursor }) });
    found.push(...page.tickets);
    cursor = page.cursor;
    if (!cursor || found.length >= most) return found;
  }
}

function linesOf(io: Io, shown: readonly BriefTicket[], count: number, query: object): string[] {
  if (shown.length === 0) {
    const isFiltered = Object.keys(query).length > 0;
    return [isFiltered ? 'No ticket matches.' : 'No ticket is open. `--all` shows what is done.'];
  }
  const style = styleFor(io);
  const lines = tableLines(
    io,
    shown.map((ticket) => cellsOf(ticket, style)),
  );
  const more = count > COUNTED ? `more than ${COUNTED - shown.length}` : count - shown.length;
  return count > shown.length
    ? [...lines, style.dim(`and ${more} more: --limit shows them`)]
    : lines;
}

function cellsOf(ticket: BriefTicket, style: Style): string[] {
  const { id, priority, state, title } = ticket;
  const urgency = `P${priority}`;
  return [
    style.bold(id),
    priority === 1 ? style.red(urgency) : urgency,
    ticketState(state, style),
    escapeLine(title),
    style.dim(escapeLine(whoOf(ticket))),
  ];
}

/** Who has it, or what it waits for, or for whom it is. */
function whoOf({ claimedBy, waitsFor, assignee, kind }: BriefTicket): string {
  if (claimedBy) return `${claimedBy} has it`;
  if (waitsFor) return `waits for ${waitsFor}`;
  if (assignee) return `for ${assignee}`;
  return { agent: '', person: 'for a person', question: 'a question' }[kind];
}
