import type { Reading } from '@baton/store';
import { refOf } from '../definition.ts';
import type { StoredLink } from '../tables.ts';
import { type Ticket, tables, ticketById } from '../ticket-repository.ts';
import type { Links } from './references.ts';

/** What a ticket refers to, as it stands in its file: by number. */
export async function linksIn(tx: Reading, ticket: Ticket) {
  const rows = await tables(tx)
    .selectFrom('ticket_links')
    .innerJoin('tickets as other', 'other.id', 'ticket_links.to_id')
    .select(['ticket_links.type', 'other.number'])
    .where('from_id', '=', ticket.id)
    .orderBy('other.number')
    .execute();
  const refs = (type: StoredLink) => rows.filter((row) => row.type === type).map(refOf);
  const parent = ticket.parent_id ? await ticketById(tx, ticket.parent_id) : undefined;
  const [duplicateOf] = refs('duplicate');
  return {
    needs: refs('needs'),
    related: refs('related'),
    ...(parent && { parent: refOf(parent) }),
    ...(duplicateOf && { duplicateOf }),
  };
}

/** The same by id. */
export async function linkIdsIn(tx: Reading, ticket: Ticket): Promise<Links> {
  const rows = await tables(tx)
    .selectFrom('ticket_links')
    .select(['type', 'to_id'])
    .where('from_id', '=', ticket.id)
    .orderBy('to_id')
    .execute();
  const ids = (type: StoredLink) =>
    rows.filter((row) => row.type === type).map(({ to_id }) => to_id);
  return {
    needs: ids('needs'),
    related: ids('related'),
    parent: ticket.parent_id ?? undefined,
    duplicateOf: ids('duplicate')[0],
  };
}
