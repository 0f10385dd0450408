import { BatonError } from '@baton/core';
import type { BriefTicket, FullTicket } from '@baton/runtime';
import { onTerminal, sayingYes } from '../../answer-questions.ts';
import type { Parsed } from '../../flags.ts';
import { type Extras, type Io, print } from '../../io.ts';
import { SessionTools, withSession } from '../../session-tools.ts';
import { UsageError } from '../../usage-error.ts';

export interface ChangedTicket {
  readonly id: string;
  readonly state: BriefTicket['state'] | 'deleted';
  readonly version: number;
}

/** The tools for tickets, as this command line uses them. */
export class TicketTools extends SessionTools {
  async find(id: string): Promise<FullTicket> {
    const { ticket } = await this.call<{ ticket: FullTicket }>('ticket_find', { id });
    return ticket;
  }

  /** What only a person may do is asked on the terminal, unless `--yes` has answered already. */
  update(change: object, { values: { yes } }: Parsed): Promise<ChangedTicket> {
    const answering = yes ? sayingYes : onTerminal(this.io);
    return this.call('ticket_update', change, { answering });
  }
}

export async function withTickets(
  io: Io,
  parsed: Parsed,
  extras: Extras,
  work: (tickets: TicketTools) => Promise<number>,
): Promise<number> {
  try {
    return await withSession(io, parsed, extras, (session, signal) =>
      work(new TicketTools(io, session, signal)),
    );
  } catch (error) {
    if (!(error instanceof BatonError)) throw error;
    if (error.code === 'invalid_input') throw new UsageError(error.message, error.next);
    if (error.code === 'person_needed') throw nobodyThere(error);
    if (error.code !== 'declined') throw error;
    await print(io.stderr, 'Nothing was changed.');
    return 1;
  }
}

function nobodyThere({ message }: BatonError): UsageError {
  const [what = ''] = message.split(', and nobody can be asked');
  return new UsageError(
    `${what}, and nobody can be asked here: this is not a terminal.`,
    'Run it on a terminal, or add --yes if you are sure.',
  );
}
