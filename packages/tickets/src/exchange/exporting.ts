import type { CheckDefinition } from '@baton/core';
import type { Reading } from '@baton/store';
import { MOST_NOTES } from '../documents/file-schemas.ts';
import type { TicketDocument } from '../documents/ticket-document.ts';
import type { TicketQuery } from '../finding.ts';
import type { TicketPorts } from '../ports.ts';
import type { TicketState } from '../states.ts';
import { labelsOf, type Ticket, tables } from '../ticket-repository.ts';
import { notesIn } from './notes.ts';
import { oneLine } from './one-line.ts';
import { linksIn } from './ticket-links.ts';

/** Who works on a ticket, and whether it is ready, is for this machine only. */
const WRITTEN: Readonly<Record<TicketState, TicketDocument['state']>> = {
  waiting: 'open',
  ready: 'open',
  claimed: 'open',
  verifying: 'open',
  blocked: 'blocked',
  done: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
};

/** Tickets of the workspace as documents, by number. */
export function exportTickets(
  { store, workspace }: Pick<TicketPorts, 'store' | 'workspace'>,
  state: NonNullable<TicketQuery['state']>,
): Promise<TicketDocument[]> {
  return store.read(async (tx) => {
    let rows = tables(tx)
      .selectFrom('tickets')
      .selectAll()
      .where('workspace', '=', workspace)
      .orderBy('number');
    if (state === 'open') rows = rows.where('closed_at', 'is', null);
    else if (state !== 'all') rows = rows.where('state', '=', state);
    const documents: TicketDocument[] = [];
    for (const ticket of await rows.execute()) documents.push(await documentOf(tx, ticket));
    return documents;
  });
}

/** All of a ticket that a file can hold. */
export async function documentOf(tx: Reading, ticket: Ticket): Promise<TicketDocument> {
  const assignee = oneLine(ticket.assignee ?? '');
  return {
    id: ticket.id,
    number: ticket.number,
    title: oneLine(ticket.title),
    body: withoutNul(ticket.body),
    kind: ticket.kind,
    state: WRITTEN[ticket.state],
    priority: ticket.priority,
    labels: await labelsOf(tx, ticket.seq),
    ...(assignee && { assignee }),
    ...(await linksIn(tx, ticket)),
    ...(ticket.state === 'blocked' && { waitsFor: ticket.waits_for }),
    checks: JSON.parse(ticket.checks) as CheckDefinition[],
    maxAttempts: ticket.max_attempts,
    ...(ticket.resolution && { resolution: ticket.resolution }),
    createdAt: new Date(ticket.created_at).toISOString(),
    createdBy: oneLine(ticket.created_by),
    updatedAt: new Date(ticket.updated_at).toISOString(),
    version: ticket.version,
    notes: (await notesIn(tx, ticket)).slice(-MOST_NOTES),
  };
}

function withoutNul(text: string): string {
  return text.replaceAll('\0', '\ufffd');
}
