import type { Parsed } from '../../flags.ts';
import { UsageError } from '../../usage-error.ts';

/** The number of the ticket, which comes first. */
export function ticketArgument({ positionals: [ticket] }: Parsed, usage: string): string {
  if (ticket) return ticket;
  throw new UsageError('Which ticket?', `Usage: baton ${usage}; \`baton ticket list\` shows them.`);
}
