import type { Command } from '../../command.ts';
import { textOf } from '../../flag-values.ts';
import type { Flags, Parsed } from '../../flags.ts';
import { givenText } from '../../given-text.ts';
import { type Io, print } from '../../io.ts';
import { UsageError } from '../../usage-error.ts';
import { ticketArgument } from './ticket-argument.ts';
import { type ChangedTicket, withTickets } from './ticket-tools.ts';

interface Action {
  readonly summary: string;
  readonly flags?: Flags;
  /** What stands behind the ticket, if anything does. */
  readonly text?: string;
  readonly example?: string;
  /** What is passed to `ticket_update`. */
  change(io: Io, parsed: Parsed): object | Promise<object>;
  /** What is said when it is done. */
  describe(changed: ChangedTicket): string;
}

const YES: Flags = { yes: { type: 'boolean', summary: 'do not ask' } };

const ACTIONS: Readonly<Record<string, Action>> = {
  note: {
    summary: 'write something below a ticket, for whoever works on it',
    text: '<text>|-',
    example: "baton ticket note T-14 'The customer has 3 decimals.'",
    async change(io, { positionals: [, text] }) {
      if (!text)
        throw new UsageError('What is the note?', 'Usage: baton ticket note <ticket> <text>');
      return { note: await givenText(io, text) };
    },
    describe: ({ id }) => `Written below ${id}.`,
  },
  take: {
    summary: 'take a ticket away from whoever has it, for whoever asks next',
    flags: YES,
    change: () => ({ take: true }),
    describe: ({ id, state }) => `Nobody has ${id} now. ${whatNext(id, state)}`,
  },
  reopen: {
    summary: 'open a ticket again that is done, cancelled, blocked or failed',
    change: () => ({ state: 'ready' }),
    describe: ({ id, state }) => `${id} is ${state}. ${whatNext(id, state)}`,
  },
  cancel: {
    summary: 'say that a ticket is not wanted any more',
    flags: { reason: { type: 'string', value: 'text', summary: 'why' } },
    example: "baton ticket cancel T-14 --reason 'the module is gone'",
    change(_, parsed) {
      const resolution = textOf(parsed, 'reason');
      return { state: 'cancelled', ...(resolution !== undefined && { resolution }) };
    },
    describe: ({ id }) => `${id} is cancelled. To take that back: baton ticket reopen ${id}`,
  },
  delete: {
    summary: 'remove a ticket with its history for good',
    flags: YES,
    change: () => ({ state: 'deleted' }),
    describe: ({ id }) => `${id} is deleted.`,
  },
};

/** What becomes of a ticket that is open. */
export function whatNext(id: string, state: ChangedTicket['state']): string {
  return state === 'waiting'
    ? `What it needs comes first: baton ticket show ${id}`
    : 'Whoever asks for work next may get it.';
}

export const changeCommands: readonly Command[] = Object.entries(ACTIONS).map(toCommand);

function toCommand([name, action]: [string, Action]): Command {
  const { summary, flags = {}, text, example } = action;
  const own = Object.entries(flags).map(
    ([flag, { value }]) => ` [--${flag}${value ? ` <${value}>` : ''}]`,
  );
  const usage = `ticket ${name} <ticket>${text ? ` ${text}` : ''}${own.join('')}`;
  return {
    name: `ticket ${name}`,
    summary,
    usage: `baton ${usage} [--json] [flags]`,
    flags: { ...flags, json: { type: 'boolean', summary: 'print the result as JSON' } },
    examples: [example ?? `baton ticket ${name} T-14`],
    maxArguments: text ? 2 : 1,
    async run(io, parsed, extras) {
      const id = ticketArgument(parsed, usage);
      const change = await action.change(io, parsed);
      return withTickets(io, parsed, extras, async (tickets) => {
        const changed = await tickets.update({ id, ...change }, parsed);
        const said = parsed.values.json
          ? JSON.stringify(changed, null, 2)
          : action.describe(changed);
        await print(io.stdout, said);
        return 0;
      });
    },
  };
}
