import { BatonError } from '@baton/core';
import type { Reading } from '@baton/store';
import { historyAfter } from './act.ts';
import { refOf } from './definition.ts';
import type { Ticket } from './ticket-repository.ts';
import { describeHistory } from './views/history.ts';

/** Refuses a change that was thought up without knowing what has happened since. */
export async function assertVersion(
  tx: Reading,
  ticket: Ticket,
  version: number | undefined,
): Promise<void> {
  if (version === undefined || version === ticket.version) return;
  const since = await historyAfter(tx, ticket, version);
  const what = since.slice(-5).map((row) => describeHistory(row));
  throw new BatonError(
    'version_conflict',
    `${refOf(ticket)} has version ${ticket.version}, not ${version}. Nothing was changed. Since then: ${what.join('; ') || 'nothing'}.`,
    `Read it again with ticket_find, and repeat the change with version ${ticket.version} if it is still right.`,
  );
}
