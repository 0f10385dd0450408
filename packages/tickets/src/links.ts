import type { Reading } from '@baton/store';
import type { Act } from './act.ts';
import { changeTicket, settleReadiness } from './changing.ts';
import { assertNoCircle } from './circles.ts';
import { type LinkType, refOf } from './definition.ts';
import type { StoredLink } from './tables.ts';
import { findTicket, type Ticket, tables, ticketById } from './ticket-repository.ts';

export interface LinkChange {
  readonly type: LinkType;
  readonly ticket: string;
  readonly remove?: boolean | undefined;
}

/** The same with ids: numbers may come to mean something else while tickets are made. */
export async function resolveLinks(
  tx: Reading,
  workspace: string,
  links: readonly LinkChange[],
): Promise<LinkChange[]> {
  const resolved: LinkChange[] = [];
  for (const link of links) {
    const { id } = await findTicket(tx, workspace, link.ticket);
    resolved.push({ ...link, ticket: id });
  }
  return resolved;
}

/** Adds and removes links, each seen from this ticket. */
export async function changeLinks(
  act: Act,
  ticket: Ticket,
  changes: readonly LinkChange[],
): Promise<Ticket> {
  for (const change of changes) {
    const other = await findTicket(act.tx, ticket.workspace, change.ticket);
    await changeLink(act, await fresh(act, ticket), other, change);
  }
  return fresh(act, ticket);
}

async function changeLink(act: Act, ticket: Ticket, other: Ticket, change: LinkChange) {
  const { type, remove = false } = change;
  switch (type) {
    case 'needs':
    case 'related':
    case 'duplicate':
      return storeLink(act, ticket, other, type, remove);
    case 'blocks':
      return storeLink(act, other, ticket, 'needs', remove);
    case 'parent':
      return setParent(act, ticket, other, remove);
    case 'subtask':
      return setParent(act, other, ticket, remove);
  }
}

async function storeLink(
  act: Act,
  from: Ticket,
  to: Ticket,
  type: StoredLink,
  remove: boolean,
): Promise<void> {
  const row = { from_id: from.id, to_id: to.id, type };
  if (remove) {
    await tables(act.tx)
      .deleteFrom('ticket_links')
      .where('from_id', '=', from.id)
      .where('to_id', '=', to.id)
      .where('type', '=', type)
      .execute();
  } else {
    if (type === 'needs') await assertNoCircle(act.tx, from, to);
    await tables(act.tx)
      .insertInto('ticket_links')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  const detail = { [remove ? 'unlinked' : 'linked']: `${type} ${refOf(to)}` };
  const changed = await changeTicket(act, from, {}, { what: 'changed', detail });
  if (type === 'needs') await settleReadiness(act, changed, wordOf(detail));
}

async function setParent(act: Act, child: Ticket, parent: Ticket, remove: boolean): Promise<void> {
  if (remove && child.parent_id !== parent.id) return;
  if (!remove) await assertNoCircle(act.tx, parent, child);
  const before = child.parent_id ? await ticketById(act.tx, child.parent_id) : undefined;
  const detail = { [remove ? 'unlinked' : 'linked']: `parent ${refOf(parent)}` };
  const change = { parent_id: remove ? null : parent.id };
  await changeTicket(act, child, change, { what: 'changed', detail });
  for (const affected of [before, parent]) {
    if (affected) await settleReadiness(act, await fresh(act, affected), 'its parts changed');
  }
}

function wordOf(detail: object): string {
  return Object.entries(detail)
    .map(([key, value]) => `${key} ${value}`)
    .join(' ');
}

async function fresh(act: Act, { id, number }: Ticket): Promise<Ticket> {
  const ticket = await ticketById(act.tx, id);
  if (!ticket) throw new Error(`${refOf({ number })} is gone within the transaction`);
  return ticket;
}
